//! A return inside something else is checked as if it stood alone.

use retval::finding::Finding;
use retval::profile::Measured;
use retval::rules::Level;

use super::demands::Demands;
use super::{check, facts, reading};

/// Two bytes choose the demands; the rest is what surrounds the return, and the return.
pub(crate) fn hold(bytes: &[u8]) {
    let Some((demands, bytes)) = Demands::split(bytes) else {
        return;
    };
    let (alone, extracting) = (demands.extracting(false), demands.extracting(true));
    check::held(extracting, bytes);
    let report = extracting.checker().check(bytes);
    let strict = alone.checker().check(bytes);
    let wrapped = report
        .findings
        .iter()
        .find(|it| it.rule.id == "json-wrapped");
    let (Some(wrapped), Ok(text)) = (wrapped, std::str::from_utf8(bytes)) else {
        let is_refused = strict.found("json-syntax") > 0;
        assert!(is_refused || facts::of(&report) == facts::of(&strict));
        return;
    };
    assert!(
        strict.found("json-syntax") > 0,
        "a wrapped return is not JSON"
    );
    let start = wrapped.position.offset;
    let text = &text[start..start + wrapped.length];
    reading::hold(text, start, extracting, &report);
    // What fails a return already can keep the later steps from running.
    if report.findings_omitted() > 0 || wrapped.level == Level::Error {
        return;
    }
    // Some length limits bound all that was said.
    let measures_all = (demands.profile.length).is_some_and(|limit| limit.of == Measured::Return);
    let says = |finding: &&Finding| {
        finding.rule.id != "json-wrapped"
            && !(measures_all && finding.rule.id == "summary-too-long")
    };
    let inner = alone.checker().check(text);
    let of = |finding: &Finding, start| {
        (
            facts::without_place(finding),
            finding.position.offset - start,
        )
    };
    let found = report.findings.iter().filter(says).map(|it| of(it, start));
    let expected = inner.findings.iter().filter(says).map(|it| of(it, 0));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
