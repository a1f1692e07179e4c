//! An agent of a workflow that has a schema ends by a tool, and its client takes no refusal at its stop.

use crate::common::World;
use serde_json::{Value, json};

use super::{LOG, call, captured, records};

const OPTIONS: &str = "--errors-json errors.json --agents planner";
const SESSION: &str = "f526fd5b-f916-4f75-b1f2-b87d9a44b1f2";
const AGENT: &str = "a30871f5980e816ce";

/// The stop of an agent whose record has a call of this tool.
fn stop(world: &World, tool: &str) -> Value {
    let line = |kind: &str, content: &Value| {
        let record = json!({
            "type": kind, "sessionId": SESSION, "agentId": AGENT, "isSidechain": true,
            "message": { "id": kind, "content": content }
        });
        record.to_string() + "\n"
    };
    let call = json!([{ "type": "tool_use", "id": "t", "name": tool, "input": { "status": "completed" } }]);
    let text = line("user", &json!("Plan the tide tables.")) + &line("assistant", &call);
    let path = format!("config/{SESSION}/subagents/workflows/wf_1/agent-{AGENT}.jsonl");
    world.write(&path, text);
    let mut stop = captured(world, "schema-stop");
    stop["agent_transcript_path"] = json!(world.path(&path));
    stop
}

fn handed_in(world: &World) -> Value {
    let mut call = captured(world, "handback-call");
    call["session_id"] = SESSION.into();
    call["agent_id"] = AGENT.into();
    call["agent_type"] = "planner".into();
    call["tool_name"] = "StructuredOutput".into();
    call["tool_input"] = json!({ "status": "completed" });
    call
}

/// What the caller of the workflow is told.
fn told(world: &World) -> String {
    let notification = captured(world, "schema-notification");
    let answer = call(world, OPTIONS, &notification).unwrap_or_default();
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
    assert_eq!(call(world, OPTIONS, &notification), None, "told once");
    text.unwrap_or_default().to_owned()
}

#[test]
fn a_return_that_no_hook_has_checked_could_not_be_enforced() {
    let world = World::new();
    let answer = call(&world, OPTIONS, &stop(&world, "StructuredOutput")).expect("an answer");
    let why = "The return of planner could not be enforced: it was given to a workflow by a call that no \
               hook checked";
    let text = format!("{why}. Install the hook again for the event of such calls.\n");
    assert_eq!(answer, json!({ "systemMessage": format!("retval: {text}") }));
    assert_eq!(told(&world), text);
    let records = records(&world);
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["type"], "not_checked");
    assert_eq!(records[0]["message"], why);
}

#[test]
fn a_refusal_that_the_client_ignored_could_not_be_enforced() {
    let world = World::new();
    let answer = call(&world, OPTIONS, &handed_in(&world)).expect("an answer");
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    call(&world, OPTIONS, &stop(&world, "StructuredOutput"));
    let text = told(&world);
    let head =
        "The return of planner could not be enforced: the client took it when it was refused. ";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("do not rely on it"), "{text}");
    let log = records(&world);
    let message = log[0]["message"].as_str();
    assert!(log.len() == 1 && message == head.strip_suffix(". "), "{log:?}");
}

#[test]
fn the_caller_of_a_workflow_is_told_of_an_invalid_return_that_was_accepted() {
    let world = World::new();
    for _ in 0..2 {
        call(&world, OPTIONS, &handed_in(&world));
    }
    assert_eq!(call(&world, OPTIONS, &stop(&world, "StructuredOutput")), None);
    let text = told(&world);
    assert!(text.starts_with("The return of planner is invalid"), "{text}");
}

#[test]
fn nothing_is_said_of_an_agent_that_nobody_named_or_that_may_have_ended_otherwise() {
    for (options, tool) in [(LOG, "StructuredOutput"), (OPTIONS, "Read")] {
        let world = World::new();
        assert_eq!(call(&world, options, &stop(&world, tool)), None, "{tool}");
        assert_eq!(told(&world), "", "{tool}");
        assert!(records(&world).is_empty(), "{tool}");
    }
}
