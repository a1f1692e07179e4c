//! What the orchestrator should do after a return, as a word, as a record and as a line of text.

use crate::common::{World, piped, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use serde_json::{Value, json};

/// A return of the console with a status and further members.
fn returned(status: &str, more: &Value) -> String {
    let mut value = json!({
        "status": status,
        "summary": "The tides are told. They are high.",
        "artifacts": [{ "type": "plan", "path": "docs/tides.md", "summary": "Tide tables" }],
        "metadata": {
            "session_id": "s", "agent_type": "planner", "duration_seconds": 12.5,
            "delegation_depth": 1, "delegation_path": ["planner"],
        },
    });
    for (key, member) in more.as_object().expect("an object") {
        value[key] = member.clone();
    }
    value.to_string()
}

fn errors(recoverable: &[bool]) -> Value {
    let errors = recoverable.iter().map(|recoverable| {
        json!({ "type": "timeout", "message": "m", "recoverable": recoverable, "recommendation": "r" })
    });
    json!({ "errors": errors.collect::<Vec<_>>() })
}

/// The word, and the exit code next to it.
fn word(world: &World, options: &str, text: &str) -> (String, Option<i32>) {
    let output = piped(world, &format!("--root project --format next {options}"), text);
    (stdout(&output), output.status.code())
}

fn record(world: &World, options: &str, text: &str) -> Value {
    let output = piped(world, &format!("--root project --format jsonl {options}"), text);
    serde_json::from_str(&stdout(&output)).expect("a record")
}

#[test]
fn each_status_of_the_console_return_has_its_word() {
    let world = World::new();
    let (yes, no) = (true, false);
    for (status, more, expected) in [
        ("completed", json!({}), "proceed"),
        ("partial", errors(&[no]), "resume"),
        ("blocked", errors(&[yes]), "ask"),
        ("failed", errors(&[yes, yes]), "retry"),
        ("failed", errors(&[yes, no]), "stop"),
        ("failed", json!({}), "stop"),
        ("failed", json!({ "errors": [] }), "stop"),
        ("failed", json!({ "errors": [{ "type": "timeout", "message": "m" }] }), "stop"),
    ] {
        let text = returned(status, &more);
        let expected = (format!("{expected}\n"), Some(0));
        assert_eq!(word(&world, "", &text), expected, "{text}");
        assert_eq!(word(&world, "--profile return-v1", &text), expected, "{text}");
    }
}

#[test]
fn an_invalid_return_is_retried_and_the_exit_code_stays() {
    let world = World::new();
    let retry = ("retry\n".to_owned(), Some(1));
    for text in ["I am done.", "", "[]", "{}", &returned("completed", &json!({ "artifacts": [] }))]
    {
        assert_eq!(word(&world, "", text), retry, "{text}");
    }
    let blocked = returned("blocked", &json!({}));
    assert_eq!(word(&world, "--strict", &blocked), retry, "its own word is not to be believed");
    assert_eq!(word(&world, "", &blocked), ("ask\n".to_owned(), Some(0)));
}

#[test]
fn an_unknown_status_has_the_word_ask() {
    let world = World::new();
    let odd = returned("mostly", &json!({}));
    let ask = ("ask\n".to_owned(), Some(0));
    assert_eq!(word(&world, "--rule status-unknown=off", &odd), ask);
}

#[test]
fn the_codes_of_agents_have_their_words() {
    let world = World::new();
    for (agent, code, expected) in [
        ("developer", "READY_FOR_QA", "proceed"),
        ("developer", "PARTIAL", "resume"),
        ("developer", "BLOCKED", "ask"),
        ("qa_expert", "FAIL", "proceed"),
        ("qa_expert", "FLAKY", "open"),
        ("tech_lead", "CHANGES_REQUESTED", "proceed"),
        ("tech_lead", "ESCALATE_TO_OPUS", "open"),
        ("project_manager", "CONTINUE", "proceed"),
        ("project_manager", "BAZINGA", "end"),
        ("tech_lead", "SPAWN_INVESTIGATOR", "proceed"),
        ("project_manager", "NEEDS_CLARIFICATION", "ask"),
        ("investigator", "EXHAUSTED", "stop"),
    ] {
        let text = json!({ "status": code }).to_string();
        let options = format!("--profile compact --agent {agent}");
        assert_eq!(word(&world, &options, &text).0, format!("{expected}\n"), "{code}");
    }
}

#[test]
fn the_next_agent_of_the_chain_is_printed_beside_the_word() {
    let world = World::new();
    for (agent, code, action, next) in [
        ("developer", "READY_FOR_QA", "proceed", Some("qa_expert")),
        ("developer", "PARTIAL", "resume", None),
        ("qa_expert", "FAIL", "proceed", Some("developer")),
        ("tech_lead", "CHANGES_REQUESTED", "proceed", Some("developer")),
        ("tech_lead", "ESCALATE_TO_OPUS", "open", None),
        ("project_manager", "BAZINGA", "end", None),
    ] {
        let text = json!({ "status": code }).to_string();
        let found = record(&world, &format!("--profile compact --agent {agent}"), &text);
        assert_eq!(found["next"], json!({ "action": action, "agent": next }));
    }
    let options = "--profile compact --agent developer";
    let invalid = record(&world, options, r#"{"status":"NEARLY"}"#);
    assert_eq!(invalid["next"], json!({ "action": "retry", "agent": null }));
}

#[test]
fn a_profile_sets_its_own_words() {
    let world = World::new();
    let options = "--config config/retval.toml --profile writing --agent";
    for (agent, code, expected) in [
        ("writer", "DRAFTED", "proceed"),
        ("writer", "STUCK", "ask"),
        ("reviewer", "REJECTED", "retry"),
    ] {
        let text = json!({ "status": code }).to_string();
        let found = word(&world, &format!("{options} {agent}"), &text).0;
        assert_eq!(found, format!("{expected}\n"), "{code}");
    }
}

#[test]
fn several_returns_have_a_word_each_in_their_order() {
    let world = World::new();
    world.write("some/a.json", returned("blocked", &json!({})));
    world.write("some/b.ndjson", format!("{}\nno JSON\n", returned("partial", &json!({}))));
    let output = world.check("some gone.json --root project --format next");
    assert_eq!(stdout(&output), "ask\nresume\nretry\nstop\n");
    output.assert().code(2);
}

#[test]
fn a_record_has_all_that_an_orchestrator_needs() {
    let world = World::new();
    let mut more = errors(&[true]);
    more["errors"][0]["code"] = json!("TIMEOUT");
    more["next_steps"] = json!("Run \u{202e}it again.");
    more["partial_progress"] =
        json!({ "stage": "phase_2", "details": "Half done.", "phases_completed": 2 });
    let record = record(&world, "--profile return-meta", &returned("partial", &more));
    assert_eq!(record["next"], json!({ "action": "resume", "agent": null }));
    assert_eq!(record["recoverable"], json!(true));
    assert_eq!(record["next_steps"], json!("Run \u{202e}it again."));
    assert_eq!(record["duration_seconds"], json!(12.5));
    assert_eq!(
        record["partial_progress"],
        json!({ "stage": "phase_2", "details": "Half done.", "phases_completed": 2, "phases_total": null })
    );
    assert_eq!(
        record["errors"],
        json!([{ "type": "timeout", "message": "m", "code": "TIMEOUT", "recoverable": true, "recommendation": "r" }])
    );
    assert_eq!(
        record["artifacts"],
        json!([{ "path": "docs/tides.md", "type": "plan", "summary": "Tide tables", "state": "ok", "bytes": 40 }])
    );
}

#[test]
fn missing_members_are_null() {
    let world = World::new();
    let more = json!({ "errors": ["x", { "message": 1 }], "next_steps": 5, "metadata": { "duration_seconds": "1e999" } });
    let record = record(&world, "", &returned("failed", &more));
    assert_eq!(record["next"]["action"], "retry");
    assert_eq!((&record["next_steps"], &record["duration_seconds"]), (&Value::Null, &Value::Null));
    assert_eq!(record["partial_progress"], Value::Null);
    assert_eq!(record["recoverable"], json!(false));
    let none = json!({ "type": null, "message": null, "code": null, "recoverable": null, "recommendation": null });
    assert_eq!(record["errors"], json!([none]));
}

#[test]
fn whole_numbers_have_no_fraction_and_huge_ones_stay_huge() {
    let world = World::new();
    for (number, expected) in
        [("3600", "3600"), ("-0.5", "-0.5"), ("1e999", "1.7976931348623157e+308")]
    {
        let text = returned("partial", &json!({})).replace("12.5", number);
        let output = piped(&world, "--root project --format jsonl", text);
        let found = stdout(&output);
        assert!(found.contains(&format!("\"duration_seconds\":{expected},")), "{found}");
    }
}
