//! `--format return` prints a valid return for every profile, agent and session.

use std::fmt::Write as _;

use crate::common::{World, feed, stderr, stdout};
use crate::common::seeds;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

/// The failed return for this text, and the record of its own check with the same options.
fn failed(world: &World, options: &[String], text: &str) -> (String, Value, Option<i32>) {
    let check = |format: &str, text: &str| {
        let mut command = world.retval();
        command.args(["check", "--format", format]).args(options);
        feed(&mut command, text)
    };
    let failed = stdout(&check("return", text));
    let output = check("jsonl", &failed);
    let record = serde_json::from_slice(&output.stdout).expect("a record");
    (failed, record, output.status.code())
}

#[test]
fn names_of_any_length_and_words_are_passed_on() {
    let world = World::new();
    let blank_start = " ".repeat(200) + "x";
    for name in [
        &*blank_start,
        &"n".repeat(201),
        &"é".repeat(3_000),
        "orchestrator",
        "Dr. No? Yes! v1.2",
        "🚀 <b>bold</b> `code` **x**",
        "a\u{200b}b",
    ] {
        let mut returned: Value = serde_json::from_str(
            r#"{"status":"odd","summary":"x","artifacts":[],"metadata":{"delegation_depth":1,"delegation_path":["orchestrator"]}}"#,
        )
        .expect("JSON");
        for (agent_by, session_by) in [("", ""), ("agent_type", ""), ("agent_type", "session_id")] {
            let metadata = &mut returned["metadata"];
            for key in [agent_by, session_by].iter().filter(|key| !key.is_empty()) {
                metadata[*key] = name.into();
            }
            for profile in ["return", "return-v1", "return-meta", "handoff"] {
                let mut options = vec!["--profile".to_owned(), profile.to_owned()];
                for text in ["prose", &returned.to_string()] {
                    let (failed, record, code) = failed(&world, &options, text);
                    let findings = &record["findings"];
                    assert_eq!(
                        (findings, code),
                        (&Value::Array(vec![]), Some(0)),
                        "{failed}"
                    );
                }
                options.extend(["--session", name, "--agent", name, "--strict"].map(str::to_owned));
                for text in ["prose", &returned.to_string()] {
                    let (failed, record, code) = failed(&world, &options, text);
                    let findings = &record["findings"];
                    assert_eq!(
                        (findings, code),
                        (&Value::Array(vec![]), Some(0)),
                        "{failed}"
                    );
                }
            }
        }
    }
}

/// Members of every type, where the profile describes them and where it does not.
const FIELDS: [&str; 22] = [
    "ticket",
    "metadata.team",
    "metadata.duration_seconds",
    "metadata.phase_count",
    "metadata.retries",
    "metadata.warnings",
    "errors",
    "errors[].code",
    "errors[].severity",
    "next_steps",
    "started_at",
    "partial_progress",
    "partial_progress.stage",
    "partial_progress.phases_total",
    "partial_progress.mood",
    "completion_data",
    "completion_data.completion_summary",
    "completion_data.roadmap_items",
    "completion_data.claudemd_suggestions",
    "artifacts[].checksum",
    "metadata.findings_count",
    "summary",
];
const HANDOFF_FIELDS: [&str; 12] = [
    "ticket",
    "timestamp",
    "files_created",
    "artifacts",
    "tests",
    "tests.total",
    "tests_run",
    "lint_issues",
    "security_issues",
    "coverage_acceptable",
    "concerns",
    "total_tests.passed",
];

/// A custom profile in `retval.toml`.
fn profile() -> impl Strategy<Value = String> {
    let base = select(vec!["return", "return-v1", "return-meta", "handoff"]);
    let limits = (
        1..40_usize,
        1..5_usize,
        0..4_usize,
        1..700_usize,
        any::<[bool; 5]>(),
    );
    let failure = select(vec!["", "gave_up", "partial", "in_progress"]);
    (
        base,
        subsequence(&FIELDS[..], 0..=FIELDS.len()),
        subsequence(&HANDOFF_FIELDS[..], 0..=HANDOFF_FIELDS.len()),
        limits,
        failure,
    )
        .prop_map(|(base, fields, of_handoffs, limits, failure)| {
            let is_handoff = base == "handoff";
            let fields = if is_handoff { of_handoffs } else { fields };
            let mut text = format!("[profiles.own]\nextends = \"{base}\"\nrequired = {fields:?}\n");
            let failure = match failure {
                "in_progress" if base != "return-meta" => "gave_up",
                other => other,
            };
            if !is_handoff && !failure.is_empty() {
                if failure == "gave_up" {
                    text += "statuses = { gave_up = \"other\" }\n";
                }
                let _ = writeln!(text, "failure = \"{failure}\"");
            }
            let (most, sentences, more, characters, set) = limits;
            let rows = [
                format!("summary-tokens = {most}"),
                format!("sentences = [{sentences}, {}]", sentences + more),
                format!("summary-characters-at-least = {characters}"),
                format!("error-message-characters = {characters}"),
                format!("next-steps-characters = {characters}"),
            ];
            text += "[profiles.own.limits]\n";
            for (row, _) in rows.iter().zip(set).filter(|(_, is_set)| *is_set) {
                let _ = writeln!(text, "{row}");
            }
            text
        })
}

#[test]
fn a_failed_return_is_valid_in_any_profile() {
    let name = || {
        let word = select(vec![
            "a",
            " ",
            ".",
            "🚀",
            "<b>",
            "\u{200b}",
            "É",
            "\"",
            "orchestrator",
        ]);
        vec(word, 1..30).prop_map(|words| words.concat())
    };
    let inputs = (profile(), name(), name(), any::<bool>());
    let world = World::new();
    seeds::hold(60, &inputs, |(profile, agent, session, is_named)| {
        world.write("retval.toml", &profile);
        let mut options = vec!["--profile".to_owned(), "own".to_owned()];
        if is_named {
            options.push(format!("--agent={agent}"));
        }
        // A session that no one can see is a usage error.
        if is_named && session.contains(|it| !matches!(it, ' ' | '\u{200b}')) {
            options.push(format!("--session={session}"));
        }
        let own = serde_json::json!({"agent_type": agent, "session_id": session});
        let returned = serde_json::json!({"status": "odd", "metadata": own, "from_agent": agent});
        for text in ["prose", &returned.to_string()] {
            let (failed, record, code) = failed(&world, &options, text);
            prop_assert_eq!(code, Some(0), "{}\n{}\n{}", profile, failed, record);
        }
        Ok(())
    });
}

#[test]
fn a_profile_whose_failure_means_success_is_refused() {
    let world = World::new();
    for text in [
        "[profiles.own]\nextends = \"return\"\nfailure = \"completed\"\n",
        "[profiles.own]\nextends = \"return\"\nstatuses = { failed = \"success\" }\n",
    ] {
        world.write("retval.toml", text);
        let output = world.check("--profile own");
        assert_eq!(output.status.code(), Some(2), "{text}");
        let error = stderr(&output);
        assert!(error.contains("means success"), "{error}");
    }
}

#[test]
fn no_session_is_invisible() {
    let world = World::new();
    for (text, shown) in [
        ("", ""),
        (" \t", "\\u{20}\\t"),
        ("\u{200b}\u{feff}", "\\u{200b}\\u{feff}"),
    ] {
        let mut retval = world.retval();
        let output = feed(retval.args(["check", "--session", text]), "{}");
        assert_eq!(output.status.code(), Some(2), "{text:?}");
        let expected = format!(
            "error: invalid value '{shown}' for '--session <ID>': it has no visible character\n"
        );
        assert!(
            stderr(&output).starts_with(&expected),
            "{}",
            stderr(&output)
        );
    }
    let mut retval = world.retval();
    let returned = r#"{"metadata": {"session_id": "s"}}"#;
    let output = feed(
        retval.arg("check").env("RETVAL_SESSION", "\u{a0}"),
        returned,
    );
    let skipped = "[SKIP] Session ID: no --session was given\n";
    assert!(stdout(&output).contains(skipped), "{}", stdout(&output));
}

/// What a return that is prose becomes in the two profiles of the compact protocol.
#[test]
fn no_agent_is_given_a_verdict_that_it_did_not_give() {
    let world = World::new();
    for (agent, word) in [
        ("developer", "BLOCKED"),
        ("senior_software_engineer", "BLOCKED"),
        ("qa_expert", "BLOCKED"),
        ("project_manager", "NEEDS_CLARIFICATION"),
        ("investigator", "BLOCKED"),
        ("requirements_engineer", "BLOCKED"),
        ("stranger", "BLOCKED"),
    ] {
        let options = ["--profile", "compact", "--agent", agent].map(str::to_owned);
        let (failed, record, code) = failed(&world, &options, "it is fine");
        assert_eq!(failed, format!("{{\"status\":\"{word}\"}}\n"), "{agent}");
        assert_eq!(
            (record["next"]["action"].as_str(), code),
            (Some("ask"), Some(0))
        );
    }
}

#[test]
fn the_failed_return_of_a_reviewer_leads_to_nobody() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.own]\nextends = \"compact\"\n[profiles.own.agents.reviewer]\n\
         statuses = { GOOD = \"success\", BAD = \"other\" }\nfailure = \"off\"\n",
    );
    for (profile, agent) in [
        ("compact", "tech_lead"),
        ("handoff", "tech_lead"),
        ("own", "reviewer"),
    ] {
        let mut retval = world.retval();
        retval.args(["check", "--profile", profile, "--agent", agent]);
        retval.args(["--session", "s", "--format", "return"]);
        let failed: Value =
            serde_json::from_slice(&feed(&mut retval, "it is fine").stdout).expect("a return");
        let words = ["status", "errors"].map(|key| failed[key].to_string());
        assert_eq!(words[0], "\"failed\"", "{profile}");
        assert!(words[1].contains("it is plain text"), "{failed}");
        let mut retval = world.retval();
        retval.args(["check", "--agent", agent, "--session", "s", "--strict"]);
        let output = feed(&mut retval, failed.to_string());
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    }
}
