//! The caller of an agent in Codex is told when it has waited, or when the main agent ends.

use crate::common::World;
use serde_json::{Value, json};

use super::{call, captured};

/// A world in which an invalid return of an agent was accepted.
fn accepted(stop: &str) -> World {
    let world = World::new();
    let mut stop = captured(&world, stop);
    assert_eq!(call(&world, "", &stop).expect("an answer")["decision"], "block");
    stop["stop_hook_active"] = true.into();
    let note = call(&world, "", &stop).expect("an answer");
    assert!(note["systemMessage"].is_string(), "{note}");
    world
}

fn reason(answer: Option<&Value>) -> &str {
    let text = answer.map_or(&Value::Null, |answer| &answer["reason"]);
    text.as_str().unwrap_or_default()
}

#[test]
fn a_caller_that_waits_is_told_once_in_both_modes() {
    for mode in ["codex", "codex-v2"] {
        let world = accepted(&format!("{mode}-stop"));
        let waited = captured(&world, &format!("{mode}-waited"));
        let answer = call(&world, "", &waited).expect("an answer");
        let told = &answer["hookSpecificOutput"];
        assert_eq!(told["hookEventName"], "PostToolUse");
        let text = told["additionalContext"].as_str().expect("a text");
        assert!(text.contains("do not rely on it") && text.contains("specs/12/plan.md"), "{text}");
        assert_eq!(call(&world, "", &waited), None);
        let mut end = captured(&world, "codex-main-stop");
        end["session_id"] = waited["session_id"].clone();
        assert_eq!(call(&world, "", &end), None);
    }
}

#[test]
fn a_main_agent_that_never_waits_is_told_once_before_it_ends() {
    let world = accepted("codex-stop");
    let mut end = captured(&world, "codex-main-stop");
    end["stop_hook_active"] = true.into();
    assert_eq!(call(&world, "", &end), None, "another hook makes it go on");
    end["stop_hook_active"] = false.into();
    let answer = call(&world, "", &end);
    assert!(reason(answer.as_ref()).contains("do not rely on it"), "{answer:?}");
    assert_eq!(call(&world, "", &end), None);
}

#[test]
fn only_what_is_about_these_agents_is_told() {
    let world = accepted("codex-stop");
    let mut waited = captured(&world, "codex-waited");
    waited["tool_response"] = r#"{"status":{"another":{"completed":""}}}"#.into();
    assert_eq!(call(&world, "", &waited), None, "another agent");
    waited["tool_response"] = r#"{"message":"Wait completed."}"#.into();
    waited["agent_id"] = "another".into();
    assert_eq!(call(&world, "", &waited), None, "another caller");
    let mut end = captured(&world, "codex-main-stop");
    end["session_id"] = "another".into();
    assert_eq!(call(&world, "", &end), None, "another session");
    assert!(call(&world, "", &captured(&world, "codex-waited")).is_some());
}

#[test]
fn nothing_is_told_of_an_agent_that_returned_again_and_well() {
    let world = accepted("codex-stop");
    world.write("project/specs/12/plan.md", "# Plan\n");
    let stop = captured(&world, "codex-stop");
    assert_eq!(call(&world, "", &stop), None);
    assert_eq!(call(&world, "", &captured(&world, "codex-main-stop")), None);
}

#[test]
fn several_agents_are_told_of_together() {
    let world = accepted("codex-stop");
    let mut other = captured(&world, "codex-stop");
    other["agent_id"] = "second".into();
    other["agent_type"] = "builder".into();
    call(&world, "--retries 0", &other);
    let answer = call(&world, "", &captured(&world, "codex-main-stop"));
    let text = reason(answer.as_ref());
    assert!(text.contains("return of planner") && text.contains("return of builder"), "{text}");
    assert!(text.contains("Agent second: "), "{text}");
}

#[test]
fn a_tool_that_is_none_of_them_is_left_alone() {
    let world = accepted("codex-stop");
    let mut waited = captured(&world, "codex-waited");
    waited["tool_name"] = json!("exec_command");
    assert_eq!(call(&world, "", &waited), None);
}
