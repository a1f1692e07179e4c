//! Calls with the same id, and commands that are not run by a shell.

use serde_json::json;

use super::{Session, TIDES, claiming, claims, written};
use crate::common::{World, piped};

#[test]
fn a_second_call_with_the_same_id_contradicts_no_claim() {
    let world = World::new();
    let mut session = Session::default().task("a1", "Plan the tide tables.");
    for path in ["docs/other.md", TIDES] {
        session.calls = 0;
        session = session.write("a1", path);
    }
    assert_eq!(
        written(&world, &session.answer("a1")),
        "unknown: the record is not complete: two of its calls have one id"
    );
}

#[test]
fn a_word_of_a_command_is_no_redirection() {
    let world = World::new();
    let written = |words: &[&str]| {
        let arguments = json!({ "command": words }).to_string();
        let records = [
            json!({ "type": "session_meta", "payload": { "id": "th", "cwd": world.path("project") } }),
            json!({ "type": "response_item", "payload": { "type": "function_call", "call_id": "c1",
                "name": "shell", "arguments": arguments } }),
            json!({ "type": "response_item", "payload": { "type": "function_call_output",
                "call_id": "c1", "output": "Exit code: 0\n" } }),
        ];
        let lines = records.map(|mut record| {
            record["timestamp"] = "2026-01-28T11:00:00Z".into();
            record.to_string() + "\n"
        });
        world.write("codex.jsonl", lines.concat());
        let options = "--root project --transcript codex.jsonl --agent-id th --format jsonl";
        let claims = claims(&piped(&world, options, claiming(TIDES)));
        let claim = claims.iter().find(|(rule, ..)| rule == "artifact-unwritten");
        claim.expect("a claim").1.clone()
    };
    assert_eq!(written(&["bash", "-lc", "echo x > docs/tides.md"]), "shown");
    assert_eq!(written(&["grep", "x > docs/tides.md", "a.md"]), "unknown");
    assert_eq!(written(&["python3", "-c", "print > docs/tides.md"]), "unknown");
}
