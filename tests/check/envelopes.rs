//! Returns inside the output of agent clients.

use std::fs;
use std::process::Output;

use crate::common::{World, fixtures, piped, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, starts_with};
use serde_json::{Value, json};

const ROOT: &str = "--root project --format jsonl";

fn envelope(name: &str) -> String {
    fs::read_to_string(fixtures().join("envelopes").join(name)).expect("a fixture")
}

fn record(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("a record")
}

/// Every kind of output, and where its return is.
fn all() -> [(&'static str, Value); 7] {
    let at = |kind: &str, pointer: &str, line: Option<usize>| json!({"kind": kind, "pointer": pointer, "line": line});
    [
        ("claude-json.json", at("claude-json", "/result", None)),
        ("claude-stream.json", at("claude-stream", "/result", Some(6))),
        ("codex-stream.json", at("codex-stream", "/item/text", Some(5))),
        ("copilot-stream.json", at("copilot-stream", "/data/content", Some(9))),
        ("gemini-json.json", at("gemini-json", "/response", None)),
        ("gemini-stream.json", at("gemini-stream", "/content", Some(4))),
        ("task-notification.txt", at("task-notification", "<result>", None)),
    ]
}

#[test]
fn the_return_is_taken_out_of_the_output_of_each_client() {
    let world = World::new();
    for (name, place) in all() {
        for options in ["", " --extract"] {
            let record = record(&piped(&world, &format!("{ROOT}{options}"), envelope(name)));
            assert_eq!(record["valid"], true, "{name}{options}: {record}");
            assert_eq!(record["envelope"], place, "{name}{options}");
            assert_eq!(record["status"], "completed", "{name}{options}");
        }
    }
}

#[test]
fn an_event_of_the_client_is_not_the_return() {
    let world = World::new();
    let own = "[profiles.own]\nat.status = '/status'\n\
               statuses = { success = 'success', completed = 'success', failed = 'other' }\n";
    world.write("own.toml", own);
    let stream = [
        json!({"type": "init", "session_id": "s"}),
        json!({"type": "message", "role": "assistant", "content": "I could not do it."}),
        json!({"type": "result", "status": "success", "stats": {}}),
    ];
    let stream = stream.map(|it| it.to_string() + "\n").concat();
    // The client's own status is an object, of which no member is a word.
    let task = json!({
        "id": "t", "contextId": "c", "kind": "task", "status": {"state": "completed"},
        "artifacts": [{"artifactId": "a", "parts": [{"kind": "data", "data": {"status": "failed"}}]}],
    });
    let check = |options: &str, text: String| {
        let options = format!("{ROOT} --config own.toml --profile own {options}");
        let record = record(&piped(&world, &options, text));
        (record["valid"].clone(), record["status"].clone())
    };
    for options in ["", "--extract"] {
        let found = check(options, stream.clone());
        assert_eq!(found, (false.into(), Value::Null), "{options}");
        let found = check(options, task.to_string());
        assert_eq!(found, (true.into(), "failed".into()), "{options}");
    }
}

#[test]
fn the_text_names_the_output_and_the_place() {
    let world = World::new();
    piped(&world, "--root project", envelope("claude-json.json")).assert().code(0).stdout(
        starts_with(
            "[INFO] Return read from /result of the JSON output of Claude Code\n\
             [PASS] Return is valid JSON\n",
        ),
    );
    piped(&world, "--root project", envelope("codex-stream.json")).assert().code(0).stdout(
        starts_with("[INFO] Return read from /item/text in line 5 of the event stream of Codex\n"),
    );
}

#[test]
fn output_that_is_cut_off_is_not_opened() {
    let world = World::new();
    for (name, _) in all() {
        let whole = envelope(name);
        let whole = whole.trim_end();
        let ends = whole.char_indices().map(|(end, _)| end);
        for end in ends.step_by(101).chain([whole.len() - 1]) {
            let record = record(&piped(&world, ROOT, &whole[..end]));
            assert_eq!(record["valid"], false, "{name}, {end} bytes");
            assert_eq!(record.get("envelope"), None, "{name}, {end} bytes");
        }
    }
}

#[test]
fn a_run_that_ended_without_a_message_is_an_empty_return() {
    let world = World::new();
    let ended = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":9,"session_id":"a"}"#;
    let record_of_claude = record(&piped(&world, ROOT, ended));
    assert_eq!(record_of_claude["envelope"]["kind"], "claude-json");
    assert_eq!(record_of_claude["findings"][0]["rule"], "return-missing");
    let codex = envelope("codex-stream.json");
    let silent: Vec<&str> = codex.lines().filter(|line| !line.contains("agent_message")).collect();
    let record = record(&piped(&world, ROOT, silent.join("\n")));
    assert_eq!(record["valid"], false);
    assert_eq!(record["envelope"]["line"], 5);
}

#[test]
fn a_message_of_an_earlier_turn_does_not_count() {
    let world = World::new();
    let first = envelope("codex-stream.json");
    let again = first + "{\"type\":\"turn.started\"}\n{\"type\":\"turn.completed\",\"usage\":{}}\n";
    let record = record(&piped(&world, ROOT, again));
    assert_eq!(record["valid"], false);
    assert_eq!(record["findings"][0]["rule"], "json-syntax");
}

#[test]
fn structured_output_comes_before_the_text() {
    let world = World::new();
    let mut result: Value = serde_json::from_str(&envelope("claude-json.json")).expect("JSON");
    let returned: Value =
        serde_json::from_str(result["result"].as_str().expect("a text")).expect("a return");
    result["structured_output"] = returned;
    result["result"] = "Here is the plan.".into();
    let record = record(&piped(&world, ROOT, result.to_string()));
    assert_eq!(record["valid"], true);
    assert_eq!(record["envelope"]["pointer"], "/structured_output");
}

#[test]
fn findings_are_located_at_the_value_that_holds_the_return() {
    let world = World::new();
    let text = envelope("claude-json.json").replace("completed", "finished");
    world.write("run.json", &text);
    let output = world.check(&format!("run.json {ROOT}"));
    let record = record(&output);
    let finding = &record["findings"][0];
    assert_eq!(finding["rule"], "status-unknown");
    assert_eq!(finding["pointer"], "/status");
    let number =
        |key: &str| usize::try_from(finding[key].as_u64().expect("a number")).expect("small");
    let value = &text[number("offset")..number("offset") + number("length")];
    assert!(value.starts_with("\"{") && value.ends_with("}\""), "{value}");
}

#[test]
fn entities_of_a_notification_are_decoded_once() {
    let world = World::new();
    let text =
        envelope("task-notification.txt").replace("Plan with three phases", "A &amp;lt; B &lt; C");
    let record = record(&piped(&world, ROOT, text.clone()));
    assert_eq!(record["valid"], true);
    let two = text.clone() + &text;
    piped(&world, "--root project", two).assert().code(1);
}

#[test]
fn a_return_in_a_fence_inside_needs_extract() {
    let world = World::new();
    let mut result: Value = serde_json::from_str(&envelope("claude-json.json")).expect("JSON");
    let fenced = format!("```json\n{}\n```", result["result"].as_str().expect("a text"));
    result["result"] = fenced.into();
    let text = result.to_string();
    piped(&world, "--root project", &text).assert().code(1).stdout(contains("Markdown fence"));
    piped(&world, "--root project --extract", &text)
        .assert()
        .code(0)
        .stdout(contains("[WARN] Return is wrapped in a Markdown fence"));
}

#[test]
fn each_line_of_a_stream_may_be_the_output_of_a_client() {
    let world = World::new();
    let line = envelope("claude-json.json");
    let output = piped(&world, &format!("{ROOT} --lines"), line.repeat(3));
    assert_eq!(stdout(&output).matches("\"kind\":\"claude-json\"").count(), 3);
    output.assert().code(0);
}

#[test]
fn output_that_only_looks_like_a_clients_is_not_opened() {
    let world = World::new();
    for text in [
        r#"{"type":"result","result":"{\"status\":\"failed\"}"}"#,
        r#"{"type":"result","num_turns":1,"session_id":"a","result":"{}","result":"{}"}"#,
        r#"{"type":"result","num_turns":1,"session_id":"a","result":{"status":"failed"}}"#,
        r#"{"response":"{}","stats":{}}"#,
        "{\"type\":\"init\"}\n{\"type\":\"result\",\"stats\":{}}\nDone.",
        "<task-notification><result>{}</result>",
        "<task-notification><result>{}</result><result>{}</result></task-notification>",
    ] {
        let record = record(&piped(&world, ROOT, text));
        assert_eq!(record["valid"], false, "{text}");
        assert_eq!(record.get("envelope"), None, "{text}");
    }
}
