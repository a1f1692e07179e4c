//! Transcripts of agents in files of their own: which agent is meant, and what its caller has of it.

use serde_json::{Value, json};

use super::{Session, TIDES, claiming, claims};
use crate::common::{World, piped};

/// The records of a call that started an agent, and of its answer, in the transcript of its caller.
fn delegation(caller: &str, id: &str, answer: &str, calls: u64) -> String {
    let call = format!("t-{id}");
    let input = json!({ "prompt": "Plan the tide tables.", "subagent_type": "planner" });
    let used = json!({ "type": "tool_use", "id": call, "name": "Agent", "input": input });
    let content = json!([{ "type": "text", "text": answer }]);
    let block = json!({ "type": "tool_result", "tool_use_id": call, "content": content });
    let result = json!({ "status": "completed", "agentId": id, "content": content,
        "totalToolUseCount": calls, "totalTokens": 900 });
    let records = [
        json!({ "type": "user", "message": { "content": "Go." } }),
        json!({ "type": "assistant", "message": { "id": call, "content": [used] } }),
        json!({ "type": "user", "message": { "content": [block] }, "toolUseResult": result }),
        json!({ "type": "assistant", "message": { "id": "m", "content": content } }),
    ];
    let lines = records.map(|mut record| {
        record["sessionId"] = "7d3e0c1a".into();
        record["timestamp"] = "2026-01-28T11:00:00Z".into();
        if caller != "main" {
            record["isSidechain"] = true.into();
            record["agentId"] = caller.into();
        }
        record.to_string() + "\n"
    });
    lines.concat()
}

/// The record of `b2` with its answer, which is the return, and without its calls.
fn without_calls() -> String {
    let session = Session::default().task("b2", "Plan the tide tables.");
    session.record("b2", "assistant", "", &answer()).lines
}

fn answer() -> Value {
    json!([{ "type": "text", "text": claiming(TIDES) }])
}

/// `value: reason` of the claim of a rule.
fn told(world: &World, options: &str, rule: &str) -> String {
    let options = format!("--root project --format jsonl {options}");
    let output = piped(world, &options, claiming(TIDES));
    let claims = claims(&output);
    let claim = claims.iter().find(|(id, ..)| id == rule);
    claim.map_or_else(String::new, |(_, value, reason)| format!("{value}: {reason}"))
}

const COUNTED: &str = "unknown: the record is not complete: it has 0 of 3 calls";

#[test]
fn the_count_of_a_caller_that_is_an_agent_is_read() {
    let folder = "7d3e0c1a/subagents";
    let own = format!("--transcript {folder}/agent-b2.jsonl");
    let unwritten = "artifact-unwritten";
    let sidecar = json!({ "agentType": "planner", "parentAgentId": "a1", "spawnDepth": 2 });
    for has_sidecar in [true, false] {
        let world = World::new();
        world.write(&format!("{folder}/agent-b2.jsonl"), without_calls());
        assert_eq!(told(&world, &own, "work-none").split(':').next(), Some("contradicted"));
        world.write("7d3e0c1a.jsonl", delegation("main", "a1", "Done.", 1));
        let caller = delegation("a1", "b2", &claiming(TIDES), 3);
        world.write(&format!("{folder}/agent-a1.jsonl"), caller);
        if has_sidecar {
            world.write(&format!("{folder}/agent-b2.meta.json"), sidecar.to_string());
        }
        for options in [&own, "--transcript 7d3e0c1a.jsonl --agent-id b2"] {
            assert_eq!(told(&world, options, "work-none"), "", "{options}");
            assert_eq!(told(&world, options, unwritten), COUNTED, "{options}");
        }
    }
}

#[test]
fn the_transcript_of_an_agent_is_of_that_agent_although_its_caller_gave_the_same_answer() {
    let world = World::new();
    let folder = "7d3e0c1a/subagents";
    let returned = claiming(TIDES);
    world.write("7d3e0c1a.jsonl", delegation("main", "a1", &returned, 1));
    let caller = delegation("a1", "b2", &returned, 1);
    world.write(&format!("{folder}/agent-a1.jsonl"), caller);
    let session = Session::default().task("b2", "Plan.").write("b2", TIDES);
    let session = session.record("b2", "assistant", "", &answer());
    world.write(&format!("{folder}/agent-b2.jsonl"), &session.lines);
    let value = |file: &str| told(&world, &format!("--transcript {file}"), "artifact-unwritten");
    let wrote = "Write call 1 of 1 wrote it, 0 seconds after the start";
    assert_eq!(value(&format!("{folder}/agent-b2.jsonl")), format!("shown: {wrote}"));
    assert_eq!(
        value("7d3e0c1a.jsonl"),
        "unknown: the transcript has several agents; --agent-id says which one"
    );
}
