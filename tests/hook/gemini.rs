//! `retval hook` in Gemini CLI, which identifies the transcript of an agent only by the ids of its
//! calls.

use std::fs;

use crate::common::{World, fixtures};
use serde_json::{Value, json};

const SESSION: &str = "c047ca37-fd19-4c3b-889a-b528004b16de";
const AGENT: &str = "acdf47fb-a6ee-47cf-979f-e0464f8cfd58";
const PLAN: &str = "specs/12/plan.md";

/// What the client sent when the agent had ended, in a project of this world that has its file.
fn result(world: &World) -> Value {
    world.write(&format!("project/{PLAN}"), "# Plan\n");
    let text = fs::read_to_string(fixtures().join("captured/gemini-valid.json"));
    let text = text.expect("a payload");
    let home = world.path("home").display().to_string();
    let project = world.path("project").display().to_string();
    let text = text.replace("/home/user/.gemini", &home);
    serde_json::from_str(&text.replace("/home/user/project", &project)).expect("JSON")
}

/// Writes the transcript of the agent: its task, a call with its name and its arguments, and the answer
/// of the payload.
fn transcript(world: &World, payload: &Value, calls: &[(&str, Value)]) {
    let answer = &payload["tool_response"]["returnDisplay"]["result"];
    let answer = ("complete_task", json!({ "result": answer }));
    let mut records = vec![
        json!({
            "sessionId": AGENT, "projectHash": "40ff92d6", "startTime": "2026-11-22T10:28:11.676Z",
            "kind": "subagent", "directories": [world.path("project")],
        }),
        json!({ "id": "m0", "type": "user", "content": [{ "text": "Plan." }] }),
    ];
    for (at, (name, arguments)) in calls.iter().chain([&answer]).enumerate() {
        let call = json!({
            "id": format!("{AGENT}#{at}-0"), "name": name, "args": arguments, "status": "success",
        });
        let id = format!("m{}", at + 1);
        records.push(json!({ "id": id, "type": "gemini", "content": "", "toolCalls": [call] }));
    }
    let lines = records.iter().map(|record| record.to_string() + "\n");
    let text: String = lines.collect();
    world.write(&format!("home/tmp/project/chats/{SESSION}/{AGENT}.jsonl"), text);
}

fn reason(world: &World, payload: &Value) -> String {
    let answer = world.hook("", payload).expect("an answer");
    assert_eq!(answer["decision"], "deny", "{answer}");
    answer["reason"].as_str().expect("a reason").to_owned()
}

#[test]
fn the_caller_of_an_agent_that_made_no_call_is_told() {
    let world = World::new();
    let payload = result(&world);
    transcript(&world, &payload, &[]);
    let text = reason(&world, &payload);
    let fact = "laims work that it cannot have done (the record of the agent is complete and has no tool call)";
    assert!(text.contains(fact), "{text}");
    assert_eq!(world.hook("--evidence off", &payload), None);
}

#[test]
fn the_caller_of_an_agent_that_only_read_is_told() {
    let world = World::new();
    let payload = result(&world);
    let file = json!({ "file_path": world.path("project").join(PLAN) });
    transcript(&world, &payload, &[("read_file", file.clone())]);
    let fact = "(no call wrote it; the agent used only read_file)";
    let text = reason(&world, &payload);
    assert!(text.contains(fact), "{text}");
    for name in ["write_file", "run_shell_command"] {
        transcript(&world, &payload, &[(name, file.clone())]);
        assert_eq!(world.hook("", &payload), None, "{name}");
    }
}

#[test]
fn nothing_is_known_of_an_agent_whose_calls_do_not_tell_its_id() {
    let world = World::new();
    let payload = result(&world);
    transcript(&world, &payload, &[]);
    let activity = |ids: &[&str]| {
        let mut payload = payload.clone();
        let ids = ids.iter().map(|id| json!({ "id": id }));
        payload["tool_response"]["returnDisplay"]["recentActivity"] = ids.collect();
        world.hook("", &payload)
    };
    let other = AGENT.replace('a', "b");
    let thought = "a71221e3-375f-47cf-a6c2-7d7d052a93d6";
    let call = |agent: &str, turn: u64| format!("{agent}#{turn}-0");
    assert!(activity(&[thought, &call(AGENT, 0), thought, &call(AGENT, 10)]).is_some());
    for ids in [
        &[][..],
        &[thought],
        &[&call(&other, 0)],
        &[&call(&other, 0), &call(AGENT, 1)],
        &["call_1", "call_2"],
        &[&call("../../../project/agents/acdf47fb-a6ee-47", 0)],
    ] {
        assert_eq!(activity(ids), None, "{ids:?}");
    }
}
