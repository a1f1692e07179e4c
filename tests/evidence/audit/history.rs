//! One run is counted once, in whatever files it stands, and nothing is said that no file says.

use std::fs;

use super::made::{Agent, Session, joined, writes};
use super::{audit, json, report, runs};
use crate::common::{World, stderr};
use serde_json::{Value, json};

#[test]
fn a_run_in_many_files_is_one_run() {
    let world = World::new();
    let history = world.path("history");
    let agent = Agent::new("a1", "planner", "The plan is in plan.md.");
    let mut session = Session::new(&history, "s1", "/project", 2);
    session.call(&agent);
    session.write();
    session.write_agent(&agent, &writes("/project/plan.md"));
    // A checkpoint of the session, and a copy of the agent that ends earlier.
    fs::create_dir_all(history.join("checkpoint")).expect("a folder");
    fs::copy(session.path(), history.join("checkpoint/full.jsonl")).expect("a copy");
    let records = session.records(&agent, &writes("/project/plan.md"));
    let cut = joined(&records[..2]);
    fs::write(history.join("checkpoint/agent-a1.jsonl"), cut).expect("a file");
    let report = json(&world, &history, "");
    assert_eq!(report["runs"], 1);
    assert_eq!(report["sources"]["records"], 4);
    let run = &runs(&world, &history, "")[0];
    assert_eq!(run["outcome"], "returned");
    assert_eq!((&run["calls"], &run["tokens"]), (&json!(1), &json!(150)));
    assert_eq!(run["context_tokens"], 900);
    assert_eq!(run["milliseconds"], 4000);
    assert_eq!(run["model"], "claude-opus-5-5");
}

#[test]
fn an_agent_without_a_link_is_paired_with_its_call_by_session_and_prompt() {
    let world = World::new();
    let history = world.path("history");
    let agent = Agent::new("a1", "planner", "The plan is ready.");
    let mut session = Session::new(&history, "s1", "/project", 2);
    session.begin(&agent);
    session.write();
    fs::write(history.join("agent-a1.jsonl"), joined(&session.records(&agent, &[])))
        .expect("a file");
    let runs = runs(&world, &history, "");
    assert_eq!(runs.len(), 1, "{runs:?}");
    assert_eq!((&runs[0]["agent"], &runs[0]["call_id"]), (&json!("planner"), &json!("t-a1")));
}

#[test]
fn a_member_of_a_team_is_one_run_that_answers_by_messages() {
    // Newer versions name the transcript of the member in the result of the call, older ones do not.
    for (linked, sidecar) in [
        (
            json!({"agentId": "amate-3c0b", "agent_id": "amate-3c0b"}),
            json!({"agentType": "mate", "name": "mate", "spawnDepth": 0, "spawnedAgentType": "planner",
                "taskKind": "in_process_teammate", "teamName": "session-5205"}),
        ),
        (json!({"agent_id": "mate@session-5205"}), json!({"agentType": "planner"})),
    ] {
        let world = World::new();
        let history = world.path("history");
        let mut session = Session::new(&history, "s1", "/project", 2);
        let planner = Agent::new("a1", "planner", "The plan is ready.");
        session.call(&planner);
        session.write_agent(&planner, &[]);
        let mate = Agent::new("amate-3c0b", "planner", "The plan is in plan.md.");
        session.begin(&mate);
        let mut result = json!({"status": "teammate_spawned", "prompt": "Look at amate-3c0b.",
            "teammate_id": "mate@session-5205", "agent_type": "planner", "name": "mate",
            "team_name": "session-5205", "is_splitpane": false});
        let fields = result.as_object_mut().expect("an object");
        fields.extend(linked.as_object().expect("an object").clone());
        session.result(&mate, &json!("Spawned successfully."), false, &result);
        session.write();
        let mut records = session.records(&mate, &writes("/project/plan.md"));
        records[0]["message"]["content"] = json!(
            "<teammate-message teammate_id=\"team-lead\" summary=\"a > b\">\nLook at amate-3c0b.\n\
             </teammate-message>"
        );
        let file = history.join("s1/subagents/agent-amate-3c0b");
        fs::write(file.with_extension("jsonl"), joined(&records)).expect("a file");
        let path = file.with_extension("meta.json");
        fs::write(path, sidecar.to_string()).expect("a file");
        let report = json(&world, &history, "");
        assert_eq!(report["runs"], 2, "{linked}");
        assert_eq!(report["lost"]["count"], 0);
        let mut runs = runs(&world, &history, "");
        let mut own = runs.pop().expect("a run");
        if own["outcome"] == "returned" {
            own = runs.pop().expect("a run");
        }
        assert_eq!((&own["outcome"], &own["agent"]), (&json!("teammate"), &json!("planner")));
        assert_eq!((&own["tokens"], &own["calls"]), (&json!(150), &json!(1)));
        assert_eq!(own["call_id"], "t-amate-3c0b");
        // The member's own file alone says what it is, with the sidecar or without.
        fs::remove_file(session.path()).expect("removed");
        let report = json(&world, &history, "");
        assert_eq!(report["outcomes"][1]["outcome"], "teammate", "{report}");
    }
}

#[test]
fn every_outcome_is_told_from_the_others() {
    let world = World::new();
    let history = world.path("history");
    let mut session = Session::new(&history, "s1", "/project", 2);
    for (id, answer, tokens) in [
        ("returned", "The parser has two faults.", 900),
        ("limit", "Claude usage limit reached. Try later.", 0),
        ("error", "API Error: 529 overloaded", 0),
        ("fragment", "I found the file. Let me look at the parser next.", 900),
        ("placeholder", "<summary>", 900),
        ("empty", "", 900),
    ] {
        session.call(&Agent { total_tokens: tokens, ..Agent::new(id, "scout", answer) });
    }
    for (id, text) in [
        ("never-ran", "The user doesn't want to proceed with this tool use."),
        ("never-ran-2", "<tool_use_error>InputValidationError: Agent failed</tool_use_error>"),
    ] {
        let agent = Agent::new(id, "scout", "");
        session.begin(&agent);
        session.result(&agent, &json!(text), true, &json!("Error"));
    }
    let teammate = Agent::new("teammate", "scout", "");
    session.begin(&teammate);
    session.result(&teammate, &json!("ok"), false, &json!({"status": "teammate_spawned"}));
    let launched = Agent::new("no-end", "scout", "");
    session.begin(&launched);
    session.result(
        &launched,
        &json!("ok"),
        false,
        &json!({"status": "async_launched", "agentId": "no-end"}),
    );
    let interrupted = Agent::new("interrupted", "scout", "[Request interrupted by user]");
    session.begin(&interrupted);
    session.write();
    let stopped = [json!({"role": "user", "content": "[Request interrupted by user]"})];
    let mut records = session.records(&interrupted, &stopped);
    records.pop();
    let path = history.join("s1/subagents/agent-interrupted.jsonl");
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, joined(&records)).expect("a file");
    for run in runs(&world, &history, "") {
        let id = run["call_id"].as_str().or(run["agent_id"].as_str()).expect("an id");
        let expected = id.trim_start_matches("t-").trim_end_matches("-2");
        assert_eq!(run["outcome"], expected, "{run}");
    }
    let report = json(&world, &history, "");
    assert_eq!(report["runs"], 11);
    let of = |outcome: &str| {
        let outcomes = report["outcomes"].as_array().expect("outcomes");
        let found = outcomes.iter().find(|it| it["outcome"] == outcome);
        found.expect("it is there").clone()
    };
    assert_eq!(of("limit")["rate"]["count"], 1);
    // Lost are those that certainly brought no answer.
    assert_eq!(report["lost"]["count"], 7);
}

/// A thread of Codex, by its `source`, and with the records after the task.
fn thread(id: &str, source: &Value, records: &[Value]) -> String {
    let line = |kind: &str, payload: &Value| json!({"timestamp": "2026-11-02T10:00:00Z", "type": kind, "payload": payload});
    let first = json!({"id": id, "cwd": "/project", "cli_version": "0.160.0", "source": source});
    let task = json!({"type": "user_message", "message": "Go."});
    let mut lines = vec![line("session_meta", &first), line("event_msg", &task)];
    lines.extend(records.iter().map(|it| line(it["of"].as_str().expect("a kind"), it)));
    joined(&lines)
}

#[test]
fn what_a_client_starts_for_itself_is_no_delegation() {
    let world = World::new();
    let history = world.path("history");
    fs::create_dir_all(&history).expect("a folder");
    let spawn =
        json!({"thread_spawn": {"parent_thread_id": "main", "depth": 1, "agent_role": "scout"}});
    let done =
        [json!({"of": "event_msg", "type": "task_complete", "last_agent_message": "It is done."})];
    for (id, source) in [
        ("guardian", json!({"subagent": {"other": "guardian"}})),
        ("guardian-2", json!({"subagent": {"other": "guardian"}})),
        ("review", json!({"subagent": "review"})),
        ("memory", json!({"subagent": "memory_consolidation"})),
        ("compact", json!({"subagent": "compact"})),
        ("spawned", json!({"subagent": spawn})),
        ("main", json!("cli")),
    ] {
        fs::write(history.join(format!("{id}.jsonl")), thread(id, &source, &done)).expect("a file");
    }
    let text = report(&world, &history, "");
    assert!(text.starts_with("1 delegation in 7 transcripts of codex"), "{text}");
    let said = "Not counted: 5 agents that the client started for itself.\n";
    assert!(text.contains(said), "{text}");
    let json = json(&world, &history, "");
    assert_eq!(json["sources"]["of_client"], 5);
    assert_eq!((&json["runs"], &json["agents"][0]["name"]), (&json!(1), &json!("scout")));
}

#[test]
fn reasoning_alone_is_no_text() {
    let world = World::new();
    let history = world.path("history");
    let mut session = Session::new(&history, "s1", "/project", 2);
    let thinking = json!([{"type": "thinking", "thinking": "Hm.", "signature": "x"}, {"type": "text", "text": " "}]);
    for (id, reason, outcome) in [
        ("a-ended", json!("end_turn"), "empty"),
        ("a-cut", json!("max_tokens"), "empty"),
        // The message goes on.
        ("a-open", json!(null), "no-end"),
    ] {
        let agent = Agent::new(id, outcome, "");
        let mut records = session.records(&agent, &writes("/project/plan.md"));
        let last = &mut records.last_mut().expect("an answer")["message"];
        (last["content"], last["stop_reason"]) = (thinking.clone(), reason);
        let folder = history.join("s1/subagents");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("agent-{id}.jsonl")), joined(&records)).expect("a file");
        session.begin(&agent);
        let launched = json!({"status": "async_launched", "agentId": id, "agentType": outcome});
        session.result(&agent, &json!("ok"), false, &launched);
    }
    session.write();
    let source = json!({"subagent": {"thread_spawn": {"parent_thread_id": "main", "depth": 1, "agent_role": "empty"}}});
    let reasoning = json!({"of": "response_item", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]});
    let done = json!({"of": "event_msg", "type": "task_complete", "last_agent_message": null});
    let codex = thread("c", &source, &[reasoning, done]);
    let gemini = [
        json!({"sessionId": "g", "projectHash": "p", "kind": "subagent", "startTime": "2026-11-02T10:00:00Z"}),
        json!({"id": "1", "type": "user", "timestamp": "2026-11-02T10:00:01Z", "content": "Go."}),
        json!({"id": "2", "type": "gemini", "timestamp": "2026-11-02T10:00:02Z", "content": "", "thoughts": [{"subject": "x", "description": "Hm."}]}),
    ];
    let opencode = json!({
        "info": {"id": "o", "parentID": "p", "directory": "/project", "version": "1.18.31", "time": {"created": 1}},
        "messages": [
            {"info": {"role": "user", "id": "m1", "sessionID": "o", "agent": "empty", "time": {"created": 1}}, "parts": [{"type": "text", "text": "Go."}]},
            {"info": {"role": "assistant", "id": "m2", "sessionID": "o", "agent": "empty", "time": {"created": 2, "completed": 3}},
                "parts": [{"type": "step-start"}, {"type": "reasoning", "text": "Hm."}, {"type": "step-finish", "reason": "stop"}]},
        ],
    });
    let qwen = |kind: &str, parts: &Value| {
        json!({"uuid": kind, "sessionId": "q", "agentId": "empty-1", "isSidechain": true, "timestamp": "2026-11-02T10:00:00Z", "cwd": "/project",
            "version": "0.5.0", "type": kind, "message": {"role": kind, "parts": parts}})
    };
    let qwen = [
        qwen("user", &json!([{"text": "Go."}])),
        qwen("assistant", &json!([{"text": "Hm.", "thought": true}])),
    ];
    for (name, text) in [
        ("codex.jsonl", codex),
        ("gemini.jsonl", joined(&gemini)),
        ("opencode.json", opencode.to_string()),
        ("qwen.jsonl", joined(&qwen)),
    ] {
        fs::write(history.join(name), text).expect("a file");
    }
    let runs = runs(&world, &history, "");
    assert_eq!(runs.len(), 7);
    for run in runs {
        let expected = run["agent"].as_str().unwrap_or("empty");
        assert_eq!(run["outcome"], expected, "{run}");
    }
}

#[test]
fn damaged_and_growing_files_are_read_as_far_as_they_go() {
    let world = World::new();
    let history = world.path("history");
    let agent = Agent::new("a1", "planner", "The plan is ready.");
    let session = Session::new(&history, "s1", "/project", 2);
    let records = joined(&session.records(&agent, &writes("/project/plan.md")));
    fs::create_dir_all(&history).expect("a folder");
    // Two records on one line, then the beginning of a third.
    let glued = records.replacen('\n', "", 1);
    fs::write(history.join("agent-a1.jsonl"), &glued[..glued.len() - 40]).expect("a file");
    fs::write(history.join("empty.jsonl"), "").expect("a file");
    fs::write(history.join("other.json"), "{\"name\": \"tides\"}").expect("a file");
    fs::write(history.join("cut.jsonl"), "{\"type\": \"user\", \"sess").expect("a file");
    let report = json(&world, &history, "");
    assert_eq!((&report["runs"], &report["sources"]["other_files"]), (&json!(1), &json!(2)));
    assert_eq!(report["sources"]["unread"], 1);
    // The last message is not whole: what came back is not known.
    assert_eq!(report["outcomes"][0]["outcome"], "no-end");
}

#[test]
fn a_history_without_agents_or_transcripts_is_said_to_have_none() {
    let world = World::new();
    let history = world.path("history");
    Session::new(&history, "s1", "/project", 2).write();
    let text = report(&world, &history, "");
    assert!(text.starts_with("0 delegations in 1 transcript of claude-code ("), "{text}");
    let nothing = world.path("project");
    let output = audit(&world, &[&nothing], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has no transcript of a known client"), "{}", stderr(&output));
    let output = audit(&world, &[&world.path("missing")], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read"), "{}", stderr(&output));
}
