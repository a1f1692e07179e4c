//! Machine-readable output: it parses, and agrees with the report.

use std::sync::LazyLock;

use crate::Report;
use crate::check::report::StepOutcome;
use crate::check::rules::Level;
use crate::report::{Format, Profiles, ReportOptions, Source};
use serde_json::{Value, json};

use super::clean;
use super::demands::Demands;
use super::xml::XmlDocument;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub(crate) fn json(out: &str, demands: Demands, report: &Report) {
    let document = parsed(out);
    let returns = document["returns"].as_array().expect("an array");
    assert_eq!(returns.len(), 1);
    is_record(&returns[0], &demands.source(), report);
    let totals = &document["totals"];
    let is_valid = usize::from(report.is_valid());
    assert_eq!(totals["valid"], is_valid);
    assert_eq!(totals["invalid"], 1 - is_valid);
    assert_eq!(totals["warnings"], report.warnings);
}

pub(crate) fn record(out: &str, demands: Demands, report: &Report) {
    assert_eq!(out.find('\n'), Some(out.len() - 1), "{out}");
    is_record(&parsed(out), &demands.source(), report);
}

fn is_record(record: &Value, source: &Source<'_>, report: &Report) {
    assert_eq!(record["source"], source.name);
    assert_eq!(record["line"], json!(source.line));
    assert_eq!(record["profile"], report.profile.as_ref());
    assert_eq!(record["valid"], report.is_valid());
    assert_eq!(record["status"], json!(report.returned.status));
    assert_eq!(record["session_id"], json!(report.returned.session_id));
    assert_eq!(record["agent_type"], json!(report.returned.agent_type));
    let outcomes = report.steps.iter().map(|step| {
        let name = match step.outcome {
            StepOutcome::Pass => "pass",
            StepOutcome::Fail => "fail",
            StepOutcome::NotApplicable | StepOutcome::Skip(_) => "skip",
        };
        (json!(step.step), json!(name))
    });
    let steps = record["steps"].as_array().expect("an array").iter();
    let found = steps.map(|step| (step["step"].clone(), step["outcome"].clone()));
    assert!(found.eq(outcomes), "{record}");
    let findings = report.findings.iter().map(|finding| {
        let (place, length) = (finding.position, finding.length());
        json!([
            finding.rule.id,
            finding.level,
            finding.message(),
            finding.help,
            finding.pointer.as_deref(),
            place.line,
            place.column,
            place.offset,
            length
        ])
    });
    let keys =
        ["rule", "level", "message", "help", "pointer", "line", "column", "offset", "length"];
    let found = record["findings"].as_array().expect("an array").iter();
    let found = found.map(|finding| json!(keys.map(|key| &finding[key])));
    assert!(found.eq(findings), "{record}");
    let artifacts = report.artifacts.iter();
    let artifacts = artifacts.map(|it| json!([it.path, it.state, it.bytes]));
    let found = record["artifacts"].as_array().expect("an array").iter();
    let found = found.map(|it| json!([it["path"], it["state"], it["bytes"]]));
    assert!(found.eq(artifacts), "{record}");
}

/// Every line is a workflow command by retval, except for the totals at the end.
pub(crate) fn github(out: &str, demands: Demands, report: &Report) {
    let mut lines: Vec<_> = out.lines().collect();
    let totals = lines.pop().unwrap_or_default();
    assert!(totals.starts_with("1 return: "), "{out}");
    let is_omitted = usize::from(report.findings_omitted() > 0);
    assert_eq!(lines.len(), report.findings.len() + is_omitted, "{out}");
    for (line, finding) in lines.iter().zip(&report.findings) {
        let name = level(finding.level);
        let rest = line.strip_prefix(&format!("::{name} ")).expect("a command");
        let (properties, message) = rest.split_once("::").expect("a message");
        let mut keys = properties.split(',').map(|property| {
            let (key, value) = property.split_once('=').expect("a property");
            assert!(!value.contains(':'), "{line}");
            key
        });
        let expected: &[&str] =
            match (demands.source().name, finding.position.line == finding.end.line) {
                ("-", _) => &["title"],
                (_, true) => &["file", "line", "col", "endColumn", "title"],
                (_, false) => &["file", "line", "col", "title"],
            };
        assert!(keys.by_ref().eq(expected.iter().copied()), "{line}");
        let head = message.split("%0A").next().unwrap_or_default();
        assert_eq!(head.replace("%25", "%"), finding.message());
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning | Level::Off => "warning",
    }
}

pub(crate) fn sarif(out: &str, report: &Report) {
    static BEGIN: LazyLock<Value> = LazyLock::new(|| {
        let mut begin = Vec::new();
        let sarif = Format::Sarif.reporter(&ReportOptions::default(), &Profiles::default());
        sarif.begin(&mut begin);
        begin.extend_from_slice(b"]}]}");
        let begin = String::from_utf8(begin).expect("UTF-8");
        clean::text(&begin);
        parsed(&begin)
    });
    assert_eq!(BEGIN["runs"][0]["results"], json!([]));
    let document = parsed(&format!("{{\"runs\":[{{\"results\":[{out}"));
    let run = &document["runs"][0];
    let results = run["results"].as_array().expect("an array").iter();
    let found = results.map(|result| {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        let place = ["startLine", "startColumn", "endLine", "endColumn"].map(|key| &region[key]);
        json!([result["ruleId"], result["level"], place])
    });
    let expected = report.findings.iter().map(|finding| {
        let (start, end) = (finding.position, finding.end);
        let place = [start.line, start.column, end.line, end.column];
        json!([finding.rule.id, level(finding.level), place])
    });
    assert!(found.eq(expected), "{out}");
    assert_eq!(run["invocations"][0]["exitCode"], u8::from(!report.is_valid()));
}

pub(crate) fn junit(out: &str, report: &Report) {
    let document = XmlDocument::read(out);
    let count = |name| document.elements.iter().filter(|it| it.name == name).count();
    let failed = usize::from(!report.is_valid());
    assert_eq!((count("testsuite"), count("testcase")), (1, 1), "{out}");
    assert_eq!((count("failure"), count("error")), (failed, 0), "{out}");
    let suite = document.elements.iter().find(|it| it.name == "testsuite");
    let suite = suite.expect("a suite");
    assert_eq!(suite.attributes["failures"], failed.to_string());
}
