//! Cases that fixtures cannot cover: states of artifacts, files that cannot be in a repository, and
//! output that is left out on purpose.

use std::fs;

use crate::check::ReturnFile;
use crate::check::report::{ArtifactState, Report, StepOutcome};
use crate::check::rules::{Level, Rule, Step};
use crate::profile::{Agent, COMPACT, HANDOFF, Meaning, Profile, RETURN, Status};
use crate::text::Base;
use crate::{Checker, Root};

pub(super) const FAILED: &str = r#"{"status": "failed", "summary": "It failed. Nothing was written.", "artifacts": [{"type": "plan", "path": "gone.md", "summary": "x"}], "errors": [], "metadata": {"session_id": "s", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator","planner"]}}"#;

pub(super) fn root() -> Root {
    Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/project")).expect("a folder")
}

fn rule(id: &str) -> &'static Rule {
    Rule::named(id).expect("a rule")
}

fn states(report: &Report) -> States {
    let artifacts = report.artifacts.iter();
    artifacts.map(|it| (it.state, it.bytes)).collect()
}

/// The rules and pointers of all findings.
fn found(report: &Report) -> Vec<(&'static str, String)> {
    let pointer = |pointer: Option<&str>| pointer.unwrap_or_default().to_owned();
    let findings = report.findings.iter();
    findings.map(|it| (it.rule.id, pointer(it.pointer.as_deref()))).collect()
}

#[test]
fn an_ignored_rule_does_not_make_its_step_pass() {
    let root = root();
    let text = FAILED.replace("\"failed\"", "\"completed\"");
    let checker = |level| Checker::new(&RETURN, &root).rule(rule("artifact-not-found"), level);
    let outcome = |level| checker(level).check(&text).outcome(Step::Artifacts).clone();
    assert_eq!(outcome(Level::Error), StepOutcome::Fail);
    assert_eq!(outcome(Level::Warning), StepOutcome::Pass);
    assert_eq!(outcome(Level::Off), StepOutcome::Skip("artifact-not-found is off".into()));
    let report = checker(Level::Off).check(&text);
    assert_eq!(*report.outcome(Step::Summary), StepOutcome::Pass);
    assert_eq!(
        *Checker::new(&RETURN, &root).check(FAILED).outcome(Step::Artifacts),
        StepOutcome::NotApplicable
    );
}

#[test]
fn positions_count_from_the_beginning_of_the_file() {
    let root = root();
    let text = format!("Done.\n{}", FAILED.replace("\"failed\"", "\"odd\""));
    let checker = Checker::new(&RETURN, &root).extract(true);
    let base = Base { line: 7, offset: 100 };
    let report = checker.check_part(text.as_bytes(), base, ReturnFile::default());
    let status = report.findings.iter().find(|it| it.rule.id == "status-unknown");
    let at = status.expect("a finding").position;
    assert_eq!((at.line, at.column, at.offset), (8, 12, 100 + 6 + 11));
}

#[test]
fn artifacts_of_other_work_are_looked_up_where_the_rule_is_on() {
    let root = root();
    let rule = rule("claimed-artifact-missing");
    let unchecked = ArtifactState::Unchecked;
    for (status, level, state) in [
        ("\"failed\"", Level::Warning, ArtifactState::NotFound),
        ("\"failed\"", Level::Off, unchecked),
        ("\"odd\"", Level::Warning, ArtifactState::NotFound),
        // With a right status they may be refused.
        ("\"odd\"", Level::Off, ArtifactState::NotFound),
        ("1", Level::Warning, ArtifactState::NotFound),
    ] {
        let checker = Checker::new(&RETURN, &root).rule(rule, level);
        let text = FAILED.replace("\"failed\"", status);
        let report = checker.check(&text);
        assert_eq!(states(&report), [(state, None)], "{status}");
        assert_eq!(report.claimed, 1);
    }
}

#[test]
fn every_file_that_a_handoff_claims_is_counted_and_has_a_pointer() {
    let root = root();
    let checker = Checker::new(&HANDOFF, &root);
    let text = r#"{"from_agent": "developer", "status": "READY_FOR_QA", "summary": "x", "files_created": ["docs/tides.md", " "], "files_modified": ["gone.md"], "artifacts": {"one": "notes/empty.md", "two": "C:/x"}}"#;
    let report = checker.check(text);
    assert_eq!(report.claimed, 5);
    let failures: Vec<_> =
        found(&report).into_iter().filter(|it| it.0.starts_with("artifact")).collect();
    let expected = [
        ("artifact-path", "/files_created/1"),
        ("artifact-not-found", "/files_modified/0"),
        ("artifact-empty", "/artifacts/one"),
        ("artifact-path", "/artifacts/two"),
    ];
    assert_eq!(failures, expected.map(|(rule, pointer)| (rule, pointer.to_owned())));
    let nothing = r#"{"from_agent": "developer", "status": "READY_FOR_QA", "summary": "x"}"#;
    assert!(found(&checker.check(nothing)).contains(&("artifact-none", "/status".to_owned())));
}

#[test]
fn an_artifact_has_the_state_in_which_it_was_found() {
    let root = root();
    let checker = Checker::new(&RETURN, &root);
    let look = |path: &str| {
        let text = FAILED.replace("\"failed\"", "\"completed\"").replace("gone.md", path);
        let report = checker.check(&text);
        let rules = found(&report).into_iter().map(|it| it.0);
        let rules: Vec<_> = rules.filter(|it| it.starts_with("artifact")).collect();
        (states(&report)[0], rules)
    };
    assert_eq!(look("notes/empty.md"), ((ArtifactState::Empty, Some(0)), vec!["artifact-empty"]));
    assert_eq!(look("docs"), ((ArtifactState::NotAFile, None), vec!["artifact-not-a-file"]));
    assert_eq!(look("../x"), ((ArtifactState::OutsideRoot, None), vec!["artifact-outside-root"]));
    assert_eq!(look("/x"), ((ArtifactState::OutsideRoot, None), vec!["artifact-outside-root"]));
    assert_eq!(look("~/x"), ((ArtifactState::InvalidPath, None), vec!["artifact-path"]));
    assert_eq!(look("gone.md"), ((ArtifactState::NotFound, None), vec!["artifact-not-found"]));
    let (state, rules) = look("notes/blank.md");
    assert_eq!((state.0, rules), (ArtifactState::Ok, vec!["artifact-blank"]));
    // An empty path is only reported as an empty field.
    assert_eq!(look(" "), ((ArtifactState::InvalidPath, None), vec![]));
}

#[test]
fn schema_is_a_known_member_at_the_root_only() {
    let root = root();
    let checker = Checker::new(&RETURN, &root).rule(rule("field-unknown"), Level::Warning);
    let text = FAILED
        .replacen('{', r#"{"$schema": "x", "odd": null, "#, 1)
        .replace(r#""path""#, r#""$schema": "y", "path""#);
    let report = checker.check(&text);
    let unknown: Vec<_> = found(&report).into_iter().filter(|it| it.0 == "field-unknown").collect();
    assert_eq!(
        unknown,
        [
            ("field-unknown", "/odd".to_owned()),
            ("field-unknown", "/artifacts/0/$schema".to_owned())
        ]
    );
    let compact = Checker::new(&COMPACT, &root);
    let report = compact.check(r#"{"status": "PARTIAL", "$schema": "x", "summary": "y"}"#);
    assert_eq!(report.found("compact-extra-field"), 2);
}

/// Ids of rules, each with the notes of its finding.
type Noted = Vec<(&'static str, Vec<String>)>;
type States = Vec<(ArtifactState, Option<u64>)>;

/// The findings and artifact states of a compact return of a developer. `make` creates the handoff file.
fn with_handoff(make: impl FnOnce(&std::path::Path)) -> (Noted, States) {
    with_handoff_of("developer", &COMPACT, make)
}

fn with_handoff_of(
    agent: &str,
    profile: &Profile,
    make: impl FnOnce(&std::path::Path),
) -> (Noted, States) {
    let folder = tempfile::tempdir().expect("a folder");
    let handoffs = folder.path().join("bazinga/artifacts/s/g/handoffs");
    fs::create_dir_all(&handoffs).expect("folders");
    make(&handoffs.join(format!("handoff_{agent}.json")));
    let root = Root::open(folder.path()).expect("it opens");
    // Missing members of the handoff are not what these tests are about.
    let incomplete = Rule::named("handoff-incomplete").expect("a rule");
    let checker = Checker::new(profile, &root)
        .session("s")
        .group("g")
        .agent(agent)
        .rule(incomplete, Level::Off)
        .max_bytes(1_000);
    let report = checker.check(r#"{"status": "READY_FOR_QA"}"#);
    let findings = report.findings.iter().map(|it| (it.rule.id, it.notes.clone()));
    (findings.collect(), states(&report))
}

#[test]
fn a_custom_agent_has_its_statuses_in_its_handoff_too() {
    let ready = Status {
        word: "READY_FOR_QA".into(),
        meaning: Meaning::Success,
        companions: vec![].into(),
        next: vec![].into(),
        own_action: None,
    };
    let scribe = Agent {
        short: "".into(),
        name: "scribe".into(),
        statuses: vec![ready].into(),
        reads_from: vec![].into(),
        reads_otherwise: vec![].into(),
        writes_handoff: true,
        limits_summary: false,
        details: vec![].into(),
    };
    let own = Profile { agents: vec![scribe].into(), ..COMPACT.clone() };
    let text = r#"{"from_agent": "scribe", "status": "BLOCKED", "summary": "Blocked"}"#;
    let write = |path: &std::path::Path| fs::write(path, text).expect("a file");
    let (findings, _) = with_handoff_of("scribe", &own, write);
    let (rules, notes): (Vec<_>, Vec<_>) = findings.into_iter().unzip();
    assert_eq!(rules, ["handoff-invalid", "handoff-status-mismatch"]);
    assert_eq!(notes[0], ["Invalid status: BLOCKED (Valid statuses: READY_FOR_QA)"]);
}

#[test]
fn a_handoff_file_must_exist_be_valid_and_have_the_same_status() {
    let write = |text: String| move |path: &std::path::Path| fs::write(path, text).expect("a file");
    let valid = r#"{"from_agent": "developer", "status": "BLOCKED", "summary": "Blocked"}"#;
    let size = u64::try_from(valid.len()).expect("few");
    let (findings, states) = with_handoff(write(valid.to_owned()));
    assert_eq!(findings, [("handoff-status-mismatch", vec![])]);
    assert_eq!(states, [(ArtifactState::Ok, Some(size))]);
    let (findings, states) = with_handoff(|_| ());
    assert_eq!(findings, [("handoff-not-found", vec![])]);
    assert_eq!(states, [(ArtifactState::NotFound, None)]);
    let (findings, states) = with_handoff(write(String::new()));
    assert_eq!(findings[0].0, "handoff-invalid");
    assert_eq!(states, [(ArtifactState::Empty, Some(0))]);
    let (findings, states) = with_handoff(|path| fs::create_dir(path).expect("a folder"));
    assert_eq!(findings, [("handoff-invalid", vec!["it is a folder".to_owned()])]);
    assert_eq!(states, [(ArtifactState::NotAFile, None)]);
    let (findings, _) = with_handoff(write(" ".repeat(2_000)));
    assert_eq!(
        findings,
        [("handoff-invalid", vec!["Return exceeds a limit: larger than 1000 bytes".to_owned()])]
    );
    let three = r#"{"status": "READY_FOR_QA", "summary": 1, "files_created": [1]}"#;
    let (findings, _) = with_handoff(write(three.to_owned()));
    let notes = &findings[0].1;
    assert_eq!(notes.len(), 3, "{notes:?}");
    let more = r#"{"status": "READY_FOR_QA", "summary": 1, "files_created": [1, 2, 3]}"#;
    let (findings, _) = with_handoff(write(more.to_owned()));
    let notes = &findings[0].1;
    assert_eq!((notes.len(), notes[3].as_str()), (4, "and 2 more"));
}
