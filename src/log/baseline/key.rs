//! Counts the findings of a return for a baseline, by their fingerprints.

use std::collections::BTreeMap;

use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::format::Source;

/// Findings with the same key are counted together: those of a return, a rule and a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BaselineKey {
    /// The source of the return.
    pub source: String,
    /// The line number of the return, from 1, if its source is a stream with one return on each line.
    pub line: Option<usize>,
    /// The rule's id.
    pub rule: &'static str,
    /// The fingerprint. None stands for the findings of the rule that no other entry accepts. They are
    /// those of an old baseline, and those that are only counted but not kept.
    pub fingerprint: Option<u128>,
}

impl BaselineKey {
    /// Returns the key for a rule in a return, without a fingerprint.
    pub(crate) fn new(source: &Source<'_>, rule: &'static str) -> Self {
        Self {
            source: source.name.to_owned(),
            line: source.line,
            rule,
            fingerprint: None,
        }
    }

    pub(crate) fn of(source: &Source<'_>, finding: &Finding) -> Self {
        Self {
            fingerprint: Some(finding.fingerprint()),
            ..Self::new(source, finding.rule.id)
        }
    }
}

/// The findings of a run with the same key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FoundCount {
    /// The number of findings.
    pub count: usize,
    /// The message of the first finding, if the key has a fingerprint.
    pub message: Option<String>,
}

/// The number of findings by key.
pub(crate) type FoundCounts = BTreeMap<BaselineKey, FoundCount>;

/// Adds the findings of a report to `found`. The name of the source must be the one in the baseline.
pub(crate) fn count(source: &Source<'_>, report: &Report<'_>, found: &mut FoundCounts) {
    for finding in &report.findings {
        let entry = found.entry(BaselineKey::of(source, finding)).or_default();
        entry.count += 1;
        entry.message.get_or_insert_with(|| finding.message());
    }
    for rule in report.counts.iter().map(|it| it.rule) {
        let omitted = report.found(rule.id) - report.kept(rule.id);
        if omitted > 0 {
            let entry = found.entry(BaselineKey::new(source, rule.id)).or_default();
            entry.count += omitted;
        }
    }
}
