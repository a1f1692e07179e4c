//! `retval hook` with information from the client's transcripts that the payload does not have.

mod built_in;
mod copilot;
mod delegation;
mod receipt;
mod work;

use std::fs;

use crate::common::{World, fixtures};
use serde_json::{Value, json};

const SESSION: &str = "ffd16564-174d-412d-bb95-36c5efd52e33";
const AGENT: &str = "a884fe8b6d023b891";

/// A payload that a client sent, in a project of this world.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join("captured").join(name);
    let text = fs::read_to_string(file.with_extension("json")).expect("a payload");
    let text = text.replace("/home/user/.config", &world.path("config").display().to_string());
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("/home/user/project", &project)).expect("JSON")
}

fn call(world: &World, payload: &Value) -> Option<Value> {
    call_with(world, "", payload)
}

fn call_with(world: &World, options: &str, payload: &Value) -> Option<Value> {
    world.hook(options, payload)
}

fn reason(world: &World, payload: &Value) -> String {
    let answer = call(world, payload).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    answer["reason"].as_str().expect("a reason").to_owned()
}

/// A record of Claude Code: a text of the user or of the agent.
fn record(agent: Option<&str>, role: &str, content: impl Into<Value>) -> String {
    let content: Value = content.into();
    let record = json!({
        "type": role,
        "sessionId": SESSION,
        "agentId": agent,
        "isSidechain": agent.is_some(),
        "timestamp": "2026-11-22T10:14:45.954Z",
        "message": { "role": role, "content": content },
    });
    record.to_string() + "\n"
}

fn said(agent: &str, text: &str) -> String {
    record(Some(agent), "assistant", json!([{ "type": "text", "text": text }]))
}

const FOLDER: &str = "config/projects/-home-user-project";

/// Writes the transcript of the agent, as the client names it.
fn transcript(world: &World, records: &[String]) {
    world.write(&own_file(), records.concat());
}

fn own_file() -> String {
    format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}.jsonl")
}

fn valid(session: &str) -> String {
    json!({
        "status": "blocked",
        "summary": "The tide tables could not be planned. The constants are missing.",
        "artifacts": [],
        "errors": [{ "type": "missing_input", "message": "No constants", "recoverable": true, "recommendation": "Add them" }],
        "metadata": {
            "session_id": session,
            "agent_type": "planner",
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
    })
    .to_string()
}

fn stop(world: &World, message: &str) -> Value {
    let mut stop = captured(world, "background-stop");
    stop["last_assistant_message"] = message.into();
    stop
}

#[test]
fn the_message_of_the_last_turn_counts_and_no_earlier_one() {
    let world = World::new();
    let prompt = record(Some(AGENT), "user", "Plan task 12.");
    let mut absent = stop(&world, "");
    absent["last_assistant_message"] = Value::Null;
    transcript(&world, &[prompt.clone(), said(AGENT, &valid("s"))]);
    assert_eq!(call(&world, &absent), None);
    let feedback = record(Some(AGENT), "user", "Stop hook feedback:\nAgain.");
    let empty = record(Some(AGENT), "assistant", json!([]));
    transcript(&world, &[prompt, said(AGENT, &valid("s")), feedback, empty]);
    let text = reason(&world, &absent);
    assert!(text.contains("it is empty"), "{text}");
}

#[test]
fn without_a_verdict_the_transcript_of_a_background_agent_is_checked() {
    let world = World::new();
    let notification = captured(&world, "background-notification");
    assert_eq!(call(&world, &notification), None, "nothing is known of it");
    let prompt = record(Some(AGENT), "user", "Plan task 12.");
    transcript(&world, &[prompt, said(AGENT, "I have made the plan.")]);
    let sidecar = format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}.meta.json");
    world.write(&sidecar, r#"{"agentType":"planner","isBuiltIn":false}"#);
    let answer = call(&world, &notification).expect("an answer");
    let text = answer["hookSpecificOutput"]["additionalContext"].to_string();
    assert!(text.contains("The return of planner is invalid"), "{text}");
    world.write(&sidecar, r#"{"agentType":"Explore","isBuiltIn":true}"#);
    assert_eq!(call(&world, &notification), None, "it is not held");
}

#[test]
fn a_pipe_as_a_transcript_does_not_block() {
    let world = World::new();
    let pipe = world.path("agent-a1.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let mut stop = stop(&world, "Done.");
    stop["agent_transcript_path"] = pipe.display().to_string().into();
    assert!(reason(&world, &stop).contains("not"), "it is asked again");
}
