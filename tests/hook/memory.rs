//! What `retval hook` remembers about several agents, and how it works if it cannot remember anything.

use std::fs;

use crate::common::World;
use serde_json::{Value, json};

const SESSION: &str = "ffd16564-174d-412d-bb95-36c5efd52e33";

/// The transcript of an agent with that final message.
fn agent(world: &World, id: &str, agent_type: &str, message: &str) {
    let record = |role: &str, content: Value| {
        let record = json!({
            "type": role, "sessionId": SESSION, "agentId": id, "isSidechain": true,
            "message": { "role": role, "content": content },
            // No call of the hook is later than this.
            "timestamp": "2100-01-01T00:00:00Z",
        });
        record.to_string() + "\n"
    };
    let said = json!([{ "type": "text", "text": message }]);
    let records = record("user", "Plan.".into()) + &record("assistant", said);
    let file = format!("{SESSION}/subagents/agent-{id}");
    world.write(&format!("{file}.jsonl"), records);
    let sidecar = json!({ "agentType": agent_type, "isBuiltIn": false });
    world.write(&format!("{file}.meta.json"), sidecar.to_string());
}

fn blocked(agent_type: &str) -> String {
    json!({
        "status": "blocked",
        "summary": "The tide tables could not be planned. The constants are missing.",
        "artifacts": [],
        "errors": [{ "type": "missing", "message": "No constants", "recoverable": true, "recommendation": "Add them" }],
        "metadata": {
            "session_id": "s",
            "agent_type": agent_type,
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", agent_type],
        },
    })
    .to_string()
}

fn call(world: &World, options: &str, payload: &Value) -> Option<Value> {
    world.hook(options, payload)
}

fn payload(world: &World, event: &str) -> Value {
    json!({
        "session_id": SESSION,
        "transcript_path": world.path(&format!("{SESSION}.jsonl")),
        "cwd": world.path("project"),
        "hook_event_name": event,
    })
}

fn notification(world: &World, ids: &[&str]) -> Value {
    let one = |id: &&str| {
        format!(
            "<task-notification>\n<task-id>{id}</task-id>\n<status>completed</status>\n</task-notification>\n"
        )
    };
    let mut payload = payload(world, "UserPromptSubmit");
    payload["prompt"] = ids.iter().map(one).collect::<String>().into();
    payload
}

fn told(answer: Option<Value>) -> String {
    let answer = answer.expect("an answer");
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "UserPromptSubmit", "{answer}");
    told["additionalContext"].as_str().expect("text").to_owned()
}

/// A world with a project. What is remembered goes into `run`.
fn world() -> World {
    let world = World::new();
    for folder in ["run", "project"] {
        fs::create_dir_all(world.path(folder)).expect("a folder");
    }
    world.write(&format!("{SESSION}.jsonl"), "");
    world
}

#[test]
fn every_agent_is_checked_and_named() {
    let world = world();
    agent(&world, "a1", "planner", "It is planned.");
    agent(&world, "a2", "writer", &blocked("writer"));
    agent(&world, "a3", "tester", "It is tested.");
    let ids = ["a1", "a2", "a3", "a1"];
    let options = "--errors-json errors.json";
    let text = told(call(&world, options, &notification(&world, &ids)));
    assert_eq!(
        text,
        "Agent a1: The return of planner is invalid; do not rely on it. Findings:\n\
         1. Return is not valid JSON: it is plain text. Fix planner subagent return \
         format: return a JSON object instead of prose.\n\
         Run the task again, or treat it as failed.\n\
         \n\
         Agent a3: The return of tester is invalid; do not rely on it. Findings:\n\
         1. Return is not valid JSON: it is plain text. Fix tester subagent return \
         format: return a JSON object instead of prose.\n\
         Run the task again, or treat it as failed.\n"
    );
    let log = fs::read_to_string(world.path("errors.json")).expect("a log");
    assert_eq!(log.matches("\"err_").count(), 2);
    let only_valid = notification(&world, &["a2", "a2"]);
    assert_eq!(call(&world, options, &only_valid), None);
    let one = told(call(&world, options, &notification(&world, &["a1"])));
    assert!(one.starts_with("The return of planner"), "{one}");
}

#[test]
fn a_remembered_verdict_does_not_stand_for_the_others() {
    let world = world();
    agent(&world, "a1", "planner", "It is planned.");
    agent(&world, "a2", "writer", "It is written.");
    let mut stop = payload(&world, "SubagentStop");
    for (key, value) in [("agent_id", "a1"), ("agent_type", "planner")] {
        stop[key] = value.into();
    }
    stop["last_assistant_message"] = blocked("planner").into();
    stop["stop_hook_active"] = false.into();
    assert_eq!(call(&world, "", &stop), None);
    let text = told(call(&world, "", &notification(&world, &["a1", "a2"])));
    assert!(text.starts_with("Agent a2: The return of writer"), "{text}");
    assert!(!text.contains("planner"), "it was accepted: {text}");
}

#[test]
fn many_agents_are_all_named_in_one_answer() {
    let world = world();
    let ids: Vec<_> = (0..60).map(|number| format!("agent{number}")).collect();
    for id in &ids {
        agent(&world, id, "planner", &"It is planned. ".repeat(500));
    }
    let ids: Vec<_> = ids.iter().map(String::as_str).collect();
    let text = told(call(&world, "", &notification(&world, &ids)));
    for id in ids {
        assert!(text.contains(&format!("Agent {id}: The return of planner")));
    }
    assert!(text.chars().count() < 10_000, "the client would cut it");
}

#[test]
fn a_pipe_among_the_state_files_does_not_block() {
    let world = world();
    let mut stop = payload(&world, "SubagentStop");
    for (key, value) in [("agent_id", "a1"), ("agent_type", "planner")] {
        stop[key] = value.into();
    }
    stop["last_assistant_message"] = "It is planned.".into();
    let answer = call(&world, "--retries 3", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    let folder = fs::read_dir(world.path("run")).expect("a folder");
    let folder = folder.flatten().next().expect("the folder").path();
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let is_record = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "session");
    let record = files.map(|file| file.path()).find(is_record);
    let record = record.expect("a record");
    fs::remove_file(&record).expect("a file");
    let made = std::process::Command::new("mkfifo").arg(&record).status();
    assert!(made.expect("mkfifo").success());
    let answer = call(&world, "--retries 3", &stop).expect("an answer");
    assert!(answer["decision"].is_null(), "the count is not known: {answer}");
}
