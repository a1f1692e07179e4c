//! A failure of the client is the client's: it is told in its own words, and decides what to do next.

use std::fs;

use serde_json::{Value, json};

use crate::common::{World, fixtures, piped, stdout};

fn valid() -> String {
    fs::read_to_string(fixtures().join("profiles/return/failed-research.json")).expect("a fixture")
}

fn lines(events: &[Value]) -> String {
    let lines: Vec<_> = events.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

fn claude(more: &Value) -> Value {
    let mut result = json!({"type": "result", "subtype": "success", "num_turns": 3, "session_id": "s", "is_error": true});
    let members = result.as_object_mut().expect("an object");
    members.extend(more.as_object().expect("an object").clone());
    result
}

fn init() -> Value {
    json!({"type": "system", "subtype": "init", "session_id": "s", "tools": ["Read"]})
}

/// Outputs of clients that failed, the client's own words in them, and what to do next.
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn failures() -> Vec<(&'static str, String, &'static str, &'static str)> {
    let codex = |last: Value| {
        lines(&[
            json!({"type": "thread.started", "thread_id": "t"}),
            json!({"type": "turn.started"}),
            last,
        ])
    };
    let limit = claude(
        &json!({"subtype": "error_max_turns", "errors": ["Reached maximum number of turns (3)"]}),
    );
    let notification = "<task-notification>\n<task-id>a</task-id>\n<status>failed</status>\n<summary>Agent \"Plan\" failed: API Error: 529 Overloaded</summary>\n</task-notification>";
    vec![
        (
            "turns",
            limit.to_string(),
            "error_max_turns: Reached maximum number of turns (3)",
            "stop",
        ),
        (
            "turns, as a stream",
            lines(&[init(), limit]),
            "error_max_turns: Reached",
            "stop",
        ),
        (
            "an older client",
            claude(&json!({"subtype": "error_max_turns", "is_error": false})).to_string(),
            "error_max_turns",
            "stop",
        ),
        (
            "usage",
            claude(&json!({"result": "You've hit your limit · resets 3pm"})).to_string(),
            "You've hit your limit",
            "stop",
        ),
        (
            "overload",
            claude(&json!({"result": "API Error: 529 {\"type\":\"overloaded_error\"}"}))
                .to_string(),
            "API Error: 529",
            "retry",
        ),
        (
            "login",
            claude(&json!({"result": "Invalid API key · Please run /login"})).to_string(),
            "Please run /login",
            "ask",
        ),
        (
            "login, as a text",
            "Invalid API key · Please run /login\n".to_owned(),
            "Please run /login",
            "ask",
        ),
        (
            "overload, as a text",
            "API Error: 529 Overloaded".to_owned(),
            "API Error: 529 Overloaded",
            "retry",
        ),
        (
            "limit of a model, as a text",
            "You've hit your Opus limit · resets 3pm".to_owned(),
            "You've hit your Opus limit",
            "stop",
        ),
        (
            "length, as a text",
            "Prompt is too long".to_owned(),
            "Prompt is too long",
            "retry",
        ),
        (
            "limit, as a text",
            "Claude AI usage limit reached|1735689600".to_owned(),
            "usage limit reached",
            "stop",
        ),
        (
            "limit of some hours, as a text",
            "5-hour limit reached ∙ resets 3pm".to_owned(),
            "5-hour limit reached",
            "stop",
        ),
        (
            "limit of a week, as a text",
            "Weekly limit reached ∙ resets Monday".to_owned(),
            "Weekly limit reached",
            "stop",
        ),
        (
            "limit of a week, with its time, as a text",
            "You've hit your weekly limit · resets Oct 9, 3pm (Europe/Berlin)".to_owned(),
            "You've hit your weekly limit",
            "stop",
        ),
        (
            "tokens, as a text",
            "API Error: Claude's response exceeded the 32000 output token maximum.".to_owned(),
            "exceeded the 32000",
            "retry",
        ),
        (
            "nothing, as a text",
            "(no content)".to_owned(),
            "(no content)",
            "retry",
        ),
        (
            "no answer, as a text",
            "No response requested.".to_owned(),
            "No response requested.",
            "retry",
        ),
        (
            "turns, as a text",
            "Error: Reached max turns (1)\n".to_owned(),
            "Reached max turns (1)",
            "stop",
        ),
        (
            "codex",
            codex(
                json!({"type": "turn.failed", "error": {"message": "You've hit your usage limit."}}),
            ),
            "You've hit your usage limit.",
            "stop",
        ),
        (
            "codex, early",
            codex(json!({"type": "error", "message": "unexpected status 401 Unauthorized"})),
            "401 Unauthorized",
            "ask",
        ),
        (
            "a stream that ends early",
            lines(&[init(), json!({"type": "assistant"})]),
            "the event stream of Claude Code ends before its last event",
            "retry",
        ),
        (
            "a stream that is cut off",
            lines(&[init()]) + "{\"type\":\"assis",
            "ends before its last event",
            "retry",
        ),
        (
            "gemini",
            json!({"session_id": "s", "error": {"type": "Error", "message": "Quota exceeded"}})
                .to_string(),
            "Quota exceeded",
            "stop",
        ),
        (
            "gemini, as a stream",
            lines(&[
                json!({"type": "init", "session_id": "s"}),
                json!({"type": "result", "status": "error", "error": {"type": "E", "message": "connection lost"}}),
            ]),
            "connection lost",
            "retry",
        ),
        (
            "copilot",
            lines(&[
                json!({"type": "session.start", "data": {}}),
                json!({"type": "session.error", "data": {"errorType": "query", "message": "Authentication failed"}}),
                json!({"type": "result", "sessionId": "s", "exitCode": 1}),
            ]),
            "Authentication failed",
            "ask",
        ),
        (
            "a notification",
            notification.to_owned(),
            "failed: API Error: 529 Overloaded",
            "retry",
        ),
        (
            "mcp",
            json!({"content": [{"type": "text", "text": "timed out"}], "isError": true}).to_string(),
            "timed out",
            "retry",
        ),
        (
            "json-rpc",
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Unauthorized"}})
                .to_string(),
            "Unauthorized",
            "ask",
        ),
        (
            "a2a",
            json!({"kind": "task", "id": "t", "contextId": "c", "status": {"state": "auth-required"}})
                .to_string(),
            "the state of the task is auth-required",
            "ask",
        ),
        (
            "a2a, version 1.0",
            json!({"jsonrpc": "2.0", "id": 1, "result": {"task": {"id": "t", "status": {"state": "TASK_STATE_WORKING"}}}})
                .to_string(),
            "the state of the task is working",
            "ask",
        ),
    ]
}

#[test]
fn a_failure_is_told_in_the_clients_words_and_decides_what_to_do_next() {
    let world = World::new();
    let own = "[profiles.review]\nform = \"text\"\nat.status = \"Verdict\"\nstatuses = { APPROVED = \"success\" }\n";
    world.write("own.toml", own);
    for (name, output, words, next) in failures() {
        for profile in ["return", "compact", "any", "review"] {
            let check = |format: &str| {
                let options = format!("--config own.toml --profile {profile} --format {format}");
                stdout(&piped(&world, &options, &output))
            };
            let record: Value = serde_json::from_str(&check("jsonl")).expect("a record");
            let errors: Vec<_> = record["findings"].as_array().expect("a list").iter().collect();
            assert_eq!(errors.len(), 1, "{name} {profile}: {record}");
            assert_eq!(errors[0]["rule"], "return-missing", "{name} {profile}");
            let message = errors[0]["message"].as_str().expect("a text");
            assert!(message.contains(words), "{name} {profile}: {message}");
            assert_eq!(record["next"]["action"], next, "{name} {profile}");
            assert_eq!(check("next"), format!("{next}\n"), "{name} {profile}");
            let text = check("text") + &check("feedback");
            assert!(
                text.contains(
                    "again when the cause is gone, nothing in its answer can be corrected"
                ),
                "{text}"
            );
            assert!(
                !text.contains("instead of prose") && !text.contains("JSON return from"),
                "{text}"
            );
        }
    }
}

#[test]
fn the_failed_return_says_what_the_client_said() {
    let world = World::new();
    let returned = |output: &str| -> Value {
        let output = piped(&world, "--format failed-return", output);
        serde_json::from_slice(&output.stdout).expect("a return")
    };
    let limit = returned("Claude AI usage limit reached|1735689600");
    assert_eq!(limit["errors"][0]["recoverable"], false);
    assert_eq!(limit["errors"][0]["code"], "RETURN_MISSING");
    let next = limit["next_steps"].as_str().expect("a text");
    assert_eq!(next, "Remove the cause of the error, then call the subagent again");
    let overload = returned("API Error: 529 Overloaded");
    assert_eq!(overload["errors"][0]["recoverable"], true);
    assert_eq!(overload["next_steps"], "Call the subagent again");
}

#[test]
fn a_return_that_is_there_all_the_same_is_checked() {
    let world = World::new();
    let valid = valid();
    let message = json!({"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": valid}});
    for output in [
        claude(&json!({"result": valid})).to_string(),
        claude(&json!({"subtype": "error_max_turns", "result": valid})).to_string(),
        lines(&[
            json!({"type": "thread.started", "thread_id": "t"}),
            json!({"type": "turn.started"}),
            message,
            json!({"type": "turn.failed", "error": {"message": "lost"}}),
        ]),
    ] {
        let record: Value =
            serde_json::from_slice(&piped(&world, "--format jsonl", &output).stdout)
                .expect("a record");
        assert_eq!(record["valid"], true, "{record}");
        assert_eq!(record["next"]["action"], "retry", "that of its status");
    }
}

#[test]
fn an_answer_about_errors_is_no_failure() {
    let world = World::new();
    for text in [
        "I looked at the API Error: 529 and it comes from the proxy.",
        "API Error: 429 handling was added to src/client.rs with a backoff.",
        "Credit balance is too low to cover the order in 3 of the 12 test cases.",
        "You've hit your limit in the config: max_stations is 12.",
        "Claude AI usage limit reached is handled in src/limit.rs:12.",
        "[Request interrupted by user] is printed by src/ui.rs:40.",
        "Execution errors are handled in src/run.rs now.",
        "API Error: 404 pages now redirect to the start page.",
        "API Error: 404 {id} redirects to {slug}.",
        "API Error: 400 due to tool use concurrency issues, so I ran the calls one by one.",
        "API Error: Claude's response exceeded the 32000 output token maximum, so I split it.",
        "API Error (429) · Retrying in src/client.rs doubles the pause now.",
        "Prompt is too long, so I split it into two files.",
        "Prompt is too long. I split it.",
        "Invalid API key · the page shows this text now.",
        "Not logged in · is what the start page says without a cookie.",
        "stream disconnected before completion: I added a retry to src/stream.rs.",
        "You've hit your limit · resets are counted in src/limit.rs now.",
        "You've hit your usage limit. Try again is a button now.",
        "Weekly limit reached ∙ resets the counter in src/limit.rs",
        "{\"type\": \"system\", \"note\": \"my own\"}",
        "{\"jsonrpc\": \"1.0\", \"error\": {\"message\": \"x\"}}",
        "{\"content\": [{\"type\": \"text\", \"text\": \"x\"}]}",
        "{\"id\": \"t\", \"status\": {\"state\": \"halfway\"}}",
        "{\"session_id\": \"s\", \"error\": {\"message\": \"x\"}, \"notes\": []}",
    ] {
        let record: Value = serde_json::from_slice(&piped(&world, "--format jsonl", text).stdout)
            .expect("a record");
        assert_ne!(record["findings"][0]["rule"], "return-missing", "{text}");
        assert_eq!(record.get("envelope"), None, "{text}");
        let output = piped(&world, "--profile any", text);
        assert_eq!(output.status.code(), Some(0), "{text}");
    }
}

#[test]
fn no_return_is_said_to_be_where_the_client_failed_without_one() {
    let output = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":9,"session_id":"s","errors":["Reached maximum number of turns (9)"]}"#;
    let text = stdout(&piped(&World::new(), "", output));
    assert!(
        text.starts_with(
            "[INFO] Read the JSON output of Claude Code\n[FAIL] Agent ended without a return"
        ),
        "{text}"
    );
}

#[test]
fn a_line_of_another_program_does_not_hide_a_stream() {
    let world = World::new();
    let stream =
        fs::read_to_string(fixtures().join("envelopes/claude-stream.json")).expect("a fixture");
    let noisy = format!("npm warn config cache\n{stream}");
    let record: Value =
        serde_json::from_slice(&piped(&world, "--root project --format jsonl", &noisy).stdout)
            .expect("a record");
    assert_eq!(record["valid"], true, "{record}");
    assert_eq!(record["envelope"]["line"], 7);
    let line = record["findings"].as_array().map(Vec::len);
    assert_eq!(line, Some(0));
    let two = format!("npm warn\nnpm warn\n{stream}");
    assert_eq!(piped(&world, "--root project", two).status.code(), Some(1), "only one");
}

#[test]
fn a_clients_stream_in_a_file_of_lines_is_one_return() {
    let world = World::new();
    fs::create_dir(world.path("runs")).expect("a folder");
    let mut expected = Vec::new();
    for name in ["claude", "codex", "copilot", "gemini"] {
        let stream = fs::read_to_string(fixtures().join(format!("envelopes/{name}-stream.json")))
            .expect("a fixture");
        world.write(&format!("runs/{name}.jsonl"), stream);
        expected.push((format!("runs/{name}.jsonl"), Value::Null, format!("{name}-stream")));
    }
    let one_line = serde_json::from_str::<Value>(&valid()).expect("JSON").to_string();
    world.write("runs/returns.jsonl", format!("{one_line}\n{one_line}\n"));
    let records = |options: &str| -> Vec<Value> {
        let output = stdout(&world.check(&format!("{options} --root project --format jsonl")));
        output.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
    };
    let found = records("runs");
    let kinds: Vec<_> = found
        .iter()
        .filter(|it| it["line"].is_null())
        .map(|it| {
            assert_eq!(it["valid"], true, "{it}");
            let kind = it["envelope"]["kind"].as_str().expect("a kind");
            (it["source"].as_str().expect("a name").to_owned(), Value::Null, kind.to_owned())
        })
        .collect();
    assert_eq!(kinds, expected);
    assert_eq!(found.len(), expected.len() + 2, "the others are read line by line");
    let single = world.check("runs/claude.jsonl --root project");
    assert!(stdout(&single).starts_with(
        "[INFO] Return read from /result in line 6 of the event stream of Claude Code\n"
    ));
}

#[test]
fn a_return_is_taken_out_of_the_results_of_protocols() {
    let world = World::new();
    let valid: Value = serde_json::from_str(&valid()).expect("JSON");
    let text = valid.to_string();
    let task = |parts: Value, state: &str| json!({"id": "t", "contextId": "c", "status": {"state": state}, "artifacts": [{"artifactId": "a", "parts": parts}]});
    let rpc = |result: Value| json!({"jsonrpc": "2.0", "id": 7, "result": result});
    for (output, kind, pointer) in [
        (
            json!({"content": [{"type": "text", "text": text}], "isError": false}),
            "mcp-result",
            "/content",
        ),
        (
            json!({"content": [{"type": "text", "text": "See there."}], "structuredContent": valid}),
            "mcp-result",
            "/structuredContent",
        ),
        (
            rpc(json!({"content": [{"type": "text", "text": text}]})),
            "mcp-result",
            "/result/content",
        ),
        (task(json!([{"kind": "text", "text": text}]), "completed"), "a2a-task", "/artifacts"),
        (
            task(
                json!([{"kind": "text", "text": "Here:"}, {"kind": "data", "data": valid}]),
                "completed",
            ),
            "a2a-task",
            "/artifacts",
        ),
        (
            rpc(task(json!([{"kind": "data", "data": valid}]), "completed")),
            "a2a-task",
            "/result/artifacts",
        ),
        (
            rpc(json!({"task": task(json!([{"text": text}]), "TASK_STATE_COMPLETED")})),
            "a2a-task",
            "/result/artifacts",
        ),
        (
            json!({"kind": "task", "id": "t", "status": {"state": "completed", "message": {"parts": [{"kind": "text", "text": text}]}}}),
            "a2a-task",
            "/status/message",
        ),
    ] {
        let record: Value =
            serde_json::from_slice(&piped(&world, "--format jsonl", output.to_string()).stdout)
                .expect("a record");
        assert_eq!(record["valid"], true, "{output}: {record}");
        assert_eq!(record["findings"], json!([]), "{output}");
        assert_eq!(
            record["envelope"],
            json!({"kind": kind, "pointer": pointer, "line": null}),
            "{output}"
        );
    }
}

/// A profile whose returns are texts.
const REPORT: &str = "[profiles.report]\nform = 'text'\nat.status = 'Verdict'\nstatuses = { DONE = 'success', '*' = 'other' }\n";

#[test]
fn a_failure_is_no_valid_return_because_its_rule_is_off() {
    let world = World::new();
    for (name, output, ..) in failures() {
        for level in ["off", "warning"] {
            let options = format!("--rule return-missing={level} --format jsonl");
            let checked = piped(&world, &options, &output);
            assert_eq!(checked.status.code(), Some(1), "{name} {level}");
            world.write("retval.toml", REPORT);
            let options = format!("{options} --profile report");
            let checked = piped(&world, &options, &output);
            assert_eq!(checked.status.code(), Some(1), "{name} {level} as a text");
        }
    }
}
