//! Accepted findings, by source, rule and fingerprint.
//!
//! A fingerprint is made of the rule, the pointer without indices, and the value. It stays the same if
//! other parts of a return are edited, and a finding about another value has another one. If there are
//! more findings with a fingerprint than accepted, all of them are reported, because the new one cannot
//! be identified.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::check::finding::Finding;
use crate::check::fingerprint::hexadecimal;
use crate::check::report::Report;
use crate::check::rules::{RULES, Rule};
use crate::report::Source;
use crate::text::suggest::nearest;
use crate::text::{self, escape, is_blank};

/// The version of the document.
const VERSION: u64 = 2;

/// The number of the first version. Its entries have no fingerprints.
const COUNTS_ONLY: u64 = 1;

/// The document of an empty baseline.
pub(crate) const EMPTY: &str = "{\n  \"version\": 2,\n  \"accepted\": []\n}\n";

/// The reason of a new entry.
const NO_REASON: &str = "not reviewed yet";

#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u64,
    accepted: Vec<BaselineEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineEntry {
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    count: usize,
    reason: String,
}

/// Accepted findings, and how many of them this run found.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    entries: BTreeMap<BaselineKey, Accepted>,
    /// Whether it is of the first version. Its entries accept any findings of a rule, up to a number.
    pub(crate) is_old: bool,
}

/// The findings that an entry accepts.
#[derive(Debug)]
struct Accepted {
    known: FoundCount,
    /// The reason why they are accepted.
    reason: String,
    /// How many of them the run found. None if their return was not checked.
    found: OnceLock<usize>,
}

impl Accepted {
    /// Records the number of findings, and returns whether all of them are accepted.
    fn accepts(&self, found: usize) -> bool {
        // A return that is checked twice has the same findings.
        let _ = self.found.set(found);
        found <= self.known.count
    }
}

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

/// The findings with the same key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FoundCount {
    /// The number of findings.
    pub count: usize,
    /// The message of the first finding, for people who read the baseline. None if the key has no fingerprint.
    pub message: Option<String>,
}

/// The number of findings by key.
pub(crate) type FoundCounts = BTreeMap<BaselineKey, FoundCount>;

/// Adds the findings of a report to `found`. The name of the source must be the one in the baseline.
pub(crate) fn count(source: &Source<'_>, report: &Report, found: &mut FoundCounts) {
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

impl Baseline {
    /// Parses a baseline. An error says why it cannot be used, and is safe to print.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let malformed = |error: serde_json::Error| {
            let why = error.to_string();
            format!("not a baseline: {}", escape::truncated(&why))
        };
        let Versioned { version } = serde_json::from_str(text).map_err(malformed)?;
        if !matches!(version, COUNTS_ONLY | VERSION) {
            return Err(format!(
                "version {version} is not supported (expected 1 or {VERSION}); delete or rename the file before a new one is made with --update-baseline"
            ));
        }
        let file: BaselineFile = serde_json::from_str(text).map_err(malformed)?;
        let mut baseline = Self {
            entries: BTreeMap::new(),
            is_old: version == COUNTS_ONLY,
        };
        for (number, entry) in (1..).zip(file.accepted) {
            let added = baseline.add(entry);
            added.map_err(|why| format!("entry {number}: {why}"))?;
        }
        Ok(baseline)
    }

    fn add(&mut self, entry: BaselineEntry) -> Result<(), String> {
        let shown = escape::truncated(&entry.rule);
        let rule = Rule::named(&entry.rule).ok_or_else(|| {
            let nearest = nearest(&entry.rule, RULES.iter().map(|rule| rule.id));
            let advice = nearest.map_or_else(String::new, |rule| format!("; did you mean {rule}?"));
            format!("unknown rule {shown}{advice}")
        })?;
        if entry.count == 0 {
            return Err("count must be at least 1".to_owned());
        }
        if is_blank(&entry.reason) {
            return Err("the reason is empty".to_owned());
        }
        let key = BaselineKey {
            source: entry.source,
            line: entry.line,
            rule: rule.id,
            fingerprint: entry.fingerprint.as_deref().map(fingerprint).transpose()?,
        };
        if self.entries.contains_key(&key) {
            let source = escape::truncated(&key.source);
            return Err(format!("duplicate entry for {source} and {shown}"));
        }
        let known = FoundCount {
            count: entry.count,
            message: entry.message,
        };
        let accepted = Accepted {
            known,
            reason: entry.reason,
            found: OnceLock::new(),
        };
        self.entries.insert(key, accepted);
        Ok(())
    }

    /// Removes the accepted findings from a report. The name of the source must be the one in the
    /// baseline. Entries of rules in `off` are ignored, because these rules were not checked.
    pub(crate) fn apply(&self, source: &Source<'_>, report: &mut Report, off: &[&str]) {
        let first = BaselineKey::new(source, "");
        let of_source = self.entries.range(first..);
        let of_source: Vec<_> = of_source
            .take_while(|(key, _)| key.source == source.name && key.line == source.line)
            .filter(|(key, _)| !off.contains(&key.rule))
            .collect();
        if of_source.is_empty() {
            return;
        }
        let kind = |it: &Finding| (it.rule.id, Some(it.fingerprint()));
        let kinds: Vec<_> = report.findings.iter().map(kind).collect();
        let mut known = HashSet::new();
        for (key, entry) in of_source
            .iter()
            .filter(|(key, _)| key.fingerprint.is_some())
        {
            let own = (key.rule, key.fingerprint);
            if entry.accepts(kinds.iter().filter(|kind| **kind == own).count()) {
                known.insert(own);
            }
        }
        report.accept_found(|it| known.contains(&kind(it)));
        for (key, entry) in of_source {
            if key.fingerprint.is_none() && entry.accepts(report.found(key.rule)) {
                report.accept(|rule| rule.id == key.rule);
            }
        }
    }

    /// Returns the entries that accept more findings than there are, and those whose source was not
    /// checked and, according to `is_gone`, does not exist any more: with how many findings each accepts,
    /// and how many there are.
    pub(crate) fn stale(
        &self,
        is_gone: impl Fn(&str) -> bool,
    ) -> Vec<(&BaselineKey, usize, usize)> {
        let stale = self.entries.iter().filter_map(|(key, accepted)| {
            let found = match accepted.found.get() {
                Some(found) => Some(*found).filter(|it| *it < accepted.known.count),
                None => is_gone(&key.source).then_some(0),
            };
            Some((key, accepted.known.count, found?))
        });
        stale.collect()
    }

    /// Returns the document of a baseline that accepts what was found. `now` is the current content of
    /// the file, which another run may have changed since `self` was read. The reasons in `now` are
    /// kept, and so are its entries whose source was not checked by this run and still exists.
    pub(crate) fn updated(
        &self,
        now: &Self,
        found: &FoundCounts,
        is_gone: impl Fn(&str) -> bool,
    ) -> String {
        let was_checked = |key| (self.entries.get(key)).is_some_and(|it| it.found.get().is_some());
        let kept = now.entries.iter();
        let kept = kept.filter(|(key, _)| !was_checked(*key) && !is_gone(&key.source));
        let kept = kept.map(|(key, it)| (key, &it.known));
        let all: BTreeMap<_, _> = kept.chain(found).collect();
        let entry = |(key, found): (&BaselineKey, &FoundCount)| BaselineEntry {
            source: key.source.clone(),
            line: key.line,
            rule: key.rule.to_owned(),
            fingerprint: key.fingerprint.map(hexadecimal),
            message: found.message.clone(),
            count: found.count,
            reason: (now.reason(key).or(self.reason(key)).unwrap_or(NO_REASON)).to_owned(),
        };
        let file = BaselineFile {
            version: VERSION,
            accepted: all.into_iter().map(entry).collect(),
        };
        let text = serde_json::to_string_pretty(&file).unwrap_or_default();
        escape::json(&text).into_owned() + "\n"
    }

    /// Returns the reason of an entry. If there is none, returns that of the entry for the whole rule,
    /// which an old baseline without fingerprints has.
    fn reason(&self, key: &BaselineKey) -> Option<&str> {
        let whole_rule = BaselineKey {
            fingerprint: None,
            ..key.clone()
        };
        let entry = self.entries.get(key);
        let entry = entry.or_else(|| self.entries.get(&whole_rule));
        entry.map(|accepted| accepted.reason.as_str())
    }

    /// Returns a message with the numbers of accepted findings, now and before.
    pub(crate) fn changes(&self, found: &FoundCounts) -> String {
        let checked = self.entries.values().filter(|it| it.found.get().is_some());
        let before: usize = checked.map(|accepted| accepted.known.count).sum();
        let now: usize = found.values().map(|it| it.count).sum();
        let now = text::count(now, "finding");
        format!("{now} accepted in the checked returns (before: {before})")
    }
}

fn fingerprint(text: &str) -> Result<u128, String> {
    let is_hexadecimal = text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u128::from_str_radix(text, 16)
        .ok()
        .filter(|_| is_hexadecimal);
    number.ok_or_else(|| "the fingerprint must be 32 hexadecimal digits".to_owned())
}
