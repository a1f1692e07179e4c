//! The session and the group in an agent's task, and the instruction that the agent gets.

use std::fs;

use super::{AGENT, SESSION, call, call_with, reason, record, stop, transcript, valid};
use crate::common::{World, fixtures};

#[test]
fn the_session_id_of_the_delegation_counts() {
    let world = World::new();
    let prompt = "Plan task 12. session_id: sess_1735460684_a1b2c3";
    transcript(&world, &[record(Some(AGENT), "user", prompt)]);
    assert_eq!(call(&world, &stop(&world, &valid("sess_1735460684_a1b2c3"))), None);
    let text = reason(&world, &stop(&world, &valid(SESSION)));
    assert!(text.contains("sess_1735460684_a1b2c3"), "{text}");
}

#[test]
fn no_session_id_is_expected_of_a_task_that_has_the_word_in_another_form() {
    for prompt in [
        "Read the log of session_id=sess_1763000000_old111 and plan.",
        "Plan for the session sess_1763000000_old111.",
        "Plan. For example:\n```\nsession_id: sess_1763000000_old111\n```\n",
        "Use session_id: sess_1 or session_id: sess_2.",
    ] {
        let world = World::new();
        transcript(&world, &[record(Some(AGENT), "user", prompt)]);
        let mut start = stop(&world, "");
        start["hook_event_name"] = "SubagentStart".into();
        call(&world, &start);
        for session in [SESSION, "another"] {
            let answer = call(&world, &stop(&world, &valid(session)));
            assert_eq!(answer, None, "{prompt}");
        }
    }
}

#[test]
fn the_clients_session_id_counts_if_the_task_contains_it() {
    let world = World::new();
    transcript(&world, &[record(Some(AGENT), "user", "Plan task 12.")]);
    assert_eq!(call(&world, &stop(&world, &valid("another"))), None, "it was told none");
    // Not the same agent, which would be resumed now.
    let world = World::new();
    transcript(&world, &[record(Some(AGENT), "user", "Plan task 12.")]);
    let mut start = stop(&world, "");
    start["hook_event_name"] = "SubagentStart".into();
    let answer = call(&world, &start).expect("an answer").to_string();
    assert!(answer.contains("if it gives none"), "{answer}");
    let text = reason(&world, &stop(&world, &valid("another")));
    assert!(text.contains("Session ID mismatch") && text.contains(SESSION), "{text}");
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
    assert!(!told.contains("{group}") && !told.contains("{session}"), "{told}");
    let fallback = format!("If your task gives no session id, <session> is {SESSION}.");
    assert!(told.contains(&fallback), "{told}");
    let prompt = "Build it. session_id: sess_1_a, group_id: AUTH";
    transcript(&world, &[record(Some(AGENT), "user", prompt)]);
    let answer = call_with(&world, compact, &returned).expect("an answer");
    let path = "bazinga/artifacts/sess_1_a/AUTH/handoffs/handoff_developer.json";
    assert!(answer["reason"].to_string().contains(path), "{answer}");
}

#[test]
fn the_instruction_names_the_usual_delegation() {
    let world = World::new();
    let mut start = stop(&world, "");
    start["hook_event_name"] = "SubagentStart".into();
    let answer = call(&world, &start).expect("an answer");
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str();
    let usual = "If your task gives no delegation path: [\"orchestrator\", \"planner\"] and a delegation_depth of 1, or more if \
                 a subagent called you, with your callers between the two.\n";
    assert!(told.is_some_and(|told| told.contains(usual)), "{answer}");
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
