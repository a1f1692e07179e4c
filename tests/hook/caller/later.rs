//! What was not told with a result in Claude Code is told before the main agent ends, once.

use crate::common::World;
use serde_json::{Value, json};

use super::{LOG, call, captured, records};

/// A world in which an invalid return of this agent was accepted.
fn accepted(stop: &str) -> World {
    let world = World::new();
    let mut stop = captured(&world, stop);
    let refused = call(&world, LOG, &stop).expect("an answer");
    assert_eq!(refused["decision"], "block");
    stop["stop_hook_active"] = true.into();
    let note = call(&world, LOG, &stop).expect("an answer");
    assert!(note["systemMessage"].is_string(), "{note}");
    world
}

/// The end of the main agent in the session of another payload.
fn end(world: &World, of: &str) -> Value {
    let mut end = captured(world, "main-stop");
    end["session_id"] = captured(world, of)["session_id"].clone();
    end
}

#[test]
fn the_result_of_a_skill_tells_its_caller_and_the_end_does_not_again() {
    let world = accepted("skill-stop");
    let told = call(&world, LOG, &captured(&world, "skill-result")).expect("an answer");
    let reason = told["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("The return of planner is invalid; do not rely on it."), "{reason}");
    assert_eq!(told["decision"], "block");
    assert_eq!(call(&world, LOG, &end(&world, "skill-stop")), None);
    assert_eq!(records(&world).len(), 1);
    // A skill that is no agent.
    let mut inline = captured(&world, "skill-result");
    inline["tool_response"] = json!({ "success": true, "commandName": "plan-tides" });
    assert_eq!(call(&world, LOG, &inline), None);
}

#[test]
fn the_result_of_a_resumed_agent_tells_its_caller() {
    let world = World::new();
    let result = captured(&world, "resumed-result");
    let mut stop = captured(&world, "skill-stop");
    stop["session_id"] = result["session_id"].clone();
    stop["agent_id"] = result["tool_response"]["pin"]["id"].clone();
    stop["last_assistant_message"] = "prose".into();
    assert!(call(&world, LOG, &stop).is_some());
    stop["stop_hook_active"] = true.into();
    call(&world, LOG, &stop);
    let told = call(&world, LOG, &result).expect("an answer");
    assert_eq!(told["decision"], "block");
    assert_eq!(call(&world, LOG, &end(&world, "resumed-result")), None);
    // A message that is only sent brings no report.
    let mut sent = result;
    sent["tool_response"] = json!({ "success": true, "message": "Resumed agent." });
    assert_eq!(call(&world, LOG, &sent), None);
}

#[test]
fn the_end_tells_what_no_result_has_told_and_no_result_tells_it_then() {
    let world = accepted("skill-stop");
    let mut end = end(&world, "skill-stop");
    end["background_tasks"] = json!([{ "id": "a1", "type": "subagent", "status": "running" }]);
    assert_eq!(call(&world, LOG, &end), None, "it is woken by another agent");
    end["background_tasks"] = json!([{ "id": "b1", "type": "shell", "status": "running" }]);
    end["stop_hook_active"] = true.into();
    assert_eq!(call(&world, LOG, &end), None, "another hook makes it go on");
    end["stop_hook_active"] = false.into();
    let told = call(&world, LOG, &end).expect("an answer");
    let reason = told["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("The return of planner is invalid; do not rely on it."), "{reason}");
    assert_eq!(told["decision"], "block");
    assert_eq!(call(&world, LOG, &end), None, "once");
    assert_eq!(call(&world, LOG, &captured(&world, "skill-result")), None);
    assert_eq!(records(&world).len(), 1);
}

#[test]
fn a_warning_alone_does_not_make_the_main_agent_go_on() {
    let world = World::new();
    let plan = world.write("project/specs/12/plan.md", "# Plan\n");
    let mut stop = captured(&world, "skill-stop");
    let message = stop["last_assistant_message"].as_str().expect("a text");
    let absolute = message.replace("specs/12/plan.md", &plan.display().to_string());
    stop["last_assistant_message"] = absolute.into();
    let options = format!("--session {}", stop["session_id"].as_str().expect("an id"));
    assert_eq!(call(&world, &options, &stop), None);
    assert_eq!(call(&world, &options, &end(&world, "skill-stop")), None);
    let told = call(&world, &options, &captured(&world, "skill-result")).expect("an answer");
    let text = &told["hookSpecificOutput"]["additionalContext"];
    assert!(text.to_string().contains("accepted with warnings"), "{told}");
}
