//! A return inside other text is checked as if it were alone.

use crate::check::report::StepOutcome;
use crate::check::rules::Level;
use crate::profile::Measured;
use crate::{Finding, Report};

use super::demands::Demands;
use super::{check, facts, reading};

/// The ends of messages after truncated JSON.
const ENDS: [&str; 4] = ["", "\n", "\n```\n", "\n</result>\n"];
/// JSON, or similar text, around an object.
const AROUND: [(&str, &str); 5] = [
    ("[x] [", "]"),
    ("[x] [null, ", "]"),
    ("{result: ", "}"),
    ("{\"a\" ", "}"),
    ("\"result\": ", "}"),
];

/// Not read as JSON. Where the text says that the client failed, that is said instead.
fn is_not_json(report: &Report) -> bool {
    report.found("json-syntax") > 0 || report.failure.is_some()
}

#[track_caller]
fn refused(demands: Demands, text: &str) {
    let report = demands.checker().check(text);
    assert!(is_not_json(&report), "{text:?}");
}

/// A truncated return is not extracted.
fn cut(demands: Demands, text: &str, start: usize, end: usize) {
    // A quoted brace is only mentioned.
    if text[..start].ends_with(['"', '\'', '`']) {
        return;
    }
    for (index, after) in ENDS.into_iter().enumerate() {
        let end = text.floor_char_boundary(start + 1 + (end - start - 1) * index / ENDS.len());
        refused(demands, &format!("{}{after}", &text[..end]));
    }
}

/// An object inside other JSON is not a return, and neither is one of two objects.
fn not_alone(demands: Demands, object: &str) {
    for (before, after) in AROUND {
        refused(demands, &format!("{before}{object}{after}"));
    }
    if object.contains(':') {
        refused(demands, &format!("[x] [{object}"));
    }
    refused(demands, &format!("{object} {object}"));
}

/// Two bytes select the demands; the rest is the return and the text around it.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((demands, bytes)) = Demands::split(bytes) else {
        return;
    };
    let (alone, extracting) = (demands.extracting(false), demands.extracting(true));
    check::held(extracting, bytes);
    let report = extracting.checker().check(bytes);
    let strict = alone.checker().check(bytes);
    let wrapped = report.findings.iter().find(|it| it.rule.id == "json-wrapped");
    let (Some(wrapped), Ok(text)) = (wrapped, std::str::from_utf8(bytes)) else {
        assert!(is_not_json(&strict) || facts::of(&report) == facts::of(&strict));
        return;
    };
    assert!(is_not_json(&strict), "a wrapped return is not JSON");
    let start = wrapped.position.offset;
    cut(extracting, text, start, start + wrapped.length());
    let text = &text[start..start + wrapped.length()];
    not_alone(extracting, text);
    reading::hold(text, start, extracting, &report);
    // A return that already fails can skip the later steps.
    if report.findings_omitted() > 0 || wrapped.level == Level::Error {
        return;
    }
    // Some length limits apply to the whole text.
    let limit = demands.profile.length.or(demands.profile.soft_length);
    let measures_all = limit.is_some_and(|limit| limit.of == Measured::Return);
    let is_too_long = |it: &Finding| {
        measures_all && it.rule.id.starts_with("summary-") && it.rule.id.ends_with("long")
    };
    // With fail-fast, exceeding such a limit also skips the later steps.
    let is_stopped = (report.findings.iter()).any(|it| is_too_long(it) && it.level == Level::Error);
    let is_skipped = |step| is_stopped && matches!(report.outcome(step), StepOutcome::Skip(_));
    let says = |it: &&Finding| {
        it.rule.id != "json-wrapped" && !is_too_long(it) && !is_skipped(it.rule.step)
    };
    let inner = alone.checker().check(text);
    let of =
        |finding: &Finding, start| (facts::without_place(finding), finding.position.offset - start);
    let found = report.findings.iter().filter(says).map(|it| of(it, start));
    let expected = inner.findings.iter().filter(says).map(|it| of(it, 0));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
