//! Agents that the client brings along, and those of a workflow, answer in prose and are left alone.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use serde_json::{Value, json};

use super::{AGENT, FOLDER, SESSION, call, call_with, reason, said, stop};
use crate::common::World;

const OWN: &str = r#"{"agentType":"claude","isBuiltIn":false}"#;
const BUILT_IN: &str = r#"{"agentType":"surveyor","isBuiltIn":true,"finished":true}"#;

/// Writes the agent's transcript, and the file next to it, in a folder below that of the session's agents.
fn sidecar(world: &World, text: &str) {
    let file = format!("{FOLDER}/{SESSION}/subagents/agent-{AGENT}");
    world.write(&format!("{file}.meta.json"), text);
    let said = said(AGENT, "There are three files.");
    world.write(&format!("{file}.jsonl"), said);
}

fn stop_of(world: &World, agent: &str) -> Value {
    let mut stop = stop(world, "There are three files.");
    stop["agent_type"] = agent.into();
    stop
}

/// What the caller gets: the event names the agent, but not its transcript.
fn result_of(world: &World, agent: &str) -> Value {
    let mut result = stop_of(world, agent);
    let members = result.as_object_mut().expect("an object");
    for name in ["agent_id", "agent_type", "agent_transcript_path", "last_assistant_message"] {
        members.remove(name);
    }
    result["hook_event_name"] = "PostToolUse".into();
    result["tool_name"] = "Agent".into();
    result["tool_input"] = json!({ "subagent_type": agent, "prompt": "Look." });
    result["tool_response"] = json!({
        "status": "completed", "agentId": AGENT, "agentType": agent,
        "content": [{ "type": "text", "text": "There are three files." }],
    });
    result
}

#[test]
fn agents_that_the_client_brings_along_get_no_instruction() {
    let world = World::new();
    let start = |agent: &str| {
        let mut start = stop_of(&world, agent);
        start["hook_event_name"] = "SubagentStart".into();
        call(&world, &start)
    };
    for agent in ["claude", "workflow-subagent"] {
        assert_eq!(start(agent), None, "{agent}");
        assert_eq!(call(&world, &stop_of(&world, agent)), None, "{agent}");
        assert_eq!(call(&world, &result_of(&world, agent)), None, "{agent}");
    }
    assert!(start("planner").is_some());
}

#[test]
fn an_agent_that_was_let_pass_at_its_stop_is_not_condemned_at_its_result() {
    let world = World::new();
    sidecar(&world, BUILT_IN);
    assert_eq!(call(&world, &stop_of(&world, "surveyor")), None);
    // What was remembered counts, whatever became of the file.
    sidecar(&world, "");
    assert_eq!(call(&world, &result_of(&world, "surveyor")), None);
    let text = reason(&world, &result_of(&world, "surveyor"));
    assert!(text.contains("The return of surveyor is invalid"), "{text}");
}

#[test]
fn the_file_beside_the_transcript_decides_where_nothing_can_be_remembered() {
    let world = World::new();
    let uid = fs::metadata(".").expect("a folder").uid();
    world.write(&format!("run/retval-hook-{uid}"), "not a folder");
    let result = result_of(&world, "surveyor");
    sidecar(&world, BUILT_IN);
    assert_eq!(call(&world, &result), None);
    sidecar(&world, "");
    assert!(reason(&world, &result).contains("is invalid"));
}

#[test]
fn a_users_own_agent_may_have_the_name_of_one_that_the_client_brings_along() {
    let world = World::new();
    sidecar(&world, OWN);
    let stop = stop_of(&world, "claude");
    assert!(reason(&world, &stop).contains("plain text"));
}

#[test]
fn an_agent_of_a_workflow_is_told_by_its_path() {
    let world = World::new();
    let mut stop = stop_of(&world, "planner");
    let folder = world.path(FOLDER).join(SESSION).join("subagents");
    let mut is_left_alone = |below: &str, options: &str| {
        let path = folder.join(below).join(format!("agent-{AGENT}.jsonl"));
        stop["agent_transcript_path"] = json!(path);
        call_with(&world, options, &stop).is_none()
    };
    assert!(is_left_alone("workflows/wf_1", ""));
    assert!(is_left_alone("workflows/wf_1", "--agents planner"));
    assert!(!is_left_alone("workflows", ""));
}
