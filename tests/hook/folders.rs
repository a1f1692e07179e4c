//! `retval hook` when the client's files change between the start and the end of an agent.

use std::fs;

use crate::common::World;
use serde_json::{Value, json};

const SESSION: &str = "ffd16564-174d-412d-bb95-36c5efd52e33";
const AGENT: &str = "a884fe8b6d023b891";
const FOLDER: &str = "config/projects/-home-user-project";

fn event(world: &World, name: &str, message: &str) -> Value {
    json!({
        "hook_event_name": name, "session_id": SESSION, "agent_id": AGENT, "agent_type": "planner",
        "cwd": world.path("project"), "last_assistant_message": message,
        "transcript_path": world.path(&format!("{FOLDER}/{SESSION}.jsonl")),
    })
}

fn record(agent: Option<&str>, role: &str, content: &Value) -> String {
    let record = json!({
        "type": role, "sessionId": SESSION, "agentId": agent, "isSidechain": agent.is_some(),
        "timestamp": "2100-01-01T00:00:00Z", "message": { "role": role, "content": content },
    });
    record.to_string() + "\n"
}

fn own_file() -> String {
    format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}.jsonl")
}

fn returned() -> String {
    json!({
        "status": "completed",
        "summary": "The tide tables were planned. They have three phases.",
        "artifacts": [{ "type": "plan", "path": "docs/tides.md", "summary": "x" }],
        "metadata": {
            "session_id": SESSION, "agent_type": "planner", "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
    })
    .to_string()
}

/// The transcript of an agent that did nothing but return.
fn idle(agent: &str) -> String {
    let answer = json!([{ "type": "text", "text": returned() }]);
    let task = format!("Plan. session_id: {SESSION}");
    record(Some(agent), "user", &task.into()) + &record(Some(agent), "assistant", &answer)
}

#[test]
fn a_transcript_that_changed_since_the_start_contradicts_nothing_that_it_lacks() {
    let whole = idle(AGENT);
    let half = whole[..whole.len() / 2].to_owned();
    let changes: [(&str, Option<String>, bool); 6] = [
        ("it is as it should be", Some(whole.clone()), true),
        ("it is removed", None, false),
        ("it is emptied", Some(String::new()), false),
        ("it is cut off", Some(half), false),
        ("another agent's is in its place", Some(idle("b0")), false),
        ("it is something else", Some("PNG\n\0\0\n".repeat(100)), false),
    ];
    for (name, after, is_told) in changes {
        let world = World::new();
        world.write(&own_file(), record(Some(AGENT), "user", &"Plan.".into()));
        assert!(world.hook("", &event(&world, "SubagentStart", "")).is_some());
        match after {
            Some(text) => {
                // As an editor does it: under another name first.
                world.write("new", text);
                fs::rename(world.path("new"), world.path(&own_file())).expect("it is replaced");
            }
            None => fs::remove_file(world.path(&own_file())).expect("it is removed"),
        }
        let answer = world.hook("", &event(&world, "SubagentStop", &returned()));
        assert_eq!(answer.is_some(), is_told, "{name}: {answer:?}");
        let text = answer.unwrap_or_default().to_string();
        assert_eq!(text.contains("no tool call"), is_told, "{name}: {text}");
    }
}

#[test]
fn a_transcript_that_is_a_folder_is_no_evidence() {
    let world = World::new();
    fs::create_dir_all(world.path(&own_file())).expect("a folder");
    let stop = event(&world, "SubagentStop", &returned());
    assert_eq!(world.hook("", &stop), None);
}
