//! Agents that nobody has told how to return.

use serde_json::{Value, json};

use crate::common::session::Session;
use crate::common::{World, stdout};

fn start(agent: &str) -> Value {
    json!({
        "hook_event_name": "SubagentStart", "agent_type": agent, "agent_id": agent,
        "session_id": "s", "cwd": ".",
    })
}

fn stop(agent: &str, message: &str) -> Value {
    json!({
        "hook_event_name": "SubagentStop", "agent_type": agent, "agent_id": agent,
        "session_id": "s", "cwd": ".", "stop_hook_active": false, "last_assistant_message": message,
    })
}

#[test]
fn an_agent_without_a_profile_is_asked_again_only_for_a_worthless_message() {
    let world = World::new();
    let hook = |payload| world.hook("--profile any", &payload);
    assert_eq!(hook(start("scout")), None);
    assert_eq!(hook(stop("scout", "The tables agree.")), None);
    for (agent, message) in [("mute", ""), ("copyist", "..."), ("cut", "API Error: 529 Overloaded")]
    {
        let answer = hook(stop(agent, message)).expect("an answer");
        assert_eq!(answer["decision"], "block", "{message}");
        let reason = answer["reason"].as_str().expect("a reason");
        assert!(
            !reason.contains("JSON") && reason.contains("Write the complete report again."),
            "{reason}"
        );
    }
}

#[test]
fn an_agent_without_a_profile_is_asked_again_for_a_file_that_is_not_there() {
    let world = World::new();
    let hook = |payload| world.hook("--profile any", &payload);
    let claim = r#"{"status": "completed", "artifacts": ["docs/plan.md"]}"#;
    let answer = hook(stop("scout", &format!("Done.\n```json\n{claim}\n```\n")));
    let answer = answer.expect("an answer");
    assert_eq!(answer["decision"], "block");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(reason.contains("docs/plan.md") && !reason.contains("The form is"), "{reason}");
    world.write("docs/plan.md", "# Plan\n");
    assert_eq!(hook(stop("planner", claim)), None);
    let other = r#"{"status": "done", "artifacts": ["docs/none.md"]}"#;
    assert_eq!(hook(stop("writer", other)), None);
}

#[test]
fn a_table_and_the_profile_of_the_file_come_before_any() {
    let world = World::new();
    let asks = |agent| {
        let answer = world.hook("--profile any", &start(agent));
        answer.map(|answer| answer.to_string().contains("RETURN FORMAT"))
    };
    world.write("retval.toml", "[hook.agents.\"plan*\"]\nprofile = \"return\"\n");
    assert_eq!((asks("planner"), asks("scout")), (Some(true), None));
    world.write("retval.toml", "profile = \"return\"\n[hook.agents.scout]\nprofile = \"any\"\n");
    assert_eq!((asks("planner"), asks("scout")), (Some(true), None));
}

#[test]
fn a_table_comes_before_the_profile_of_the_command() {
    let world = World::new();
    world.write("retval.toml", "[hook.agents.scout]\nprofile = \"any\"\n");
    assert_eq!(world.hook("--profile return", &start("scout")), None);
    assert!(world.hook("--profile return", &start("planner")).is_some());
    // Without an option it is the profile `return`.
    assert!(world.hook("", &start("planner")).is_some());
}

#[test]
fn check_and_instruct_follow_the_tables() {
    let world = World::new();
    world.write("retval.toml", "[hook.agents.\"plan*\"]\nprofile = \"return-v1\"\n");
    world.write("return.json", "{}");
    let said = |line: &str| {
        let output = world.retval().args(line.split(' ')).output();
        stdout(&output.expect("it runs"))
    };
    let check = "check return.json --format jsonl --agent";
    assert!(said(&format!("{check} planner")).contains(r#""profile":"return-v1""#));
    assert!(said(&format!("{check} scout")).contains(r#""profile":"return""#));
    let given = format!("{check} planner --profile compact");
    assert!(said(&given).contains(r#""profile":"compact""#));
    // Only the form of version 1.0 has no delegation.
    assert!(!said("instruct --agent planner").contains("\"delegation_path\""));
    assert!(said("instruct --agent scout").contains("\"delegation_path\""));
}

#[test]
fn what_an_agent_wrote_outside_of_its_table_is_told_and_never_sent_back() {
    let world = World::new();
    world.write("retval.toml", "[hook.agents.scout]\nprofile = \"any\"\nwrites = [\"docs/**\"]\n");
    world.write("notes/a.md", "x");
    world.write("docs/a.md", "x");
    let session = Session::of_one(|it| it.write("a1", "notes/a.md").write("a1", "docs/a.md"));
    world.write("agent-a1.jsonl", session.lines);
    let cwd = world.path("");
    let mut stop = stop("scout", "Done.");
    stop["agent_id"] = "a1".into();
    stop["cwd"] = json!(cwd);
    stop["agent_transcript_path"] = json!(world.path("agent-a1.jsonl"));
    assert_eq!(world.hook("--profile any", &stop), None);
    let result = json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "cwd": cwd, "tool_name": "Agent",
        "tool_use_id": "t1", "tool_input": { "subagent_type": "scout", "prompt": "Look." },
        "tool_response": {
            "status": "completed", "agentId": "a1", "agentType": "scout", "prompt": "Look.",
            "content": [{ "type": "text", "text": "Done." }],
        },
    });
    let told = world.hook("--profile any", &result).expect("an answer");
    let told = told.to_string();
    let expected =
        "accepted with warnings: File was written that the agent may not write: notes/a.md";
    assert!(told.contains(expected) && !told.contains("docs/a.md"), "{told}");
}
