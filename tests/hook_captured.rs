//! `retval hook` and payloads of old and new clients, with the transcripts that were there then.

mod common;

use std::fs;

use common::{World, feed, fixtures, stderr, stdout};
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
        world.write(
            &format!("config/projects/-home-user-project/{name}.jsonl"),
            text,
        );
    }
    world
}

/// The answer to a payload that a client sent.
fn answer(world: &World, name: &str) -> Option<Value> {
    let file = fixtures().join(format!("captured/{name}.json"));
    let mut text = fs::read_to_string(file).expect("a payload");
    for (there, here) in [
        ("/home/user/.config", "config"),
        ("/home/user/project", "project"),
    ] {
        text = text.replace(there, &world.path(here).display().to_string());
    }
    let mut command = world.retval();
    command
        .arg("hook")
        .env("XDG_RUNTIME_DIR", world.path("run"));
    let output = feed(&mut command, text);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    (!text.is_empty()).then(|| serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn an_old_client_gets_the_instruction_and_its_agent_is_sent_back() {
    let world = world();
    let start = answer(&world, "old-start").expect("an answer");
    let told = &start["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "SubagentStart");
    let text = told["additionalContext"].as_str().expect("text");
    assert!(text.contains(SESSION) && text.contains("planner"), "{text}");
    let stop = answer(&world, "old-stop").expect("an answer");
    assert_eq!(stop["decision"], "block");
    let reason = stop["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("Your artifact does not exist: specs/12/plan.md"),
        "{reason}"
    );
    assert!(!reason.contains("Session ID mismatch"), "{reason}");
}

#[test]
fn agents_that_an_old_client_starts_for_itself_are_left_alone() {
    assert_eq!(answer(&world(), "old-warmup-stop"), None);
}

#[test]
fn a_valid_result_of_gemini_cli_is_passed_on() {
    let world = world();
    let missing = answer(&world, "gemini-valid").expect("an answer");
    assert_eq!(missing["decision"], "deny", "its file is not there");
    world.write("project/specs/12/plan.md", "# Plan\n");
    assert_eq!(answer(&world, "gemini-valid"), None);
}
