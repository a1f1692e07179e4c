//! Returns inside other text, complete or truncated, in the forms that shells, clients and streams
//! produce.

use std::process::{Command, Output};

use crate::common::{World, feed, piped, stdout};
use serde_json::{Value, json};

const VALID: &str = r#"{"status":"completed","summary":"The tides are told. They are high.","artifacts":[{"type":"plan","path":"docs/tides.md","summary":"x"}],"metadata":{"session_id":"s","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}}"#;
const FAILED: &str = r#"{"status":"failed","summary":"Nothing was told."}"#;
const CUT: &str = r#"{"status":"completed","summary":"The tides are"#;

const EXTRACT: &str = "--extract --root project --format jsonl";
const TRUNCATED: &str = "it is truncated: it ends before the JSON is complete";
const SHORTER: &str = "return the whole object, shorter if necessary";

fn record(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|_| panic!("{output:?}"))
}

/// Runs a script with the binary in `$R` and a text in `$T`.
fn bash(world: &World, script: &str, text: &str) -> Output {
    let mut bash = Command::new("bash");
    bash.args(["-c", script])
        .env("R", world.retval().get_program())
        .env("T", text)
        .current_dir(world.path(""));
    bash.output().expect("bash runs")
}

/// The text is refused as truncated, with the advice that helps.
#[track_caller]
fn truncated(output: &Output, text: &str) {
    let record = record(output);
    let finding = &record["findings"][0];
    let says = |key: &str, what: &str| finding[key].as_str().is_some_and(|it| it.contains(what));
    assert_eq!(finding["rule"], "json-syntax", "{text}: {record}");
    assert!(says("message", TRUNCATED), "{text}: {record}");
    assert!(says("help", SHORTER), "{text}: {record}");
    assert!(!says("help", "fence") && !says("help", "escape"), "{text}: {record}");
    assert_eq!(output.status.code(), Some(1), "{text}");
}

#[test]
fn a_return_cut_inside_a_string_is_truncated_however_a_shell_hands_it_over() {
    let world = World::new();
    for options in ["", "--extract"] {
        for script in [
            "printf '%s' \"$T\" | \"$R\" check --format jsonl",
            "printf '%s\\n' \"$T\" | \"$R\" check --format jsonl",
            "printf '%s\\r\\n' \"$T\" | \"$R\" check --format jsonl",
            "\"$R\" check --format jsonl <<<\"$T\"",
            "printf '%s\\n' \"$T\" > cut.json; \"$R\" check --format jsonl cut.json",
            "printf '%s\\n' \"$T\" | \"$R\" check --lines --format jsonl",
            "printf '%s\\r\\n' \"$T\" | \"$R\" check --lines --format jsonl",
        ] {
            let script = format!("{script} {options}");
            truncated(&bash(&world, &script, CUT), &script);
        }
    }
}

#[test]
fn a_return_cut_off_anywhere_is_truncated_in_any_wrapping() {
    let world = World::new();
    let before = ["", "```json\n", "Done:\n", "<think>{x}</think>\n", "[x] see [1]: ", "["];
    let after = ["", "\n", "\n```\n", "```", "\n</result>\n", "\u{a0}\n", "\r\n"];
    let ends = [1, 5, 9, 10, 20, 22, 23, 32, 33, 40, VALID.len() - 1];
    for (index, end) in ends.into_iter().enumerate() {
        for (turn, before) in before.into_iter().enumerate() {
            let after = after[(index + turn) % after.len()];
            let text = format!("{before}{}{after}", &VALID[..end]);
            truncated(&piped(&world, EXTRACT, &text), &text);
        }
    }
}

#[test]
fn without_extract_a_truncated_fence_is_reported_as_both() {
    let world = World::new();
    let output = piped(&world, "--format jsonl", format!("```json\n{CUT}\n```\n"));
    let record = record(&output);
    let finding = &record["findings"][0];
    assert_eq!(
        finding["message"],
        "Invalid JSON return from subagent (Cannot parse return as JSON: it is truncated: it ends before the JSON is complete)"
    );
    let help = finding["help"].as_str().expect("help");
    assert!(help.contains(SHORTER) && help.contains("with no text around it"), "{help}");
}

#[test]
fn no_return_is_extracted_from_or_beside_unclosed_json() {
    let world = World::new();
    for text in [
        format!("[{VALID}"),
        format!("Done: [{VALID}]"),
        format!("Done: [1, {VALID}, 2]"),
        format!("Done: [null, {VALID}"),
        format!("Done: [null, {VALID}\nThat is all."),
        format!("{VALID}, {FAILED}]"),
        format!("```json\n[{VALID}, \n```"),
        format!("{VALID}\n```json\n{CUT}\n```"),
        format!("```json\n{CUT}\n```\n{VALID}"),
        format!("{{result: {VALID}}}"),
        format!("{{\"a\" {VALID}}}"),
        format!("{{\"results\":[{FAILED}]}} {VALID}"),
        format!("[x] {{y}} {FAILED} {VALID}"),
        format!("```json\n[{FAILED}, {VALID}]\n```"),
        format!("{VALID} {CUT}"),
        format!("{VALID}}}"),
        format!("\"result\": {VALID}}}"),
    ] {
        let output = piped(&world, EXTRACT, &text);
        let record = record(&output);
        assert_eq!(record["findings"][0]["rule"], "json-syntax", "{text}: {record}");
        assert_eq!(record["status"], Value::Null, "{text}");
        assert_eq!(output.status.code(), Some(1), "{text}");
    }
}

#[test]
fn brackets_of_prose_do_not_hide_a_return() {
    let world = World::new();
    for prose in [
        "Use {x} and {1: 2}. ",
        "see [1] and [docs](url) ",
        "[x] done ",
        "[INFO] 2026-01-01 ",
        "a[0] = b[1]; ",
        "[0, 10) ms, the `{` is there. ",
        "\u{1b}[32mDone\u{1b}[0m ",
    ] {
        for text in [format!("{prose}{VALID}"), format!("{prose}\n```json\n{VALID}\n```\n{prose}")]
        {
            let output = piped(&world, EXTRACT, &text);
            let record = record(&output);
            assert_eq!(record["status"], "completed", "{text}: {record}");
            assert_eq!(record["findings"][0]["rule"], "json-wrapped", "{text}");
            assert_eq!(output.status.code(), Some(0), "{text}");
        }
    }
}

#[test]
fn a_code_span_around_the_whole_message_is_taken_off() {
    let world = World::new();
    let output = piped(&world, EXTRACT, format!("`{VALID}`\n"));
    assert_eq!(record(&output)["status"], "completed", "{output:?}");
    assert_eq!(output.status.code(), Some(0));
    let output = piped(&world, EXTRACT, format!("It would be `{VALID}`\n"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn feedback_on_a_truncated_return_says_only_that() {
    let world = World::new();
    let reason = |message: String| {
        let payload = json!({
            "hook_event_name": "SubagentStop",
            "session_id": "s",
            "agent_type": "planner",
            "stop_hook_active": false,
            "last_assistant_message": message,
        });
        let mut hook = world.retval();
        hook.args(["hook", "--root", "project"]);
        let answer = stdout(&feed(&mut hook, payload.to_string()));
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["decision"], "block", "{answer}");
        answer["reason"].as_str().expect("a reason").to_owned()
    };
    for message in [
        format!("{CUT}\n"),
        format!("Done:\n```json\n{CUT}\n```\n"),
        format!("```json\n{CUT}"),
        format!("[{VALID}"),
    ] {
        let reason = reason(message.clone());
        assert!(reason.contains("is truncated"), "{message}: {reason}");
        let shorter = SHORTER.trim_start_matches('r');
        assert!(reason.contains(shorter), "{message}: {reason}");
        assert!(!reason.contains("fence"), "{message}: {reason}");
    }
}

#[test]
fn a_return_that_is_only_cited_is_refused() {
    let world = World::new();
    for text in [format!("<!-- {VALID} -->\nI failed."), format!("> {VALID}\n\nI failed.")] {
        let output = crate::common::piped(&world, EXTRACT, &text);
        let finding = &record(&output)["findings"][0];
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(finding["rule"], "json-syntax", "{text}");
        let message = finding["message"].as_str().unwrap_or_default();
        let why = "it contains an object only inside other JSON, a comment or a quotation";
        assert!(message.contains(why), "{message}");
    }
}
