//! What a baseline counts: the findings of a return under their fingerprints.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::format::Source;
use crate::report::Report;

/// What is counted as one finding: a return, a rule and a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct BaselineKey {
    /// The source of the return.
    pub source: String,
    /// Its line, from 1, in a stream of one return a line.
    pub line: Option<usize>,
    /// The rule's id.
    pub rule: &'static str,
    /// The fingerprint. None counts the findings of the rule that no other entry accepts: those of an
    /// old baseline, and those that are counted and not kept.
    pub fingerprint: Option<u128>,
}

impl BaselineKey {
    /// The key of a rule in a return.
    #[must_use]
    pub fn new(source: &Source<'_>, rule: &'static str) -> Self {
        Self {
            source: source.name.to_owned(),
            line: source.line,
            rule,
            fingerprint: None,
        }
    }

    /// The key of a finding in a return.
    #[must_use]
    pub fn of(source: &Source<'_>, finding: &Finding) -> Self {
        Self {
            fingerprint: Some(finding.fingerprint()),
            ..Self::new(source, finding.rule.id)
        }
    }
}

/// What a run found under one key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FoundCount {
    /// How many findings.
    pub count: usize,
    /// What the first of them says, if they have a fingerprint.
    pub message: Option<String>,
}

/// Findings by their keys, counted.
pub type FoundCounts = BTreeMap<BaselineKey, FoundCount>;

/// Counts the findings of a report. The name of the source must be the one in the baseline.
pub fn count(source: &Source<'_>, report: &Report<'_>, found: &mut FoundCounts) {
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
