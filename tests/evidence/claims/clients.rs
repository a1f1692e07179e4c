//! Records of two clients in one file, and of a kind that is not known. They never contradict a claim.

use serde_json::{Value, json};

use super::{Session, TIDES, claiming, claims};
use crate::common::{World, piped, stderr};

/// A run of Codex that ends without a call.
fn of_codex() -> String {
    let event = |payload: Value| json!({ "type": "event_msg", "payload": payload });
    let records = [
        json!({ "type": "session_meta", "payload": { "id": "th", "cwd": "/project" } }),
        event(json!({ "type": "user_message", "message": "Say hello." })),
        event(json!({ "type": "task_complete", "last_agent_message": "Hello." })),
    ];
    let lines = records.map(|mut record| {
        record["timestamp"] = "2026-01-28T11:00:00Z".into();
        record.to_string() + "\n"
    });
    lines.concat()
}

/// The claims that a transcript contradicts, and what it says of the file.
pub(crate) fn told(world: &World, transcript: &str, agent: &str) -> (Vec<String>, String) {
    world.write("session.jsonl", transcript);
    let options = format!("--root project --transcript session.jsonl --format jsonl {agent}");
    let output = piped(world, &options, claiming(TIDES));
    let said = stderr(&output);
    if !said.is_empty() {
        assert_eq!(output.status.code(), Some(2), "{said}");
        return (Vec::new(), said);
    }
    let (mut contradicted, mut of_file) = (Vec::new(), String::new());
    for (rule, value, reason) in claims(&output) {
        if rule == "artifact-unwritten" {
            of_file = format!("{value}: {reason}");
        }
        if value == "contradicted" {
            contradicted.push(rule);
        }
    }
    (contradicted, of_file)
}

#[test]
fn records_of_another_client_contradict_no_claim() {
    const NO_AGENT: &str = "error: --agent-id ";
    const NO_RETURN: &str = "unknown: the last message of the agent is not this return; --agent-id says that it is its run";
    const WRITTEN: &str = "shown: Write call 1 of 1 wrote it";
    let world = World::new();
    let codex = of_codex();
    let claude = Session::of_one(|it| it.write("a1", TIDES)).lines;
    let first = codex.lines().next().expect("a record").to_owned() + "\n";
    let (contradicted, _) = told(&world, &codex, "--agent-id th");
    assert_eq!(contradicted, ["work-none"]);
    let other =
        |line: usize| format!("unknown: the record is not complete: line {line} cannot be read");
    for (transcript, expected) in [
        (codex.clone() + &claude, [NO_RETURN, NO_AGENT, &other(4)]),
        (first.clone() + &claude, [&other(2), NO_AGENT, &other(2)]),
        (claude.clone() + &codex, [NO_RETURN, WRITTEN, NO_AGENT]),
        (claude.clone() + &first, [NO_RETURN, WRITTEN, NO_AGENT]),
    ] {
        for (agent, expected) in ["", "--agent-id a1", "--agent-id th"].iter().zip(expected) {
            let (contradicted, of_file) = told(&world, &transcript, agent);
            assert_eq!(contradicted, Vec::<String>::new(), "{transcript}");
            assert!(of_file.starts_with(expected), "{agent}: {of_file}");
        }
    }
}

#[test]
fn messages_of_an_unknown_kind_contradict_no_claim() {
    let world = World::new();
    let claude = Session::of_one(|it| it.write("a1", TIDES)).lines;
    for kind in ["assistant.message", "gemini", "assistant_v2"] {
        let unknown = |line: &str| {
            let mut record: Value = serde_json::from_str(line).expect("JSON");
            if line.contains("tool_use") || line.contains("tool_result") {
                record["type"] = kind.into();
                record["uuid"] = "u".into();
            }
            record.to_string() + "\n"
        };
        let transcript: String = claude.lines().map(unknown).collect();
        let (contradicted, of_file) = told(&world, &transcript, "--agent-id a1");
        assert_eq!(contradicted, [""; 0], "{kind}");
        let expected = "unknown: the record is not complete: line ";
        assert!(of_file.starts_with(expected), "{of_file}");
    }
}

#[test]
fn copies_of_requests_are_no_messages() {
    let world = World::new();
    let claude = Session::of_one(|it| it.write("a1", TIDES)).lines;
    let first: Value =
        serde_json::from_str(claude.lines().next().expect("a record")).expect("JSON");
    let copy = json!({
        "type": "api-request-blob",
        "sessionId": first["sessionId"],
        "agentId": "a1",
        "hash": "5d41402a",
        "message": { "role": "user", "content": [{ "type": "text", "text": "Write it." }] },
    });
    let copied = |line: &str| format!("{line}\n{copy}\n");
    let (mut lines, last) = (claude.lines().collect::<Vec<_>>(), claude.lines().last());
    lines.pop();
    let transcript: String = lines.into_iter().map(copied).collect();
    let transcript = transcript + last.expect("a record") + "\n";
    let (contradicted, of_file) = told(&world, &transcript, "--agent-id a1");
    assert_eq!(contradicted, [""; 0]);
    assert_eq!(of_file, "shown: Write call 1 of 1 wrote it, 0 seconds after the start");
}
