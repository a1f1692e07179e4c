//! Accepted findings, by source, rule and fingerprint.
//!
//! A fingerprint is made of the rule, the pointer without indices, and the value. So a return can be
//! edited elsewhere, and a finding about another value is a new one. If there are more findings with
//! a fingerprint than accepted, all of them are reported, because the new one cannot be identified.

mod document;
mod key;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub use key::{BaselineKey, FoundCount, FoundCounts, count};

use crate::baseline::document::BaselineEntry;
use crate::fingerprint::hexadecimal;
use crate::format::Source;
use crate::report::Report;
use crate::text;

/// The version of the document.
pub const VERSION: u64 = 2;

/// An empty baseline.
pub const EMPTY: &str = "{\n  \"version\": 2,\n  \"accepted\": []\n}\n";

/// The reason of a new entry.
pub const NO_REASON: &str = "not reviewed yet";

/// The number of accepted findings, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// The number.
    pub count: usize,
    /// What the finding says, for people.
    pub message: Option<String>,
    /// The reason.
    pub reason: String,
}

/// Accepted findings, and what this run found of them.
#[derive(Debug, Default)]
pub struct Baseline {
    entries: BTreeMap<BaselineKey, Entry>,
    is_old: bool,
}

/// What is accepted, and what a run found of it.
#[derive(Debug)]
struct Entry {
    accepted: Accepted,
    was_checked: AtomicBool,
    found: AtomicUsize,
}

impl Entry {
    fn new(accepted: Accepted) -> Self {
        Self {
            accepted,
            was_checked: AtomicBool::new(false),
            found: AtomicUsize::new(0),
        }
    }

    /// Notes how many findings there are, and whether all of them are accepted.
    fn accepts(&self, found: usize) -> bool {
        self.was_checked.store(true, Ordering::Relaxed);
        self.found.store(found, Ordering::Relaxed);
        found <= self.accepted.count
    }

    fn was_checked(&self) -> bool {
        self.was_checked.load(Ordering::Relaxed)
    }
}

/// An entry that accepts more findings than there are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stale<'b> {
    /// The entry.
    pub key: &'b BaselineKey,
    /// How many findings it accepts.
    pub accepted: usize,
    /// How many there are.
    pub found: usize,
}

/// A baseline that cannot be used. Its texts are safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// It is not a baseline document.
    #[error("not a baseline: {0}")]
    Malformed(String),
    /// It has another version.
    #[error(
        "version {found} is not supported (expected 1 or {VERSION}); delete or rename the file before a new one is made with --update-baseline"
    )]
    Version {
        /// Its version.
        found: u64,
    },
    /// An entry is invalid.
    #[error("entry {number}: {why}")]
    BaselineEntry {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// If it is not a baseline, has another version, or an entry names an unknown rule, accepts
    /// nothing, has no reason, or is a duplicate.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        document::read(text)
    }

    /// Whether it is of the first version: its entries accept any findings of a rule, up to a number.
    #[must_use]
    pub fn is_old(&self) -> bool {
        self.is_old
    }

    /// Removes the accepted findings from a report. The name of the source must be the one in the
    /// baseline.
    ///
    /// Entries of rules that are `off` are ignored, because they were not checked.
    pub fn apply(&self, source: &Source<'_>, report: &mut Report<'_>, off: &[&str]) {
        let first = BaselineKey::new(source, "");
        let of_source = self.entries.range(first..);
        let of_source: Vec<_> = of_source
            .take_while(|(key, _)| key.source == source.name && key.line == source.line)
            .filter(|(key, _)| !off.contains(&key.rule))
            .collect();
        if of_source.is_empty() {
            return;
        }
        let mut counts: HashMap<(&str, u128), usize> = HashMap::new();
        for finding in &report.findings {
            let kind = (finding.rule.id, finding.fingerprint());
            *counts.entry(kind).or_default() += 1;
        }
        let mut known = HashSet::new();
        for (key, entry) in &of_source {
            if let Some(fingerprint) = key.fingerprint {
                let kind = (key.rule, fingerprint);
                let found = counts.get(&kind).copied().unwrap_or_default();
                if entry.accepts(found) {
                    known.insert(kind);
                }
            }
        }
        report.accept_found(|it| known.contains(&(it.rule.id, it.fingerprint())));
        for (key, entry) in of_source {
            if key.fingerprint.is_none() && entry.accepts(report.found(key.rule)) {
                report.accept(|rule| rule.id == key.rule);
            }
        }
    }

    /// Entries that accept more than was found, or whose source was not checked and does not exist
    /// any more according to `is_gone`.
    pub fn stale(&self, is_gone: impl Fn(&str) -> bool) -> Vec<Stale<'_>> {
        let mut stale = Vec::new();
        for (key, entry) in &self.entries {
            let found = entry.found.load(Ordering::Relaxed);
            let is_stale = if entry.was_checked() {
                found < entry.accepted.count
            } else {
                is_gone(&key.source)
            };
            if is_stale {
                stale.push(Stale {
                    key,
                    accepted: entry.accepted.count,
                    found,
                });
            }
        }
        stale
    }

    /// A baseline that accepts what was found. `now` is what the file has by now: another run may have
    /// changed it. Its reasons are kept, and its entries whose source was not checked by this run and
    /// still exists.
    #[must_use]
    pub fn updated(
        &self,
        now: &Self,
        found: &FoundCounts,
        is_gone: impl Fn(&str) -> bool,
    ) -> String {
        let was_checked = |key: &BaselineKey| {
            let entry = self.entries.get(key);
            entry.is_some_and(Entry::was_checked)
        };
        let mut all: BTreeMap<&BaselineKey, (usize, Option<&str>)> = BTreeMap::new();
        for (key, Entry { accepted, .. }) in &now.entries {
            if !was_checked(key) && !is_gone(&key.source) {
                all.insert(key, (accepted.count, accepted.message.as_deref()));
            }
        }
        for (key, found) in found {
            all.insert(key, (found.count, found.message.as_deref()));
        }
        document::write(all.into_iter().map(|(key, (count, message))| {
            BaselineEntry {
                source: key.source.as_str().into(),
                line: key.line,
                rule: key.rule.into(),
                fingerprint: key.fingerprint.map(|it| hexadecimal(it).into()),
                message: message.map(Into::into),
                count,
                reason: now
                    .reason(key)
                    .or(self.reason(key))
                    .unwrap_or(NO_REASON)
                    .into(),
            }
        }))
    }

    /// The reason of an entry, or of the one that stood for it before there were fingerprints.
    fn reason(&self, key: &BaselineKey) -> Option<&str> {
        let whole_rule = || BaselineKey {
            fingerprint: None,
            ..key.clone()
        };
        let entry = self.entries.get(key);
        let entry = entry.or_else(|| self.entries.get(&whole_rule()));
        entry.map(|entry| entry.accepted.reason.as_str())
    }

    /// A message with the numbers of accepted findings, now and before.
    #[must_use]
    pub fn changes(&self, found: &FoundCounts) -> String {
        let checked = self.entries.values().filter(|entry| entry.was_checked());
        let before: usize = checked.map(|entry| entry.accepted.count).sum();
        let now: usize = found.values().map(|it| it.count).sum();
        let now = text::count(now, "finding");
        format!("{now} accepted in the checked returns (before: {before})")
    }
}
