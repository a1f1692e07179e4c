//! Agents that are held to a standard of one's own, in text.

use crate::common::{World, feed, stdout};
use serde_json::{Value, json};

const OPTIONS: &str =
    "hook --config standards/labelled-report/retval.toml --profile implementer --root project";

/// The answer to an event. None if there is no answer.
fn answer(world: &World, event: &str, agent: &str, message: &str) -> Option<Value> {
    let payload = json!({
        "hook_event_name": event,
        "session_id": "s1",
        "cwd": world.path(""),
        "agent_id": agent,
        "agent_type": "implementer",
        "last_assistant_message": message,
    });
    let mut retval = world.retval();
    let output = feed(retval.args(OPTIONS.split(' ')), payload.to_string());
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_str(&stdout(&output)).ok()
}

#[test]
fn an_agent_is_told_and_asked_again_in_the_words_of_its_form() {
    let world = World::with("standards");
    let start = answer(&world, "SubagentStart", "a1", "").expect("an answer");
    let told = &start["hookSpecificOutput"]["additionalContext"];
    let told = told.as_str().expect("a text");
    let begin = "RETURN FORMAT\nYour final report must have this form:\n\nStatus: DONE\n";
    assert!(told.starts_with(begin), "{told}");
    let stop = answer(&world, "SubagentStop", "a1", "All done.").expect("an answer");
    assert_eq!(
        stop["reason"],
        "\
Your return was not accepted. Correct each of these:
1. Missing required field: Status. Include all required fields: add a line `Status:` with one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT.
The form is:
Status: DONE
Report: `path/of/the/file.md`
Tests: ...
Write the complete report again, with nothing else. It replaces the previous one.
This is the last time you are asked. If you cannot correct it, do not claim success: return the complete report with a status that says that the task failed, and say why.
"
    );
}

#[test]
fn a_report_that_keeps_its_standard_is_let_go_even_in_a_fence() {
    let world = World::with("standards");
    let report = "Status: DONE\nTests: 14/14\nReport: docs/tides.md\n";
    let plain = answer(&world, "SubagentStop", "a2", report);
    assert_eq!(plain, None);
    let fenced = format!("```\n{report}```\n");
    assert_eq!(answer(&world, "SubagentStop", "a3", &fenced), None);
}
