//! Parses and checks with all profiles and options, in every format.

use crate::check::ReturnFile;
use crate::check::report::StepOutcome;
use crate::check::rules::Level;
use crate::text::Base;
use crate::{Finding, Report};

use super::demands::Demands;
use super::{clean, facts, formats, places, reading};

/// Two bytes select the demands; the rest is the return.
pub(crate) fn hold(bytes: &[u8]) {
    if let Some((demands, bytes)) = Demands::split(bytes) {
        held(demands, bytes);
    }
}

/// Checks all laws for one return.
pub(crate) fn held(demands: Demands, bytes: &[u8]) {
    let checker = demands.checker();
    let report = checker.check(bytes);
    let facts = facts::of(&report);
    assert_eq!(facts::of(&demands.checker().check(bytes)), facts);
    let base = Base { line: 7, offset: 1_000 };
    let moved = facts::of(&facts::moved(&report, base));
    assert_eq!(facts::of(&checker.check_part(bytes, base, ReturnFile::default())), moved);
    consistent(&report);
    for finding in &report.findings {
        assert_eq!(finding.level, demands.level(finding.rule), "{finding:?}");
        finding.notes.iter().for_each(|note| clean::line(note));
        clean::line(&finding.head);
        clean::line(&finding.help);
        clean::line(&finding.message());
    }
    places::hold(bytes, &report);
    if let Ok(text) = std::str::from_utf8(bytes)
        && report.found("json-wrapped") == 0
    {
        reading::hold(text, 0, demands, &report);
    }
    formats::hold(demands, &report);
    formats::excerpts(bytes, &report);
}

/// Steps, counts and findings are consistent.
fn consistent(report: &Report) {
    let sum = |wanted| {
        let counts = report.counts.iter();
        let of_level = counts.filter(|it| it.level == wanted);
        of_level.map(|it| it.findings).sum::<usize>()
    };
    assert_eq!(sum(Level::Error), report.failures);
    assert_eq!(sum(Level::Warning), report.warnings);
    for count in &report.counts {
        let of_rule = |it: &&Finding| it.rule.id == count.rule.id;
        let kept = report.findings.iter().filter(of_rule);
        let kept = kept.inspect(|finding| assert_eq!(finding.level, count.level));
        let (kept, all) = (kept.count(), count.findings);
        assert!(kept == all || (kept < all && report.findings_omitted() > 0));
    }
    for step in &report.steps {
        let should_fail =
            (report.counts.iter()).any(|it| it.rule.step == step.step && it.level == Level::Error);
        assert_eq!(step.outcome == StepOutcome::Fail, should_fail, "{step:?}");
    }
    let rules = report.findings.iter().map(|finding| finding.rule);
    let order: Vec<_> = rules.map(|rule| (rule.step, rule.id)).collect();
    assert!(order.is_sorted_by_key(|(step, _)| *step), "{order:?}");
    assert!(report.findings.len() <= Report::FINDINGS_KEPT);
}
