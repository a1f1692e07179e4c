//! The failed return is valid in every profile, for every agent and session.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use crate::format::{Checked, Format, Profiles, ReportOptions, Source};
use crate::laws::generated::seeds;
use crate::{Checker, Config, Profile, Root};

/// The failed return for a text, and what is found in it by the same checker.
fn failed(checker: &Checker<'_>, profiles: &Profiles, text: &str) -> (String, Vec<String>) {
    let report = checker.check(text);
    let mut failed = Vec::new();
    Format::Return
        .reporter(&ReportOptions::default(), profiles)
        .report(&Source::new("-"), Checked::Report(&report), &mut failed);
    let again = checker.check(&failed);
    let found = again.findings.iter().map(ToString::to_string).collect();
    assert!(!report.is_valid(), "{text}");
    (String::from_utf8(failed).expect("UTF-8"), found)
}

#[test]
fn names_of_any_length_and_words_are_passed_on() {
    let root = Root::open(".").expect("a folder");
    let profiles = Profiles::default();
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
                let profile = Profile::named(profile).expect("a profile");
                let plain = Checker::new(profile, &root);
                let named = Checker::new(profile, &root);
                let named = named.session(name).agent(name).strict(true);
                for checker in [plain, named] {
                    for text in ["prose", &returned.to_string()] {
                        let (failed, found) = failed(&checker, &profiles, text);
                        assert!(found.is_empty(), "{found:?}: {failed}");
                    }
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
    let root = Root::open(".").expect("a folder");
    seeds::hold(60, &inputs, |(text, agent, session, is_named)| {
        let config = Config::parse(&text).expect("a configuration");
        let profile = &config.profiles[0].profile;
        let profiles: Profiles = [profile.clone()].into_iter().collect();
        let mut checker = Checker::new(profile, &root);
        if is_named {
            checker = checker.agent(&*agent);
        }
        // A session that no one can see is a usage error.
        if is_named && session.contains(|it| !matches!(it, ' ' | '\u{200b}')) {
            checker = checker.session(&*session);
        }
        let own = serde_json::json!({"agent_type": agent, "session_id": session});
        let returned = serde_json::json!({"status": "odd", "metadata": own, "from_agent": agent});
        for returned in ["prose", &returned.to_string()] {
            let (failed, found) = failed(&checker, &profiles, returned);
            let errors = found.iter().filter(|it| it.contains(" error["));
            prop_assert_eq!(errors.count(), 0, "{}\n{}\n{:?}", text, failed, found);
        }
        Ok(())
    });
}
