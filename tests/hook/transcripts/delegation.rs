//! The session and the group in an agent's task, and the instruction that the agent gets.

use std::fs;

use serde_json::{Value, json};

use super::{
    AGENT, FOLDER, SESSION, call, call_with, captured, reason, record, stop, transcript, valid,
};
use crate::common::{World, fixtures};

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
fn a_session_id_that_the_task_only_mentions_is_not_expected() {
    for prompt in [
        "Read the log of session_id=sess_1763000000_old111 and plan.",
        "Plan. The docs show session_id: sess_1763000000_old111 as an example.",
    ] {
        let world = World::new();
        transcript(&world, &[record(Some(AGENT), "user", prompt)]);
        let mut start = stop(&world, "");
        start["hook_event_name"] = "SubagentStart".into();
        call(&world, &start);
        assert_eq!(
            call(&world, &stop(&world, &valid(SESSION))),
            None,
            "{prompt}"
        );
    }
}

#[test]
fn the_clients_session_id_counts_if_the_task_contains_it() {
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
