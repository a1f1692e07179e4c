//! `retval hook` and what the client's transcripts tell beyond the payload.

mod common;

use std::fs;

use common::{World, fixtures};
use serde_json::{Value, json};

const SESSION: &str = "ffd16564-174d-412d-bb95-36c5efd52e33";
const AGENT: &str = "a884fe8b6d023b891";

/// A payload that a client sent, in a project of this world.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join("captured").join(name);
    let text = fs::read_to_string(file.with_extension("json")).expect("a payload");
    let text = text.replace(
        "/home/user/.config",
        &world.path("config").display().to_string(),
    );
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("/home/user/project", &project)).expect("JSON")
}

fn call(world: &World, payload: &Value) -> Option<Value> {
    call_with(world, "", payload)
}

fn call_with(world: &World, options: &str, payload: &Value) -> Option<Value> {
    world.hook(options, payload)
}

fn reason(world: &World, payload: &Value) -> String {
    let answer = call(world, payload).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    answer["reason"].as_str().expect("a reason").to_owned()
}

/// A record of Claude Code: a text of the user or of the agent.
fn record(agent: Option<&str>, role: &str, content: impl Into<Value>) -> String {
    let content: Value = content.into();
    let record = json!({
        "type": role,
        "sessionId": SESSION,
        "agentId": agent,
        "isSidechain": agent.is_some(),
        "timestamp": "2026-11-22T10:14:45.954Z",
        "message": { "role": role, "content": content },
    });
    record.to_string() + "\n"
}

fn said(agent: &str, text: &str) -> String {
    record(
        Some(agent),
        "assistant",
        json!([{ "type": "text", "text": text }]),
    )
}

const FOLDER: &str = "config/projects/-home-user-project";

/// Writes the transcript of the agent, as the client names it.
fn transcript(world: &World, records: &[String]) {
    world.write(&own_file(), records.concat());
}

fn own_file() -> String {
    format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}.jsonl")
}

fn valid(session: &str) -> String {
    json!({
        "status": "blocked",
        "summary": "The tide tables could not be planned. The constants are missing.",
        "artifacts": [],
        "errors": [{ "type": "missing_input", "message": "No constants", "recoverable": true, "recommendation": "Add them" }],
        "metadata": {
            "session_id": session,
            "agent_type": "planner",
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
    })
    .to_string()
}

fn stop(world: &World, message: &str) -> Value {
    let mut stop = captured(world, "background-stop");
    stop["last_assistant_message"] = message.into();
    stop
}

#[test]
fn the_session_id_of_the_delegation_counts() {
    let world = World::new();
    let prompt = "Plan task 12. session_id: sess_1735460684_a1b2c3";
    transcript(&world, &[record(Some(AGENT), "user", prompt)]);
    assert_eq!(
        call(&world, &stop(&world, &valid("sess_1735460684_a1b2c3"))),
        None
    );
    let text = reason(&world, &stop(&world, &valid(SESSION)));
    assert!(text.contains("sess_1735460684_a1b2c3"), "{text}");
}

#[test]
fn the_clients_own_session_id_counts_if_the_agent_was_told_it() {
    let world = World::new();
    transcript(&world, &[record(Some(AGENT), "user", "Plan task 12.")]);
    assert_eq!(
        call(&world, &stop(&world, &valid("another"))),
        None,
        "it was told none"
    );
    // Not the same agent, which would be resumed now.
    let world = World::new();
    transcript(&world, &[record(Some(AGENT), "user", "Plan task 12.")]);
    let mut start = stop(&world, "");
    start["hook_event_name"] = "SubagentStart".into();
    let answer = call(&world, &start).expect("an answer").to_string();
    assert!(answer.contains("if it gives none"), "{answer}");
    let text = reason(&world, &stop(&world, &valid("another")));
    assert!(
        text.contains("Session ID mismatch") && text.contains(SESSION),
        "{text}"
    );
    assert_eq!(call(&world, &stop(&world, &valid(SESSION))), None);
}

#[test]
fn the_message_of_the_last_turn_counts_and_no_earlier_one() {
    let world = World::new();
    let prompt = record(Some(AGENT), "user", "Plan task 12.");
    let mut absent = stop(&world, "");
    absent["last_assistant_message"] = Value::Null;
    transcript(&world, &[prompt.clone(), said(AGENT, &valid("s"))]);
    assert_eq!(call(&world, &absent), None);
    let feedback = record(Some(AGENT), "user", "Stop hook feedback:\nAgain.");
    let empty = record(Some(AGENT), "assistant", json!([]));
    transcript(&world, &[prompt, said(AGENT, &valid("s")), feedback, empty]);
    let text = reason(&world, &absent);
    assert!(text.contains("it is empty"), "{text}");
}

#[test]
fn an_old_client_names_agent_and_message_only_in_its_transcripts() {
    let world = World::new();
    let of = |agent: &str| {
        let mut stop = stop(&world, "");
        let members = stop.as_object_mut().expect("an object");
        members.remove("last_assistant_message");
        members.remove("agent_type");
        members["agent_id"] = agent.into();
        let file = world.path(FOLDER).join(format!("agent-{agent}.jsonl"));
        members["agent_transcript_path"] = file.display().to_string().into();
        stop
    };
    let prompt = "Plan task 12, the tide tables.";
    let records = [
        record(Some("ae5a034"), "user", prompt),
        said("ae5a034", "I have made the plan."),
    ];
    world.write(&format!("{FOLDER}/agent-ae5a034.jsonl"), records.concat());
    let warmup = [
        record(Some("a588fb4"), "user", "Warmup"),
        said("a588fb4", "I am ready."),
    ];
    world.write(&format!("{FOLDER}/agent-a588fb4.jsonl"), warmup.concat());
    let task = json!([{
        "type": "tool_use",
        "id": "toolu_6792a494d6f7429db76d",
        "name": "Task",
        "input": { "description": "Plan", "prompt": prompt, "subagent_type": "planner" },
    }]);
    let main = [
        record(None, "user", "Plan task 12 with the planner."),
        record(None, "assistant", task),
    ];
    world.write(&format!("{FOLDER}/{SESSION}.jsonl"), main.concat());
    let text = reason(&world, &of("ae5a034"));
    assert!(
        text.contains("planner") && text.contains("plain text"),
        "{text}"
    );
    assert_eq!(call(&world, &of("a588fb4")), None, "nobody called it");
}

#[test]
fn without_a_verdict_the_transcript_of_a_background_agent_is_checked() {
    let world = World::new();
    let notification = captured(&world, "background-notification");
    assert_eq!(call(&world, &notification), None, "nothing is known of it");
    let prompt = record(Some(AGENT), "user", "Plan task 12.");
    transcript(&world, &[prompt, said(AGENT, "I have made the plan.")]);
    let sidecar = format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}.meta.json");
    world.write(&sidecar, r#"{"agentType":"planner","isBuiltIn":false}"#);
    let answer = call(&world, &notification).expect("an answer");
    let text = answer["hookSpecificOutput"]["additionalContext"].to_string();
    assert!(text.contains("The return of planner is invalid"), "{text}");
    world.write(&sidecar, r#"{"agentType":"Explore","isBuiltIn":true}"#);
    assert_eq!(call(&world, &notification), None, "it is not held");
}

#[test]
fn the_group_of_the_delegation_finds_the_handoff_file() {
    let compact = "--profile compact";
    let world = World::new();
    let mut returned = stop(&world, r#"{"status":"READY_FOR_QA"}"#);
    returned["agent_type"] = "developer".into();
    let mut start = returned.clone();
    start["hook_event_name"] = "SubagentStart".into();
    let answer = call_with(&world, compact, &start).expect("an answer");
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str();
    let told = told.expect("an instruction");
    assert!(
        !told.contains("{group}") && !told.contains("{session}"),
        "{told}"
    );
    let fallback = format!("If your task gives no session id, <session> is {SESSION}.");
    assert!(told.contains(&fallback), "{told}");
    for prompt in [
        "Build it. session_id: sess_1_a, group_id: AUTH",
        "Read bazinga/artifacts/sess_1_a/AUTH/handoffs/handoff_tech_lead.json first.",
    ] {
        transcript(&world, &[record(Some(AGENT), "user", prompt)]);
        let answer = call_with(&world, compact, &returned).expect("an answer");
        let path = "bazinga/artifacts/sess_1_a/AUTH/handoffs/handoff_developer.json";
        assert!(answer["reason"].to_string().contains(path), "{answer}");
    }
}

#[test]
fn the_caller_is_told_that_a_handoff_file_was_not_checked() {
    let compact = "--profile compact";
    let world = World::new();
    let mut returned = stop(&world, r#"{"status":"READY_FOR_QA"}"#);
    returned["agent_type"] = "developer".into();
    let prompt = "Build it. session_id: sess_1_a";
    transcript(&world, &[record(Some(AGENT), "user", prompt)]);
    assert_eq!(call_with(&world, compact, &returned), None);
    let notification = captured(&world, "background-notification");
    let answer = call_with(&world, compact, &notification).expect("an answer");
    let told = &answer["hookSpecificOutput"]["additionalContext"];
    let expected = "The handoff file of developer was not checked: the group is not known.";
    assert!(told.to_string().contains(expected), "{answer}");
    returned["agent_type"] = "project_manager".into();
    returned["last_assistant_message"] = r#"{"status":"CONTINUE"}"#.into();
    assert_eq!(call_with(&world, compact, &returned), None);
    assert_eq!(
        call_with(&world, compact, &notification),
        None,
        "it writes none"
    );
}

/// A call of an agent that has not begun.
fn calls(caller: Option<&str>, id: &str, agent: &str) -> String {
    let call = json!([{
        "type": "tool_use",
        "id": id,
        "name": "Agent",
        "input": { "description": "Plan", "prompt": "Plan it.", "subagent_type": agent },
    }]);
    record(caller, "assistant", call)
}

#[test]
fn the_instruction_names_the_delegation_as_far_as_it_is_known() {
    let world = World::new();
    let mut start = stop(&world, "");
    start["hook_event_name"] = "SubagentStart".into();
    start["agent_id"] = "a0new".into();
    start["agent_transcript_path"] = Value::Null;
    let told = || {
        let answer = call(&world, &start).expect("an answer");
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
        text.expect("an instruction").to_owned()
    };
    let path = "If your task gives no delegation path: [\"orchestrator\", ";
    let unknown = format!("{path}\"planner\"] and a delegation_depth of 1, or more if");
    assert!(told().contains(&unknown), "{}", told());
    let main = format!("{FOLDER}/{SESSION}.jsonl");
    let asked = record(None, "user", "Plan task 12.");
    world.write(&main, format!("{asked}{}", calls(None, "t1", "planner")));
    let first = format!("{path}\"planner\"] and a delegation_depth of 1.\n");
    assert!(told().contains(&first), "{}", told());
    // A subagent calls it.
    world.write(&main, format!("{asked}{}", calls(None, "t1", "conductor")));
    let conductor = record(Some(AGENT), "user", "Conduct it.");
    transcript(&world, &[conductor, calls(Some(AGENT), "t2", "planner")]);
    let sidecar = format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}.meta.json");
    world.write(
        &sidecar,
        r#"{"agentType":"conductor","toolUseId":"t1","spawnDepth":1}"#,
    );
    let nested = format!("{path}\"conductor\", \"planner\"] and a delegation_depth of 2.\n");
    assert!(told().contains(&nested), "{}", told());
    // More than is read for it: any of these may have called it, too.
    for number in 0..60 {
        let file = format!("{FOLDER}/{SESSION}/subagents/agent-b{number}");
        world.write(&format!("{file}.meta.json"), r#"{"agentType":"conductor"}"#);
        let big = fs::File::create(world.path(&format!("{file}.jsonl"))).expect("a file");
        big.set_len(100 << 30).expect("a sparse file");
    }
    assert!(told().contains(&unknown), "{}", told());
}

#[test]
fn a_handoff_file_in_a_fence_is_refused() {
    let options = "--profile compact --session tides_20260101 --group AUTH";
    let world = World::new();
    let mut returned = stop(&world, r#"{"status":"READY_FOR_QA"}"#);
    returned["agent_type"] = "developer".into();
    let handoff = fixtures().join("profiles/handoff/handoff_developer.json");
    let handoff = fs::read_to_string(handoff).expect("a handoff");
    let path = "project/bazinga/artifacts/tides_20260101/AUTH/handoffs/handoff_developer.json";
    for fence in ["", "```"] {
        world.write(path, format!("{fence}\n{handoff}\n{fence}\n"));
        let answer = call_with(&world, options, &returned).unwrap_or_default();
        let text = answer.to_string();
        assert_eq!(text.contains("fence"), !fence.is_empty(), "{text}");
    }
}

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
    let last = if said_last {
        said(AGENT, &message)
    } else {
        said(AGENT, "I will return now.")
    };
    transcript(world, &[task, call.to_owned(), last]);
    stop(world, &message)
}

#[test]
fn an_agent_that_did_not_do_its_work_is_sent_back_once_and_its_caller_is_told() {
    let world = World::new();
    let read = called("Read", &json!({ "file_path": "docs/tides.md" }));
    let stop = stop_after(&world, &read, true);
    let text = reason(&world, &stop);
    let fact = "You did not write your artifact: docs/tides.md (no call of yours wrote it; you used only Read)";
    assert!(text.contains(fact), "{text}");
    let fact = "rtifact was not written by the agent: docs/tides.md (no call wrote it; the agent used only Read)";
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
fn no_agent_is_sent_back_for_what_is_unknown() {
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

#[test]
fn the_commit_at_the_start_is_the_one_that_files_are_compared_with() {
    let world = World::new();
    world.commit_project();
    let mut start = captured(&world, "background-stop");
    start["hook_event_name"] = "SubagentStart".into();
    start
        .as_object_mut()
        .expect("an object")
        .remove("last_assistant_message");
    assert!(call(&world, &start).is_some());
    let make = called("Bash", &json!({ "command": "make" }));
    let stop = stop_after(&world, &make, true);
    let text = call_with(&world, "--strict", &stop)
        .expect("an answer")
        .to_string();
    assert!(
        text.contains("artifact is the same as in the base commit: docs/tides.md"),
        "{text}"
    );
    fs::write(world.path("project/docs/tides.md"), "New tides.\n").expect("a file");
    let again = call_with(&world, "", &stop);
    assert_eq!(again, None);
}

#[test]
fn a_pipe_in_place_of_a_transcript_is_not_waited_for() {
    let world = World::new();
    let pipe = world.path("agent-a1.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let mut stop = stop(&world, "Done.");
    stop["agent_transcript_path"] = pipe.display().to_string().into();
    assert!(reason(&world, &stop).contains("not"), "it is sent back");
}
