//! Accepted findings, by source, rule and fingerprint.
//!
//! A fingerprint is made of the rule, the pointer without indices, and the value. It stays the same if
//! other parts of a return are edited, and a finding about another value has another one. If there are
//! more findings with a fingerprint than accepted, all of them are reported, because the new one cannot
//! be identified.

mod document;
mod key;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub(crate) use key::{BaselineKey, FoundCounts, count};

use crate::check::fingerprint::hexadecimal;
use crate::check::report::Report;
use crate::format::Source;
use crate::log::baseline::document::BaselineEntry;
use crate::text;

/// The version of the document.
pub(crate) const VERSION: u64 = 2;

/// The document of an empty baseline.
pub(crate) const EMPTY: &str = "{\n  \"version\": 2,\n  \"accepted\": []\n}\n";

/// The reason of a new entry.
pub(crate) const NO_REASON: &str = "not reviewed yet";

/// The findings that an entry accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// The number of accepted findings.
    pub count: usize,
    /// The message of the finding, for people who read the baseline.
    pub message: Option<String>,
    /// The reason why they are accepted.
    pub reason: String,
}

/// Accepted findings, and how many of them this run found.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    entries: BTreeMap<BaselineKey, Entry>,
    is_old: bool,
}

/// The accepted findings of an entry, and how many of them the run found.
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

    /// Records the number of findings, and returns whether all of them are accepted.
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
pub(crate) struct Stale<'b> {
    /// The entry.
    pub key: &'b BaselineKey,
    /// How many findings it accepts.
    pub accepted: usize,
    /// How many findings there are.
    pub found: usize,
}

/// A baseline that cannot be used. Its texts are safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BaselineError {
    /// It is not a baseline document.
    #[error("not a baseline: {0}")]
    Malformed(String),
    /// The version is not supported.
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
        /// Why it is invalid.
        why: String,
    },
}

impl Baseline {
    /// Parses a baseline.
    pub(crate) fn parse(text: &str) -> Result<Self, BaselineError> {
        document::read(text)
    }

    /// Whether this is a baseline of the first version. Its entries accept any findings of a rule, up to
    /// a number.
    pub(crate) fn is_old(&self) -> bool {
        self.is_old
    }

    /// Removes the accepted findings from a report. The name of the source must be the one in the
    /// baseline. Entries of rules in `off` are ignored, because these rules were not checked.
    pub(crate) fn apply(&self, source: &Source<'_>, report: &mut Report<'_>, off: &[&str]) {
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

    /// Returns the entries that accept more findings than there are, and those whose source was not
    /// checked and, according to `is_gone`, does not exist any more.
    pub(crate) fn stale(&self, is_gone: impl Fn(&str) -> bool) -> Vec<Stale<'_>> {
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

    /// Returns the document of a baseline that accepts what was found. `now` is the current content of
    /// the file, which another run may have changed since `self` was read. The reasons in `now` are
    /// kept, and so are its entries whose source was not checked by this run and still exists.
    pub(crate) fn updated(
        &self,
        now: &Self,
        found: &FoundCounts,
        is_gone: impl Fn(&str) -> bool,
    ) -> String {
        let was_checked = |key: &BaselineKey| self.entries.get(key).is_some_and(Entry::was_checked);
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

    /// Returns the reason of an entry. If there is none, returns that of the entry for the whole rule,
    /// which an old baseline without fingerprints has.
    fn reason(&self, key: &BaselineKey) -> Option<&str> {
        let whole_rule = || BaselineKey {
            fingerprint: None,
            ..key.clone()
        };
        let entry = self.entries.get(key);
        let entry = entry.or_else(|| self.entries.get(&whole_rule()));
        entry.map(|entry| entry.accepted.reason.as_str())
    }

    /// Returns a message with the numbers of accepted findings, now and before.
    pub(crate) fn changes(&self, found: &FoundCounts) -> String {
        let checked = self.entries.values().filter(|entry| entry.was_checked());
        let before: usize = checked.map(|entry| entry.accepted.count).sum();
        let now: usize = found.values().map(|it| it.count).sum();
        let now = text::count(now, "finding");
        format!("{now} accepted in the checked returns (before: {before})")
    }
}
