//! Puts every hostile text at every position in a return of every profile, and renders it in every
//! format.

mod failed;
#[path = "../../../tests/common/hostile.rs"]
mod hostile;

use std::path::{Path, PathBuf};

use crate::check::rules::{Level, Rule};
use crate::instruct::Instruction;
use crate::profile::{PROFILES, Profile, RETURN};
use crate::report::{
    Checked, Detail, Format, Profiles, ReportOptions, Reporter, RunSummary, Source, Totals,
};
use crate::{Checker, Report, Root};
use serde_json::{Map, Value, json};

use self::hostile::{Hostile, corpus, everywhere, hold, packed, short};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// A return with all members of the profile, and one unknown member.
fn full(profile: &Profile) -> Value {
    let artifact = json!({ "type": "plan", "path": "docs/tides.md", "summary": "A plan." });
    match &*profile.id {
        "compact" => {
            json!({ "status": "READY_FOR_QA", "next_action": "x", "more": { "key": "x" } })
        }
        "handoff" => json!({
            "from_agent": "developer", "to_agent": "qa_expert", "timestamp": "2026-01-01T00:00:00Z",
            "session_id": "s", "group_id": "g", "status": "READY_FOR_QA", "summary": "One.",
            "files_created": ["docs/tides.md", "docs/gone.md"], "files_modified": ["docs/tides.md"],
            "artifacts": { "reasoning": "docs/tides.md" }, "concerns": ["x"], "more": { "key": "x" },
        }),
        _ => json!({
            "status": profile.statuses[0].word, "summary": "One thing. Another.",
            "artifacts": [artifact, { "type": "plan", "path": "docs/gone.md", "summary": "x" }],
            "metadata": {
                "session_id": "s", "duration_seconds": 1, "agent_type": "a", "delegation_depth": 1,
                "delegation_path": ["orchestrator", "a"], "more": "x",
            },
            "errors": [{ "type": "timeout", "code": "SLOW", "message": "x", "recoverable": true, "recommendation": "x" }],
            "next_steps": "x", "started_at": "2026-01-01T00:00:00Z",
            "partial_progress": { "stage": "x", "details": "x", "phases_completed": 1, "phases_total": 2 },
            "completion_data": { "summary": "x" }, "more": { "key": "x" },
        }),
    }
}

/// Copies of `value`, each with `text` in place of one leaf or one key.
fn hostile_copies(value: &Value, text: &str) -> Vec<Value> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, member)| {
                let with = |key: &str, member: Value| {
                    let mut copy: Map<_, _> = members.clone();
                    copy.insert(key.to_owned(), member);
                    Value::Object(copy)
                };
                let mut renamed = members.clone();
                renamed.remove(key);
                renamed.insert(text.to_owned(), member.clone());
                let within = hostile_copies(member, text).into_iter();
                let within = within.map(|member| with(key, member)).collect::<Vec<_>>();
                within.into_iter().chain([Value::Object(renamed)])
            })
            .collect(),
        Value::Array(items) => (0..items.len())
            .flat_map(|index| {
                hostile_copies(&items[index], text).into_iter().map(move |item| {
                    let mut copy = items.clone();
                    copy[index] = item;
                    Value::Array(copy)
                })
            })
            .collect(),
        _ => vec![Value::String(text.to_owned())],
    }
}

/// Texts that are not JSON, or hardly, and contain the text unescaped.
fn broken(text: &str) -> Vec<String> {
    let inner = r#"{"status":"partial"}"#;
    vec![
        text.to_owned(),
        format!("{text} {inner}"),
        format!("{inner} {text}"),
        format!("```{text}\n{inner}\n```"),
        format!("<think>{text}</think>{inner}"),
        format!(r#"{{"status":{text}}}"#),
        format!(r"{{{text}:1}}"),
        format!(r#"{{"status":'{text}'}}"#),
        format!(r#"{{"status":"{text}"}}"#),
        format!(r#"{{"status":"x",}} // {text}"#),
    ]
}

fn reporters() -> Vec<(&'static str, Reporter)> {
    let look = ReportOptions { many: true, detail: Detail::Verbose, ..ReportOptions::default() };
    let made =
        Format::ALL.map(|format| (format.as_str(), format.reporter(&look, &Profiles::default())));
    made.into_iter().collect()
}

/// Renders a report in every format.
fn say(what: &str, name: &str, checked: Checked<'_>) {
    let mut totals = Totals::default();
    totals.add(checked);
    let end = RunSummary { totals: &totals, exit_code: 1 };
    for (format, reporter) in reporters() {
        let mut out = Vec::new();
        let line = Some(7);
        reporter.report(&Source::new(name).at_line(line), checked, &mut out);
        reporter.finish(&end, &mut out);
        hold(what, format, &out);
        if !matches!(format, "json" | "jsonl" | "sarif") {
            assert!(out.len() < 200_000 + 20 * name.len(), "{what}, {format}: {}", out.len());
        }
    }
}

fn checker<'c>(profile: &'c Profile, root: &'c Root) -> Checker<'c> {
    let unknown = Rule::named("field-unknown").expect("a rule");
    Checker::new(profile, root).strict(true).rule(unknown, Level::Error)
}

fn root() -> Root {
    Root::open(fixtures().join("project")).expect("a folder")
}

#[test]
fn no_member_of_a_return_is_shown_unescaped() {
    hold_places(&RETURN);
}

#[test]
fn no_member_of_any_profile_is_shown_unescaped() {
    for profile in PROFILES.into_iter().filter(|it| it.id != RETURN.id) {
        hold_places(profile);
    }
}

/// Puts every text at every position in a return of the profile.
fn hold_places(profile: &Profile) {
    let root = root();
    let full = full(profile);
    for Hostile { name, text, .. } in packed(short()) {
        for (at, copy) in hostile_copies(&full, &text).into_iter().enumerate() {
            let copy = copy.to_string();
            let report = checker(profile, &root).session("s").check(&copy);
            say(&format!("{}, {at}, {name}", profile.id), "in.json", Checked::Report(&report));
        }
    }
}

#[test]
fn no_argument_and_no_source_is_shown_unescaped() {
    let root = root();
    for profile in PROFILES {
        let text = full(profile).to_string();
        for hostile in short() {
            let own = hostile.text.as_str();
            let checker = checker(profile, &root).session(own).agent(own).group(own);
            let report = checker.check(&text);
            say(&hostile.name, own, Checked::Report(&report));
            say(&hostile.name, own, Checked::Unreadable("cannot be read"));
            let instruction = Instruction {
                session: Some(own),
                agent: Some(own),
                group: Some(own),
                ..Instruction::new(profile)
            };
            hold(&hostile.name, "instruct", instruction.text().expect("an instruction").as_bytes());
        }
    }
}

#[test]
fn no_broken_text_is_shown_unescaped() {
    let root = root();
    let profile = &RETURN;
    for hostile in short() {
        for text in broken(&hostile.text) {
            for extract in [false, true] {
                let checker = checker(profile, &root).extract(extract);
                let report = checker.check(&text);
                say(&hostile.name, "-", Checked::Report(&report));
            }
        }
    }
}

#[test]
fn findings_about_megabytes_are_short() {
    let root = root();
    let texts = corpus().into_iter().filter(|hostile| hostile.text.len() >= 10_000);
    for (index, Hostile { name, text, .. }) in texts.enumerate() {
        let places = [
            "/status",
            "/metadata/session_id",
            "/metadata/agent_type",
            "/metadata/delegation_path/1",
            "/artifacts/0/path",
        ];
        // Each position with the first text; the status with all texts.
        for place in &places[..if index == 0 { places.len() } else { 1 }] {
            let mut copy = full(&RETURN);
            *copy.pointer_mut(place).expect("it is there") = text.as_str().into();
            let copy = copy.to_string();
            let report = checker(&RETURN, &root).check(&copy);
            for (format, reporter) in reporters() {
                let mut out = Vec::new();
                let source = Source::new("-");
                reporter.report(&source, Checked::Report(&report), &mut out);
                hold(&name, format, &out);
                // A record contains a value once, with at most six bytes per character. Output for
                // people and models contains only its start.
                let most = if matches!(format, "json" | "jsonl") { 7 * text.len() } else { 30_000 };
                assert!(out.len() < most, "{name}, {place}: {format} {}", out.len());
            }
        }
    }
}

#[test]
fn records_carry_the_value_itself() {
    let root = root();
    let corpus = corpus();
    // One of the texts of several megabytes is enough.
    for Hostile { name, text, .. } in corpus.into_iter().rev().skip(2) {
        let returned = everywhere(&text, &text).to_string();
        let checker = checker(&RETURN, &root).max_bytes(u64::MAX);
        let report: Report = checker.check(&returned);
        let mut out = Vec::new();
        let source = Source::new(&text);
        Format::Jsonl.reporter(&ReportOptions::default(), &Profiles::default()).report(
            &source,
            Checked::Report(&report),
            &mut out,
        );
        let record: Value = serde_json::from_slice(&out).expect("a record");
        for place in ["/source", "/status", "/session_id", "/agent_type", "/artifacts/0/path"] {
            let found = record.pointer(place).and_then(Value::as_str);
            assert_eq!(found, Some(text.as_str()), "{name}: {place}");
        }
        let pointer = format!("/{}", text.replace('~', "~0").replace('/', "~1"));
        let findings = record["findings"].as_array().expect("findings");
        assert!(findings.iter().any(|it| it["pointer"] == pointer.as_str()), "{name}: {pointer}");
    }
}
