//! Qwen Code: its agents are asked again, and their callers told after the call or before the main agent ends.

use crate::common::World;
use serde_json::{Value, json};

use super::{call, captured};

/// A world in which an invalid return of an agent was accepted.
fn accepted() -> World {
    let world = World::new();
    assert!(call(&world, "", &captured(&world, "qwen-start")).is_some());
    let mut stop = captured(&world, "qwen-stop");
    let answer = call(&world, "", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    stop["stop_hook_active"] = true.into();
    let note = call(&world, "", &stop).expect("an answer");
    assert!(note["systemMessage"].is_string(), "{note}");
    world
}

#[test]
fn a_caller_that_waited_is_told_once() {
    let world = accepted();
    let mut failed = captured(&world, "qwen-waited");
    failed["tool_response"]["returnDisplay"]["status"] = "background".into();
    assert_eq!(call(&world, "", &failed), None, "it only began");
    let waited = captured(&world, "qwen-waited");
    let answer = call(&world, "", &waited).expect("an answer");
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str();
    let is_told = |text: &str| text.contains("do not rely on it") && text.contains("plan.md");
    assert!(told.is_some_and(is_told), "{answer}");
    assert_eq!(call(&world, "", &waited), None);
    assert_eq!(call(&world, "", &captured(&world, "qwen-main-stop")), None);
}

#[test]
fn a_caller_that_went_on_is_told_before_it_ends() {
    let world = accepted();
    let end = captured(&world, "qwen-main-stop");
    let answer = call(&world, "", &end).expect("an answer");
    assert_eq!(answer["decision"], "block");
    assert_eq!(call(&world, "", &end), None);
}

#[test]
fn a_call_that_gives_only_the_id_of_its_agent_is_refused() {
    let world = World::new();
    let start = captured(&world, "qwen-start");
    let mut handed_in = start.clone();
    handed_in["hook_event_name"] = "PreToolUse".into();
    handed_in["agent_type"] = Value::Null;
    handed_in["tool_name"] = "mcp__results__write_result".into();
    handed_in["tool_input"] = json!({ "message": "{}" });
    let options = "--tool *write_result";
    assert_eq!(call(&world, options, &handed_in), None, "nobody knows it");
    call(&world, options, &start);
    let answer = call(&world, options, &handed_in).expect("an answer");
    let decision = &answer["hookSpecificOutput"]["permissionDecision"];
    assert_eq!(*decision, "deny", "{answer}");
}
