//! The answers of an agent that is resumed after its return was accepted.

use std::fs;

use serde_json::Value;

use super::{VALID, call, payload};
use crate::common::World;

/// The end of the agent with this id.
fn stop_of(world: &World, id: &str, message: &str) -> Value {
    let mut stop = payload(world, "claude-code-stop", message);
    stop["agent_id"] = id.into();
    stop
}

/// The answer to a message of an agent whose return was accepted before.
fn resumed(world: &World, options: &str, id: &str, message: &str) -> Option<Value> {
    assert_eq!(call(world, options, &stop_of(world, id, VALID)), None);
    call(world, options, &stop_of(world, id, message))
}

/// A return that claims a file that is not there.
fn phantom() -> String {
    VALID.replace("docs/tides.md", "docs/none.md")
}

#[test]
fn a_message_with_a_status_is_a_report_and_checked() {
    let world = World::new();
    let phantom = phantom();
    for (number, message) in [
        phantom.clone(),
        phantom.replace("\"status\"", "\"\\u0073tatus\""),
        format!("Done.\n```json\n{phantom}\n```\n"),
        format!("I made it: {phantom}"),
        phantom.replace("completed", "done"),
        String::new(),
        "\u{feff}\u{2060}\n".to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let answer = resumed(&world, "", &format!("agent-{number}"), message);
        let decision = answer.as_ref().map(|answer| &answer["decision"]);
        assert_eq!(decision, Some(&"block".into()), "{message}: {answer:?}");
    }
}

#[test]
fn a_message_without_a_status_is_an_answer() {
    let world = World::new();
    for (number, message) in [
        "Phase two computes the tables.",
        "12",
        "{}",
        "{\"artifacts\": [{\"path\": \"docs/none.md\"}]}",
        "Status: the plan is done.\nSummary: three phases.\n",
        "- `status`: says whether it worked\n- `summary`: what was done, in short\n",
        "The run is over:\n```\nstatus: completed\nconclusion: success\n```\n",
        "```rust\nTask {\n    status: Status::Open,\n    summary: title.into(),\n}\n```",
    ]
    .iter()
    .enumerate()
    {
        let answer = resumed(&world, "", &format!("agent-{number}"), message);
        assert_eq!(answer, None, "{message}");
    }
}

#[test]
fn what_replaces_an_accepted_return_is_no_free_answer() {
    let world = World::new();
    let options = "--errors-json errors.json";
    assert_eq!(call(&world, options, &stop_of(&world, "a1", VALID)), None);
    // Another hook did not let it stop, and now this is what its caller gets.
    let mut prose = stop_of(&world, "a1", "All tests are green now.");
    prose["stop_hook_active"] = true.into();
    let answer = call(&world, options, &prose).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    let note = call(&world, options, &prose).expect("an answer");
    assert!(note["systemMessage"].is_string(), "{note}");
    let mut result = payload(&world, "claude-code-tool", "All tests are green now.");
    result["tool_response"]["agentId"] = "a1".into();
    let told = call(&world, options, &result).expect("an answer");
    assert_eq!(told["decision"], "block", "{told}");
    assert!(world.path("errors.json").exists());
}

#[test]
fn an_answer_in_prose_leaves_the_accepted_file_as_it_is() {
    let options =
        "--profile return-meta --return-file specs/*/.return-meta.json --errors-json errors.json";
    let fixture = "profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json";
    let text = fs::read_to_string(super::fixtures().join(fixture)).expect("a fixture");
    let text = text.replace("planner-agent", "planner");
    let text = text.replace("sess_1767225600_k3m9qa", "5f2c");
    for starts in [true, false] {
        let world = World::new();
        let start = || {
            let start = payload(&world, "claude-code-start", "");
            starts.then(|| call(&world, options, &start)).flatten()
        };
        let stop = |message: &str| call(&world, options, &stop_of(&world, "a1", message));
        assert_eq!(start().is_some(), starts, "the instruction");
        world.write("project/specs/1/.return-meta.json", &text);
        assert_eq!(stop("The plan is made."), None);
        assert_eq!(start(), None, "it has the instruction");
        assert_eq!(stop("Phase two computes the tables."), None);
        let result = payload(&world, "claude-code-tool", "Phase two computes the tables.");
        assert_eq!(call(&world, options, &result), None, "nobody is warned");
        assert!(!world.path("errors.json").exists(), "nothing is recorded");
        // What it writes now is checked, whatever it says.
        let broken = text.replace("\"planned\"", "\"in_progress\"");
        world.write("project/specs/1/.return-meta.json", broken);
        let answer = stop("Phase two is planned, too.").expect("an answer");
        let reason = answer["reason"].as_str().expect("a reason");
        assert!(reason.contains("still in_progress"), "{reason}");
    }
    // A return in place of the answer needs its file.
    let world = World::new();
    world.write("project/specs/1/.return-meta.json", &text);
    assert_eq!(call(&world, options, &stop_of(&world, "a1", "Done.")), None);
    // Later than the clock of files is wrong by.
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert_eq!(call(&world, options, &payload(&world, "claude-code-start", "")), None);
    let answer = call(&world, options, &stop_of(&world, "a1", VALID)).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("No file written by this agent"), "{reason}");
}
