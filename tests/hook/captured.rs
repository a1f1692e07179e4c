//! `retval hook` with a captured payload of Gemini CLI.

use std::fs;

use crate::common::{World, feed, fixtures, stderr, stdout};
use serde_json::Value;

/// A payload that a client sent.
fn captured(world: &World, name: &str) -> Value {
    let file = fixtures().join(format!("captured/{name}.json"));
    let mut text = fs::read_to_string(file).expect("a payload");
    for (there, here) in [("/home/user/.config", "config"), ("/home/user/project", "project")] {
        text = text.replace(there, &world.path(here).display().to_string());
    }
    serde_json::from_str(&text).expect("JSON")
}

/// The answer to a payload that a client sent.
fn answer(world: &World, name: &str) -> Option<Value> {
    call(world, "", &captured(world, name))
}

fn call(world: &World, options: &str, payload: &Value) -> Option<Value> {
    let mut command = world.retval();
    command.arg("hook").args(options.split_whitespace()).env("XDG_RUNTIME_DIR", world.path("run"));
    let output = feed(&mut command, payload.to_string());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    (!text.is_empty()).then(|| serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn a_valid_result_of_gemini_cli_is_passed_on() {
    let world = World::new();
    let missing = answer(&world, "gemini-valid").expect("an answer");
    assert_eq!(missing["decision"], "deny", "its file is not there");
    world.write("project/specs/12/plan.md", "# Plan\n");
    assert_eq!(answer(&world, "gemini-valid"), None);
}
