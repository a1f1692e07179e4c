//! Accepted findings, by rule and source.
//!
//! A baseline counts findings without their positions, so a return can be edited elsewhere. If a rule
//! has more findings than accepted, all of them are reported, because the new one cannot be
//! identified.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::format::Source;
use crate::report::Report;
use crate::rules::{RULES, Rule};
use crate::text::suggest::nearest;
use crate::text::{escape, is_blank};

/// The version of the document.
pub const VERSION: u64 = 1;

/// The reason of a new entry.
pub const NO_REASON: &str = "not reviewed yet";

/// A return and a rule. Findings are counted for each such pair.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct BaselineKey {
    /// The source of the return.
    pub source: String,
    /// Its line, from 1, in a stream of one return a line.
    pub line: Option<usize>,
    /// The rule's id.
    pub rule: &'static str,
}

impl BaselineKey {
    /// The key of a rule in a return.
    #[must_use]
    pub fn new(source: &Source<'_>, rule: &'static str) -> Self {
        Self {
            source: source.name.to_owned(),
            line: source.line,
            rule,
        }
    }
}

/// The number of accepted findings, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// The number.
    pub count: usize,
    /// The reason.
    pub reason: String,
}

/// Accepted findings, and what this run found of them.
#[derive(Debug, Default)]
pub struct Baseline {
    entries: BTreeMap<BaselineKey, (Accepted, Matched)>,
}

/// What a run found of an entry.
#[derive(Debug, Default)]
struct Matched {
    was_checked: AtomicBool,
    found: AtomicUsize,
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
        "version {found} is not supported (expected {VERSION}); recreate it with --update-baseline"
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

#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile<'d> {
    version: u64,
    accepted: Vec<BaselineEntry<'d>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineEntry<'d> {
    source: Cow<'d, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    rule: Cow<'d, str>,
    count: usize,
    reason: Cow<'d, str>,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// If it is not a baseline, has another version, or an entry names an unknown rule, accepts
    /// nothing, has no reason, or is a duplicate.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let malformed = |error: serde_json::Error| {
            BaselineError::Malformed(escape::truncated(&error.to_string()).to_string())
        };
        let Versioned { version } = serde_json::from_str(text).map_err(malformed)?;
        if version != VERSION {
            return Err(BaselineError::Version { found: version });
        }
        let document: BaselineFile<'_> = serde_json::from_str(text).map_err(malformed)?;
        let mut baseline = Self::default();
        for (index, entry) in document.accepted.iter().enumerate() {
            baseline
                .add(entry)
                .map_err(|why| BaselineError::BaselineEntry {
                    number: index + 1,
                    why,
                })?;
        }
        Ok(baseline)
    }

    fn add(&mut self, entry: &BaselineEntry<'_>) -> Result<(), String> {
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
            source: entry.source.clone().into_owned(),
            line: entry.line,
            rule: rule.id,
        };
        let accepted = Accepted {
            count: entry.count,
            reason: entry.reason.clone().into_owned(),
        };
        match self.entries.insert(key, (accepted, Matched::default())) {
            Some(_) => Err(format!(
                "duplicate entry for {} and {shown}",
                escape::truncated(&entry.source)
            )),
            None => Ok(()),
        }
    }

    /// Removes the accepted findings from a report. If a rule has more findings than accepted, all of
    /// them stay. The name of the source must be the one in the baseline.
    ///
    /// Entries of rules that are `off` are ignored, because they were not checked.
    pub fn apply(&self, source: &Source<'_>, report: &mut Report<'_>, off: &[&str]) {
        let first = BaselineKey {
            source: source.name.to_owned(),
            line: source.line,
            rule: "",
        };
        let of_source = self.entries.range(first..);
        let of_source =
            of_source.take_while(|(key, _)| key.source == source.name && key.line == source.line);
        for (key, (accepted, matched)) in of_source.filter(|(key, _)| !off.contains(&key.rule)) {
            matched.was_checked.store(true, Ordering::Relaxed);
            let found = report.found(key.rule);
            matched.found.store(found, Ordering::Relaxed);
            if found <= accepted.count {
                report.accept(|rule| rule.id == key.rule);
            }
        }
    }

    /// Entries that accept more than was found, or whose source was not checked and does not exist
    /// any more according to `is_gone`.
    pub fn stale(&self, is_gone: impl Fn(&str) -> bool) -> Vec<Stale<'_>> {
        let mut stale = Vec::new();
        for (key, (accepted, matched)) in &self.entries {
            let found = matched.found.load(Ordering::Relaxed);
            let is_stale = if matched.was_checked.load(Ordering::Relaxed) {
                found < accepted.count
            } else {
                is_gone(&key.source)
            };
            if is_stale {
                stale.push(Stale {
                    key,
                    accepted: accepted.count,
                    found,
                });
            }
        }
        stale
    }

    /// A baseline that accepts what was found, with the reasons of this one. Entries whose source was
    /// not checked and still exists are kept.
    #[must_use]
    pub fn updated(
        &self,
        found: &BTreeMap<BaselineKey, usize>,
        is_gone: impl Fn(&str) -> bool,
    ) -> String {
        let is_kept = |(key, (_, matched)): &(&BaselineKey, &(Accepted, Matched))| {
            !matched.was_checked.load(Ordering::Relaxed) && !is_gone(&key.source)
        };
        let kept = self.entries.iter().filter(is_kept);
        let kept = kept.map(|(key, (accepted, _))| (key, accepted.count));
        let all: BTreeMap<&BaselineKey, usize> = kept
            .chain(found.iter().map(|(key, count)| (key, *count)))
            .collect();
        let entries = all.into_iter().map(|(key, count)| self.entry(key, count));
        let document = BaselineFile {
            version: VERSION,
            accepted: entries.collect(),
        };
        // Fails only for map keys that are not strings, which entries do not have.
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        escape::json(&text).into_owned() + "\n"
    }

    /// A message with the numbers of accepted findings, now and before.
    #[must_use]
    pub fn changes(&self, found: &BTreeMap<BaselineKey, usize>) -> String {
        let checked = self.entries.values();
        let checked = checked.filter(|(_, matched)| matched.was_checked.load(Ordering::Relaxed));
        let before: usize = checked.map(|(accepted, _)| accepted.count).sum();
        let now: usize = found.values().sum();
        format!("{now} findings accepted in the checked returns (before: {before})")
    }

    fn entry<'d>(&'d self, key: &'d BaselineKey, count: usize) -> BaselineEntry<'d> {
        let previous = self.entries.get(key);
        let reason = previous.map_or(NO_REASON, |(accepted, _)| accepted.reason.as_str());
        BaselineEntry {
            source: key.source.as_str().into(),
            line: key.line,
            rule: key.rule.into(),
            count,
            reason: reason.into(),
        }
    }
}
