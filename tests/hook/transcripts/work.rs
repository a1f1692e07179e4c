//! Whether the agent did its work according to its transcript.

use std::fs;

use serde_json::{Value, json};

use super::{
    AGENT, SESSION, call, call_with, captured, own_file, reason, record, said, stop, transcript,
    valid,
};
use crate::common::World;

/// A tool call that succeeded.
fn called(tool: &str, input: &Value) -> String {
    let call = json!([{ "type": "tool_use", "id": "t1", "name": tool, "input": input }]);
    let result = json!([{ "type": "tool_result", "tool_use_id": "t1", "content": "ok" }]);
    record(Some(AGENT), "assistant", call) + &record(Some(AGENT), "user", result)
}

/// The transcript of an agent with one call, and the end of that agent.
fn stop_after(world: &World, call: &str, said_last: bool) -> Value {
    let mut message: Value = serde_json::from_str(&valid(SESSION)).expect("JSON");
    message["status"] = "completed".into();
    message["artifacts"] = json!([{ "type": "plan", "path": "docs/tides.md", "summary": "x" }]);
    message.as_object_mut().expect("an object").remove("errors");
    let message = message.to_string();
    let task = record(Some(AGENT), "user", format!("Plan. session_id: {SESSION}"));
    let last = if said_last { said(AGENT, &message) } else { said(AGENT, "I will return now.") };
    transcript(world, &[task, call.to_owned(), last]);
    stop(world, &message)
}

#[test]
fn an_agent_without_work_is_asked_again_once_and_reported_to_its_caller() {
    let world = World::new();
    let read = called("Read", &json!({ "file_path": "docs/tides.md" }));
    let stop = stop_after(&world, &read, true);
    let text = reason(&world, &stop);
    let fact = "Artifact was not written by the agent: docs/tides.md (no call wrote it; the agent used only Read)";
    assert!(text.contains(fact), "{text}");
    // The transcript still has the first answer alone, which says the same.
    let mut again = stop.clone();
    again["stop_hook_active"] = true.into();
    assert_eq!(call(&world, &again), None);
    let records = fs::read_to_string(world.path(&own_file())).expect("a transcript");
    let later = records.replace("2026-11-22T10:14:45", "2100-01-01T00:00:00");
    world.write(&own_file(), records + &later.replace("\"t1\"", "\"t2\""));
    let told = call(&world, &again).expect("a note").to_string();
    assert!(!told.contains("block") && told.contains(fact), "{told}");
    assert_eq!(call_with(&world, "--evidence off", &stop), None);
    assert_eq!(call_with(&world, "--evidence warn", &stop), None);
}

#[test]
fn no_agent_is_asked_again_for_unknown_evidence() {
    let world = World::new();
    let file = json!({ "file_path": world.path("project/docs/tides.md") });
    for (call_made, said_last) in [
        (called("Write", &file), true),
        (called("Bash", &json!({ "command": "make" })), true),
        // The end of the transcript is not written yet.
        (called("Read", &file), false),
    ] {
        let stop = stop_after(&world, &call_made, said_last);
        assert_eq!(call_with(&world, "--evidence require", &stop), None);
    }
}

/// What is said of a file as it was at the start, and after it was changed.
fn compared_with_the_start() -> [String; 2] {
    let world = World::new();
    world.commit_project();
    let mut start = captured(&world, "background-stop");
    start["hook_event_name"] = "SubagentStart".into();
    start.as_object_mut().expect("an object").remove("last_assistant_message");
    assert!(call(&world, &start).is_some());
    let make = called("Bash", &json!({ "command": "make" }));
    let stop = stop_after(&world, &make, true);
    let text = |answer: Option<Value>| answer.map_or_else(String::new, |it| it.to_string());
    let same = text(call_with(&world, "--strict", &stop));
    fs::write(world.path("project/docs/tides.md"), "New tides.\n").expect("a file");
    [same, text(call_with(&world, "", &stop))]
}

#[test]
fn the_commit_at_the_start_is_the_one_that_files_are_compared_with() {
    // A busy machine may need longer than the hook waits for git.
    let is_said = |[same, changed]: [String; 2]| {
        assert_eq!(changed, "");
        same.contains("Artifact is the same as in the base commit: docs/tides.md")
    };
    assert!((0..8).any(|_| is_said(compared_with_the_start())));
}
