//! `retval hook` and the caller of an agent, with payloads in the order in which the clients send them.

mod codex;
mod counts;
mod failed;
mod later;
mod qwen;
mod told;

use std::fs;

use crate::common::{World, fixtures};
use serde_json::Value;

/// A payload that a client sent, in a project of this world.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join("captured").join(name);
    let text = fs::read_to_string(file.with_extension("json")).expect("a payload");
    let project = world.path("project").display().to_string();
    serde_json::from_str(&text.replace("/home/user/project", &project)).expect("JSON")
}

fn call(world: &World, options: &str, payload: &Value) -> Option<Value> {
    world.hook(options, payload)
}

fn records(world: &World) -> Vec<Value> {
    let Ok(log) = fs::read_to_string(world.path("errors.json")) else {
        return Vec::new();
    };
    let log: Value = serde_json::from_str(&log).expect("JSON");
    log["errors"].as_array().expect("records").clone()
}

const LOG: &str = "--errors-json errors.json";

#[test]
fn the_instruction_is_given_in_the_form_of_each_client() {
    let world = World::new();
    let text = |name: &str, pointer: &str| {
        let answer = call(&world, "", &captured(&world, name)).expect("an answer");
        let text = answer.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{name}: {answer}")).to_owned()
    };
    let codex = text("codex-start", "/hookSpecificOutput/additionalContext");
    let copilot = text("copilot-start", "/additionalContext");
    let gemini = text("gemini-start", "/hookSpecificOutput/tool_input/prompt");
    let qwen = text("qwen-start", "/hookSpecificOutput/additionalContext");
    for text in [&codex, &copilot, &gemini, &qwen] {
        assert!(text.contains("RETURN FORMAT"), "{text}");
    }
    let answer = call(&world, "", &captured(&world, "gemini-start")).expect("an answer");
    let agent = &answer["hookSpecificOutput"]["tool_input"]["agent_name"];
    assert_eq!(agent, "planner", "the client wants the call as a whole");
    assert!(
        gemini.starts_with("[[SUB:phantom]] Plan task 12. Write specs/12/plan.md."),
        "{gemini}"
    );
}

#[test]
fn an_agent_without_a_message_is_asked_again() {
    let world = World::new();
    let answer = call(&world, "", &captured(&world, "codex-empty")).expect("an answer");
    assert_eq!(answer["decision"], "block");
    let mut stop = captured(&world, "background-stop");
    stop.as_object_mut().expect("an object").remove("last_assistant_message");
    let answer = call(&world, "", &stop).expect("an answer");
    assert_eq!(answer["decision"], "block");
}

#[test]
fn a_resumed_agent_may_answer_freely_if_its_return_was_accepted() {
    let world = World::new();
    world.write("project/specs/12/plan.md", "# Plan\n");
    let options = "--session sess_1735460684_a1b2c3";
    let valid = captured(&world, "background-stop");
    let mut answered = valid.clone();
    answered["last_assistant_message"] = "Phase two computes the tables.".into();
    let answer = call(&world, options, &answered).expect("an answer");
    assert_eq!(answer["decision"], "block", "nothing was accepted yet");
    let mut start = valid.clone();
    start["hook_event_name"] = "SubagentStart".into();
    assert!(call(&world, options, &start).is_some());
    assert_eq!(call(&world, options, &valid), None);
    assert_eq!(call(&world, options, &start), None, "it knows the form");
    assert_eq!(call(&world, options, &answered), None);
    let notification = captured(&world, "background-notification");
    assert_eq!(call(&world, options, &notification), None);
    let mut other = answered.clone();
    other["agent_id"] = "a1".into();
    let answer = call(&world, options, &other).expect("an answer");
    assert_eq!(answer["decision"], "block", "it is another agent");
    other["stop_hook_active"] = true.into();
    let answer = call(&world, options, &other).expect("an answer");
    assert!(answer["systemMessage"].is_string(), "it may stop");
    other["stop_hook_active"] = false.into();
    let answer = call(&world, options, &other).expect("an answer");
    assert_eq!(answer["decision"], "block", "its first return was accepted");
}

#[test]
fn agents_that_the_client_brings_along_are_not_held_unless_asked_for() {
    let world = World::new();
    let of = |agent: &str| {
        let mut stop = captured(&world, "background-stop");
        stop["agent_type"] = agent.into();
        stop["agent_id"] = agent.into();
        stop
    };
    let is_held = |agent: &str, options: &str| call(&world, options, &of(agent)).is_some();
    for agent in ["Explore", "Plan", "general-purpose"] {
        assert!(!is_held(agent, ""), "{agent}");
        assert!(is_held(agent, "--agents *"), "{agent}");
        assert!(!is_held(agent, "--agents * --agents !*"), "{agent}");
    }
    assert!(is_held("planner", "") && is_held("planner", "--agents !scout"));
    assert!(!is_held("scout", "--agents !scout") && !is_held("Explore", "--agents !scout"));
    let mut own = of("Explore");
    let transcript = world.path("project/agent-1.jsonl");
    own["agent_transcript_path"] = transcript.display().to_string().into();
    world.write("project/agent-1.meta.json", r#"{"isBuiltIn":false,"x":1}"#);
    assert!(call(&world, "", &own).is_some(), "an agent of the user's own");
    let mut planner = of("planner");
    planner["agent_transcript_path"] = own["agent_transcript_path"].clone();
    world.write("project/agent-1.meta.json", r#"{"isBuiltIn":true}"#);
    assert_eq!(call(&world, "", &planner), None);
}
