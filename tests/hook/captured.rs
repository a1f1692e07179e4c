//! `retval hook` with captured payloads of old and new clients and the transcripts that belong to them.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use crate::common::{World, feed, fixtures, stderr, stdout};
use serde_json::Value;

const SESSION: &str = "65b6d5ff-7b90-4b52-b802-c0a42c4e7364";

/// A world with a project, and with what Claude Code 2.0 wrote of a session.
fn world() -> World {
    let world = World::new();
    for folder in ["run", "project"] {
        fs::create_dir_all(world.path(folder)).expect("a folder");
    }
    for (file, name) in [
        ("session", SESSION),
        ("agent-ae5a034", "agent-ae5a034"),
        ("agent-a588fb4", "agent-a588fb4"),
    ] {
        let from = fixtures().join(format!("transcripts/claude-code/flat/{file}.jsonl"));
        let text = fs::read(from).expect("a transcript");
        world.write(&format!("config/projects/-home-user-project/{name}.jsonl"), text);
    }
    world
}

/// A payload that a client sent.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join(format!("captured/{name}.json"));
    let mut text = fs::read_to_string(file).expect("a payload");
    for (there, here) in [("/home/user/.config", "config"), ("/home/user/project", "project")] {
        text = text.replace(there, &world.path(here).display().to_string());
    }
    serde_json::from_str(&text).expect("JSON")
}

/// The answer to a payload that a client sent.
fn answer(world: &World, name: &str) -> Option<Value> {
    call(world, "", &captured(world, name))
}

fn call(world: &World, options: &str, payload: &Value) -> Option<Value> {
    let mut command = world.retval();
    command.arg("hook").args(options.split_whitespace()).env("XDG_RUNTIME_DIR", world.path("run"));
    let output = feed(&mut command, payload.to_string());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    (!text.is_empty()).then(|| serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn an_old_client_gets_the_instruction_and_its_agent_is_asked_again() {
    let world = world();
    let start = answer(&world, "old-start").expect("an answer");
    let told = &start["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "SubagentStart");
    let text = told["additionalContext"].as_str().expect("text");
    assert!(text.contains(SESSION) && text.contains("planner"), "{text}");
    let stop = answer(&world, "old-stop").expect("an answer");
    assert_eq!(stop["decision"], "block");
    let reason = stop["reason"].as_str().expect("a reason");
    assert!(reason.contains("Your artifact does not exist: specs/12/plan.md"), "{reason}");
    assert!(!reason.contains("Session ID mismatch"), "{reason}");
}

#[test]
fn agents_that_an_old_client_starts_for_itself_are_left_alone() {
    let world = world();
    let mut start = captured(&world, "old-start");
    start["agent_id"] = "a588fb4".into();
    start["agent_type"] = "Plan".into();
    // A pattern that names the agents which the client brings along.
    let asked = |payload: &Value| call(&world, "--agents *", payload);
    assert!(asked(&start).is_some());
    assert_eq!(asked(&captured(&world, "old-warmup-stop")), None);
}

const LOG: &str = "--errors-json errors.json";

fn records(world: &World) -> usize {
    fs::read_to_string(world.path("errors.json")).map_or(0, |log| log.matches("\"err_").count())
}

#[test]
fn the_caller_of_an_old_client_is_told_when_it_asks_for_the_result() {
    let world = world();
    let mut stop = captured(&world, "old-stop");
    let fetched = captured(&world, "old-fetched");
    let asked = |payload: &Value| call(&world, LOG, payload);
    assert_eq!(asked(&fetched), None, "nothing is known of it");
    assert_eq!(asked(&stop).expect("an answer")["decision"], "block");
    stop["stop_hook_active"] = true.into();
    let note = asked(&stop).expect("an answer");
    assert!(note["systemMessage"].is_string(), "it may stop: {note}");
    for _ in 0..2 {
        let told = asked(&fetched).expect("an answer");
        assert_eq!(told["decision"], "block");
        let reason = told["reason"].as_str().expect("a reason");
        assert!(
            reason.starts_with("The return of planner is invalid; do not rely on it."),
            "{reason}"
        );
    }
    assert_eq!(records(&world), 1, "when it may stop");
    for (member, value) in [("status", "running"), ("task_type", "local_bash")] {
        let mut other = fetched.clone();
        other["tool_response"]["task"][member] = value.into();
        assert_eq!(asked(&other), None, "{member}");
    }
}

#[test]
fn a_result_that_is_asked_for_is_checked_if_nothing_can_be_remembered() {
    let world = world();
    let uid = fs::metadata(".").expect("a folder").uid();
    world.write(&format!("run/retval-hook-{uid}"), "not a folder");
    let mut fetched = captured(&world, "old-fetched");
    // The agent that asks is another one.
    fetched["agent_id"] = "a0".into();
    fetched["agent_type"] = "Explore".into();
    let told = call(&world, LOG, &fetched).expect("an answer");
    let reason = told["reason"].as_str().expect("a reason");
    assert!(reason.contains("Artifact does not exist: specs/12/plan.md"), "{reason}");
    assert_eq!(call(&world, "--agents !planner", &fetched), None);
    fetched["tool_response"]["task"]["task_id"] = "a000000".into();
    assert_eq!(call(&world, LOG, &fetched), None, "it has no transcript");
    world.write("project/specs/12/plan.md", "# Plan\n");
    let fetched = captured(&world, "old-fetched");
    assert_eq!(call(&world, LOG, &fetched), None, "it is valid");
}

#[test]
fn a_valid_result_of_gemini_cli_is_passed_on() {
    let world = world();
    let missing = answer(&world, "gemini-valid").expect("an answer");
    assert_eq!(missing["decision"], "deny", "its file is not there");
    world.write("project/specs/12/plan.md", "# Plan\n");
    assert_eq!(answer(&world, "gemini-valid"), None);
}
