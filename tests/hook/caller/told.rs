//! What the hook reports to the caller of an agent, and what it records.

use serde_json::Value;

use super::{LOG, call, captured, records};
use crate::common::{self, World, stdout};

#[test]
fn the_caller_of_a_background_agent_is_told_with_the_notification() {
    let world = World::new();
    let options = "--session sess_1735460684_a1b2c3 --errors-json errors.json";
    let stop = captured(&world, "background-stop");
    let answer = call(&world, options, &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(reason.contains("This is the last time"), "{reason}");
    let again = captured(&world, "background-stop-again");
    let answer = call(&world, options, &again).expect("an answer");
    assert!(answer["decision"].is_null(), "{answer}");
    assert_eq!(call(&world, options, &captured(&world, "user-prompt")), None);
    let notification = captured(&world, "background-notification");
    let answer = call(&world, options, &notification).expect("an answer");
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "UserPromptSubmit");
    let text = told["additionalContext"].as_str().expect("text");
    assert!(
        text.starts_with("The return of planner is invalid; do not rely on it.")
            && text.contains("Artifact does not exist: specs/12/plan.md")
            && text.contains("treat it as failed"),
        "{text}"
    );
    assert_eq!(records(&world).len(), 1);
    assert_eq!(call(&world, options, &notification), None, "it is told once");
}

#[test]
fn an_accepted_return_is_not_checked_again_after_the_client_has_rewritten_it() {
    let world = World::new();
    let mut result = captured(&world, "tags-result");
    let content = result["tool_response"]["content"].clone();
    assert!(content.to_string().contains("<\\\\system-reminder>"), "{content}");
    let text = &mut result["tool_response"]["content"];
    text.as_array_mut().expect("blocks").remove(0);
    let answer = call(&world, "", &result).expect("an answer");
    assert_eq!(answer["decision"], "block", "the text alone is broken");
    result["tool_response"]["content"] = content;
    let answer = call(&world, "--rule errors-missing=off", &result);
    assert_eq!(answer, None, "what the client says that it wrote is undone");
    let stop = captured(&world, "tags-stop");
    assert_eq!(call(&world, "--rule errors-missing=off", &stop), None);
    assert_eq!(call(&world, "", &result), None);
}

#[test]
fn the_result_of_a_nested_agent_is_its_own_and_not_its_callers() {
    let world = World::new();
    let mut result = captured(&world, "tags-result");
    result["agent_id"] = "a0".into();
    result["agent_type"] = "conductor".into();
    result["tool_response"]["content"] = "Done.".into();
    let answer = call(&world, "--agents planner", &result).expect("an answer");
    assert!(answer["reason"].to_string().contains("The return of planner is invalid"), "{answer}");
    assert_eq!(call(&world, "--agents conductor", &result), None);
}

#[test]
fn copilot_gets_a_valid_failed_return_in_place_of_an_invalid_one() {
    let world = World::new();
    let answer = call(&world, "", &captured(&world, "copilot-stop-again")).expect("an answer");
    let failed = answer["modifiedResponse"].as_str().expect("a return");
    let output = common::piped(&world, "--agent planner --extract", failed);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let failed: Value = serde_json::from_str(failed).expect("JSON");
    assert_eq!(failed["status"], "failed");
}

#[test]
fn an_agent_that_ended_by_an_error_is_recorded_once() {
    let world = World::new();
    for name in ["failed-stop", "failed-result"] {
        assert_eq!(call(&world, LOG, &captured(&world, name)), None, "{name}");
    }
    let records = records(&world);
    assert_eq!(records.len(), 1, "{records:?}");
    assert_eq!(records[0]["type"], "agent_failed");
    assert_eq!(records[0]["context"]["agent_type"], "planner");
    assert_eq!(
        records[0]["message"],
        "The agent ended without a return: API Error: 400 lab: the subagent's model call fails"
    );
    // Clients call hooks at once.
    let world = World::new();
    for name in ["failed-result", "failed-stop", "failed-stop"] {
        assert_eq!(call(&world, LOG, &captured(&world, name)), None, "{name}");
    }
    assert_eq!(super::records(&world).len(), 2, "the second is another");
    // In some versions the text of the error is a result like any other.
    let world = World::new();
    let mut result = captured(&world, "tags-result");
    let mut stop = captured(&world, "failed-stop");
    result["session_id"] = stop["session_id"].clone();
    result["tool_response"]["content"] = "API Error: 400".into();
    stop["agent_id"] = result["tool_response"]["agentId"].clone();
    call(&world, LOG, &stop);
    let told = call(&world, LOG, &result).expect("an answer");
    assert_eq!(told["decision"], "block", "{told}");
    assert_eq!(super::records(&world).len(), 1);
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(super::records(&world).len(), 2, "that is another one");
    // That event may come first, too.
    let world = World::new();
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(call(&world, LOG, &stop), None);
    assert_eq!(super::records(&world).len(), 1);
    assert_eq!(call(&world, LOG, &stop), None);
    assert_eq!(super::records(&world).len(), 2, "it failed again");
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(super::records(&world).len(), 2, "and that was its result");
    let world = World::new();
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(call(&world, LOG, &captured(&world, "failed-stop")), None);
    assert_eq!(super::records(&world).len(), 2, "of another agent");
    let world = World::new();
    assert_eq!(call(&world, LOG, &captured(&world, "failed-stop")), None);
    assert!(call(&world, LOG, &result).is_some());
    assert_eq!(super::records(&world).len(), 2, "of another agent");
    let world = World::new();
    let mut silent = captured(&world, "failed-stop");
    let members = silent.as_object_mut().expect("an object");
    members.retain(|name, _| !name.contains("error") && name != "last_assistant_message");
    assert_eq!(call(&world, LOG, &silent), None);
    assert_eq!(super::records(&world)[0]["message"], "The agent ended without a return");
    let world = World::new();
    assert_eq!(call(&world, LOG, &captured(&world, "gemini-failed")), None);
    let records = super::records(&world);
    assert!(
        records[0]["message"].to_string().contains("did not call 'complete_task'"),
        "{records:?}"
    );
}

#[test]
fn agents_of_one_name_that_fail_at_once_are_recorded_once_each() {
    let of = |world: &World, name: &str, agent: &str| {
        let mut payload = captured(world, name);
        payload["session_id"] = "s".into();
        if name == "failed-stop" {
            payload["agent_id"] = agent.into();
        }
        if name == "tags-result" {
            payload["tool_response"]["agentId"] = agent.into();
            payload["tool_response"]["content"] = "API Error: 400".into();
        }
        payload
    };
    for caller in ["tags-result", "failed-result"] {
        let events = [("failed-stop", "a1"), (caller, "a1"), ("failed-stop", "b2"), (caller, "b2")];
        for order in orders() {
            let world = World::new();
            for (name, agent) in order.map(|at| events[at]) {
                call(&world, LOG, &of(&world, name, agent));
            }
            assert_eq!(records(&world).len(), 2, "{caller}: {order:?}");
        }
    }
}

/// All orders of four events.
fn orders() -> Vec<[usize; 4]> {
    let numbers = || 0..4;
    let all = numbers().flat_map(|a| numbers().map(move |b| [a, b]));
    let all = all.flat_map(|[a, b]| numbers().map(move |c| [a, b, c]));
    let all = all.filter(|[a, b, c]| a != b && b != c && a != c);
    all.map(|[a, b, c]| [a, b, c, 6 - a - b - c]).collect()
}
