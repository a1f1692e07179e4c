//! Copilot CLI records an answer only after it has called the hook with it.

use std::fs;

use serde_json::{Value, json};

use crate::common::{World, fixtures};

const PLAN: &str = "project/specs/12/plan.md";
const RECORDS: &str = "home/events.jsonl";

/// The stop of an agent that claims a plan.
fn stop(world: &World, was_asked_again: bool) -> Value {
    let text = fs::read_to_string(fixtures().join("captured/copilot-stop-again.json"));
    let mut stop: Value = serde_json::from_str(&text.expect("a payload")).expect("JSON");
    stop["cwd"] = json!(world.path("project"));
    stop["transcriptPath"] = json!(world.path(RECORDS));
    stop["stop_hook_active"] = was_asked_again.into();
    stop
}

const EARLIER: &str = "2026-11-22T10:32:06.000Z";
/// No call of the hook is later than this.
const LATER: &str = "2100-01-01T00:00:00.000Z";

/// Adds records of the agent.
fn add(world: &World, stop: &Value, time: &str, records: &[(&str, Value)]) {
    let before = fs::read_to_string(world.path(RECORDS)).unwrap_or_default();
    let added = records.iter().map(|(kind, data)| {
        let record = json!({
            "type": kind, "data": data, "agentId": stop["agentId"], "timestamp": time,
        });
        format!("{record}\n")
    });
    world.write(RECORDS, before + &added.collect::<String>());
}

fn said(stop: &Value) -> (&'static str, Value) {
    let said = json!({ "content": stop["response"], "toolRequests": [] });
    ("assistant.message", said)
}

/// An agent whose file was not there at its first stop. The record of its answer came after that stop.
fn asked_again(world: &World) -> Value {
    fs::create_dir_all(world.path("project")).expect("a folder");
    let first = stop(world, false);
    let started = ("subagent.started", json!({ "agentType": "planner" }));
    let asked = ("user.message", json!({ "content": "Plan task 12." }));
    add(world, &first, EARLIER, &[started, asked]);
    let answer = world.hook("", &first).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    add(world, &first, LATER, &[said(&first)]);
    world.write(PLAN, "# Plan\n");
    stop(world, true)
}

/// What the client records when a hook asks the agent again.
fn feedback() -> (&'static str, Value) {
    ("user.message", json!({ "content": "", "source": "system" }))
}

#[test]
fn the_answer_before_it_was_asked_again_is_not_taken_for_the_one_after_it() {
    let world = World::new();
    let again = asked_again(&world);
    assert_eq!(world.hook("", &again), None, "its calls are not recorded yet");
}

#[test]
fn an_agent_that_was_asked_again_and_made_no_call_is_let_go() {
    let world = World::new();
    let again = asked_again(&world);
    add(&world, &again, LATER, &[feedback(), said(&again)]);
    let answer = world.hook("", &again).expect("an answer");
    let replaced = answer["modifiedResponse"].as_str().expect("a return");
    assert!(replaced.contains("Agent claims work that it cannot have done."), "{replaced}");
}

#[test]
fn an_empty_message_of_the_agent_does_not_count_as_one_to_it() {
    let world = World::new();
    let again = asked_again(&world);
    let empty = ("assistant.message", json!({ "content": "", "toolRequests": [] }));
    add(&world, &again, LATER, &[empty, said(&again)]);
    assert_eq!(world.hook("", &again), None);
}
