//! Agents that end by an error, or whose caller ends them, in clients where only the caller's call tells.

use crate::common::World;
use serde_json::Value;

use super::{LOG, call, captured, records};

const PROFILE: &str = "--profile any --errors-json errors.json";

fn told(answer: Option<&Value>) -> &str {
    let text = answer.and_then(|it| it.pointer("/hookSpecificOutput/additionalContext")?.as_str());
    text.unwrap_or_else(|| panic!("{answer:?}"))
}

/// A payload of Codex about the agent with this id.
fn about(world: &World, name: &str, id: &str) -> Value {
    let mut payload = captured(world, name);
    let old = captured(world, "codex-failed-waited")["tool_input"]["targets"][0].clone();
    for old in [&old, &captured(world, "codex-closed")["tool_input"]["target"]] {
        let text = payload.to_string().replace(old.as_str().expect("an id"), id);
        payload = serde_json::from_str(&text).expect("JSON");
    }
    payload["session_id"] = captured(world, "codex-stop")["session_id"].clone();
    payload
}

fn start(world: &World, id: &str) {
    let mut start = captured(world, "codex-start");
    start["session_id"] = captured(world, "codex-stop")["session_id"].clone();
    start["agent_id"] = id.into();
    start["agent_type"] = "planner".into();
    call(world, PROFILE, &start);
}

#[test]
fn an_agent_of_codex_that_failed_is_recorded_and_told_once() {
    let world = World::new();
    start(&world, "a1");
    let waited = about(&world, "codex-failed-waited", "a1");
    let answer = call(&world, PROFILE, &waited);
    let expected = "planner ended by an error without a return. Do not rely on its work.\n";
    assert_eq!(told(answer.as_ref()), expected);
    assert_eq!(call(&world, PROFILE, &waited), None, "its caller waits again");
    let records = records(&world);
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["type"], "agent_failed");
    let message = records[0]["message"].as_str().expect("a message");
    assert!(message.starts_with("planner ended by an error without a return: {"), "{message}");
    assert!(message.contains("the model fails"), "{message}");
}

#[test]
fn an_agent_of_codex_that_is_ended_after_a_refusal_is_told_with_the_refusal() {
    for (name, how) in
        [("codex-failed-waited", "ended by an error"), ("codex-closed", "was stopped")]
    {
        let world = World::new();
        let stop = captured(&world, "codex-stop");
        let id = stop["agent_id"].as_str().expect("an id");
        let event = about(&world, name, id);
        if name == "codex-closed" {
            assert_eq!(call(&world, LOG, &event), None, "nothing was refused");
        }
        assert!(call(&world, LOG, &stop).is_some());
        let answer = call(&world, LOG, &event);
        let text = told(answer.as_ref());
        let expected = format!(
            "planner {how} before it corrected a return that was refused. The return of planner is invalid"
        );
        assert!(text.starts_with(&expected), "{text}");
        assert_eq!(call(&world, LOG, &event), None, "once");
        assert_eq!(records(&world).len(), 1);
    }
}

#[test]
fn a_return_that_was_corrected_is_not_told_when_its_agent_is_closed() {
    let world = World::new();
    let mut stop = captured(&world, "codex-stop");
    assert!(call(&world, LOG, &stop).is_some());
    world.write("project/specs/12/plan.md", "# Plan\n");
    stop["stop_hook_active"] = true.into();
    assert_eq!(call(&world, LOG, &stop), None);
    let closed = about(&world, "codex-closed", stop["agent_id"].as_str().expect("an id"));
    assert_eq!(call(&world, LOG, &closed), None);
    assert!(records(&world).is_empty());
}

#[test]
fn an_agent_of_copilot_cli_that_failed_is_recorded_and_told() {
    let world = World::new();
    let mut failed = captured(&world, "copilot-failed");
    let answer = call(&world, LOG, &failed).expect("an answer");
    let expected = "planner ended by an error without a return. Do not rely on its work.\n";
    assert_eq!(answer["additionalContext"], expected);
    let records = records(&world);
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["type"], "agent_failed");
    assert_eq!(records[0]["context"]["client"], "copilot");
    let message = records[0]["message"].as_str().expect("a message");
    assert_eq!(message, "The agent ended without a return: 400 the model fails");
    failed["toolName"] = "read_agent".into();
    assert_eq!(call(&world, LOG, &failed), None, "it may only have waited too long");
}
