//! The working folder of a command, in a client whose shells persist between calls and whose records do
//! not contain it.

use std::process::Output;

use serde_json::{Value, json};

use super::{claiming, claims};
use crate::common::{World, piped};

/// The record that Copilot CLI has of an agent `a1` that ran these commands: the shell of each, the
/// command, and whether it succeeded.
fn transcript(world: &World, commands: &[(Option<&str>, &str, bool)]) -> String {
    let mut records = vec![json!({ "type": "session.start", "data": {
        "sessionId": "e91672bb", "context": { "cwd": world.path("project") },
    } })];
    let mut add = |kind: &str, data: Value| {
        records.push(json!({
            "type": kind, "agentId": "a1", "timestamp": "2026-01-28T11:00:00Z", "data": data,
        }));
    };
    add("subagent.started", json!({ "agentType": "planner" }));
    add("user.message", json!({ "content": "Plan the tide tables." }));
    for (at, (shell, command, ok)) in commands.iter().enumerate() {
        let id = format!("t{at}");
        let arguments = json!({ "command": command, "sessionId": shell });
        let call = json!({ "toolCallId": id, "toolName": "bash", "arguments": arguments });
        add("tool.execution_start", call);
        let result = json!({ "toolCallId": id, "success": ok });
        add("tool.execution_complete", result);
    }
    add("assistant.message", json!({ "messageId": "m1", "content": "Done." }));
    add("subagent.completed", json!({ "totalToolCalls": commands.len() }));
    let lines = records.iter().map(|record| record.to_string() + "\n");
    lines.collect()
}

fn value(output: &Output) -> String {
    let claims = claims(output);
    let claim = claims.iter().find(|(rule, ..)| rule == "artifact-unwritten");
    claim.expect("a claim").1.clone()
}

/// What is said of two files of the same name: in the folder of the session, and in the one below.
fn values(commands: &[(Option<&str>, &str, bool)]) -> [String; 2] {
    let world = World::new();
    world.write("project/tides.md", "High at noon.\n");
    world.write("copilot.jsonl", transcript(&world, commands));
    ["tides.md", "docs/tides.md"].map(|path| {
        let options = "--root project --transcript copilot.jsonl --agent-id a1 --format jsonl";
        let output = piped(&world, options, claiming(path));
        value(&output)
    })
}

const WRITE: &str = "echo High > tides.md";

#[test]
fn after_a_command_that_may_have_changed_the_folder_a_relative_path_shows_nothing() {
    let (one, two) = (Some("one"), Some("two"));
    let [here, nowhere] = [["shown", "unknown"], ["unknown", "unknown"]];
    for (commands, expected) in [
        (vec![(one, WRITE, true)], here),
        (vec![(one, "cd docs", true), (one, WRITE, true)], nowhere),
        (vec![(one, "(cd docs; ls)", true), (one, WRITE, true)], here),
        (vec![(one, "make || exit 1", false), (one, WRITE, true)], here),
        (vec![(one, "cd docs; exit", true), (one, WRITE, true)], nowhere),
        (vec![(one, "cd \"$DOCS\"", true), (one, WRITE, true)], nowhere),
        (vec![(one, "cd docs", true), (two, WRITE, true)], nowhere),
        (vec![(one, ". ./setup", true), (one, WRITE, true)], nowhere),
        (vec![(one, "alias echo=true", true), (one, WRITE, true)], nowhere),
        // No one knows whether these run in one shell.
        (vec![(None, WRITE, true)], here),
        (vec![(None, "ls", true), (None, WRITE, true)], here),
        (vec![(None, "cd docs", true), (None, WRITE, true)], nowhere),
        (vec![(None, "cd docs", true), (None, "cd docs && echo High > tides.md", true)], nowhere),
    ] {
        assert_eq!(values(&commands), expected, "{commands:?}");
    }
}

#[test]
fn an_absolute_path_is_the_same_wherever_a_command_runs() {
    let world = World::new();
    let write = format!("echo High > {}", world.path("project/docs/tides.md").display());
    for (before, expected) in
        [("cd /", "shown"), ("cd \"$DOCS\"", "shown"), ("source x", "unknown")]
    {
        let commands = [(None, before, true), (None, write.as_str(), true)];
        world.write("copilot.jsonl", transcript(&world, &commands));
        let options = "--root project --transcript copilot.jsonl --agent-id a1 --format jsonl";
        let output = piped(&world, options, claiming("docs/tides.md"));
        assert_eq!(value(&output), expected, "{before}");
    }
}
