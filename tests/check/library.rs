//! The library without the command: formats, display and serialization of a report.

use std::process::Output;

use crate::common::{World, stdout};
use retval::{Checker, Format, RETURN, Root};
use serde_json::Value;

const RETURNS: [&str; 4] = [
    "profiles/return/completed-plan.json",
    "rules/artifact-not-found/fail/phantom.json",
    "rules/json-syntax/fail/comment.json",
    "rules/artifact-empty/fail/zero-bytes.json",
];

fn printed(world: &World, path: &str, format: &str) -> Output {
    let arguments = ["check", path, "--root", "project", "--format", format];
    world.retval().args(arguments).output().expect("it runs")
}

#[test]
fn rendering_a_report_gives_the_output_of_the_command() {
    let world = World::new();
    let root = Root::open(world.path("project")).expect("a root");
    let checker = Checker::new(&RETURN, &root);
    for path in RETURNS {
        let bytes = std::fs::read(world.path(path)).expect("a return");
        let report = checker.check(&bytes);
        for format in Format::ALL {
            let name = format.as_str();
            // The command names the root as it was typed, the library as it was opened.
            let opened = format!("Root: {}", world.path("project").display());
            let expected = stdout(&printed(&world, path, name)).replace("Root: project", &opened);
            assert_eq!(format.render(&report, path), expected, "{name} {path}");
        }
    }
}

#[test]
fn a_serialized_report_is_the_record_of_the_json_format() {
    let world = World::new();
    let root = Root::open(world.path("project")).expect("a root");
    let report = Checker::new(&RETURN, &root).check(r#"{"status": "done", "summary": 5}"#);
    let record = Format::Jsonl.render(&report, "-");
    let mut record: Value = serde_json::from_str(&record).expect("JSON");
    for member in ["version", "source", "line"] {
        record.as_object_mut().expect("an object").remove(member);
    }
    assert_eq!(serde_json::to_value(&report).expect("JSON"), record);
    let findings = serde_json::to_value(&report.findings).expect("JSON");
    assert!(findings[0]["rule"].is_string());
    assert_eq!(findings, record["findings"]);
}

#[test]
fn a_displayed_report_has_a_line_for_each_finding_and_no_raw_text() {
    let root = Root::open(".").expect("a root");
    let checker = Checker::new(&RETURN, &root);
    let report = checker.check("{\n  \"status\": \"\\u001b[2J\"}");
    let text = report.to_string();
    assert_eq!(text.lines().count(), report.findings.len() + 1);
    let status = report.findings.iter().find(|it| it.rule.id == "status-unknown");
    let line = status.expect("an unknown status").to_string();
    assert!(line.starts_with("2:13: error[status-unknown] Invalid status: \\u{1b}[2J"), "{line}");
    assert!(text.contains(&line) && !text.contains('\u{1b}'));
    assert!(
        text.ends_with(&format!("\nReturn is invalid: {} failures, 0 warnings", report.failures))
    );
}
