//! Findings that are known and accepted, by rule and source.
//!
//! A baseline counts findings and does not remember where they stood: a return can be edited
//! elsewhere without waking them, and one more of the same rule wakes all of them, for nobody can
//! tell which is the new one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::format::Source;
use crate::report::Report;
use crate::rules::{RULES, Rule};
use crate::text::escape;
use crate::text::suggest::nearest;

/// The version of the document.
pub const VERSION: u64 = 1;

/// The reason of an entry that nobody has given one yet.
pub const NO_REASON: &str = "not reviewed yet";

/// A return and a rule: what findings are counted by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaselineKey {
    /// Where the return comes from.
    pub source: String,
    /// Its line, from 1, in a stream of one return a line.
    pub line: Option<usize>,
    /// The rule's id.
    pub rule: &'static str,
}

/// How many findings are accepted, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// How many.
    pub count: usize,
    /// Why.
    pub reason: String,
}

/// Accepted findings, and what has become of them in this run.
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

/// An entry that accepts more than there is.
#[derive(Debug, Clone, PartialEq, Eq)]
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
pub enum BaselineError {
    /// It is not such a document.
    #[error("it is not a baseline: {0}")]
    Malformed(String),
    /// It was written by another version.
    #[error(
        "it is of version {found}, and this is retval for version {VERSION}: write it anew with --update-baseline"
    )]
    Version {
        /// The version that it names.
        found: u64,
    },
    /// An entry cannot be meant.
    #[error("entry {number}: {why}")]
    BaselineEntry {
        /// Which one, from 1.
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
    /// It is not one, or of another version, or an entry names no rule, counts nothing, gives no
    /// reason, or stands twice.
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
            let meant = nearest(&entry.rule, RULES.iter().map(|rule| rule.id));
            let advice = meant.map_or_else(String::new, |meant| format!(": did it mean {meant}?"));
            format!("no rule is called {shown}{advice}")
        })?;
        if entry.count == 0 {
            return Err("it accepts nothing: count is 0".to_owned());
        }
        if entry.reason.trim().is_empty() {
            return Err("it gives no reason".to_owned());
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
                "{} and {shown} stand twice",
                escape::truncated(&entry.source)
            )),
            None => Ok(()),
        }
    }

    /// Takes the accepted findings out of a report. All of a rule's stay if they are more than were
    /// accepted. The source's name must be the one that the baseline has.
    ///
    /// Of the rules that are `off` nothing is said: nobody looked.
    pub fn apply(&self, source: &Source<'_>, report: &mut Report<'_>, off: &[&str]) {
        let first = BaselineKey {
            source: source.name.to_owned(),
            line: source.line,
            rule: "",
        };
        let of_source = self.entries.range(first..);
        let of_source =
            of_source.take_while(|(key, _)| key.source == source.name && key.line == source.line);
        for (key, (accepted, met)) in of_source.filter(|(key, _)| !off.contains(&key.rule)) {
            met.was_checked.store(true, Ordering::Relaxed);
            let found = report.found(key.rule);
            met.found.store(found, Ordering::Relaxed);
            if found <= accepted.count {
                report.accept(|rule| rule.id == key.rule);
            }
        }
    }

    /// Entries that accept more than was found, or whose source was not met and, as `is_gone` says,
    /// is not there any more.
    pub fn stale(&self, is_gone: impl Fn(&str) -> bool) -> Vec<Stale<'_>> {
        let mut stale = Vec::new();
        for (key, (accepted, met)) in &self.entries {
            let found = met.found.load(Ordering::Relaxed);
            let is_stale = if met.was_checked.load(Ordering::Relaxed) {
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

    /// The baseline that accepts what was found, with the reasons of this one. Entries stay whose
    /// source was not checked and is still there.
    #[must_use]
    pub fn updated(
        &self,
        found: &BTreeMap<BaselineKey, usize>,
        is_gone: impl Fn(&str) -> bool,
    ) -> String {
        let is_kept = |(key, (_, met)): &(&BaselineKey, &(Accepted, Matched))| {
            !met.was_checked.load(Ordering::Relaxed) && !is_gone(&key.source)
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
        // Only a map key that is no string could fail, and entries have none.
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        escape::json(&text).into_owned() + "\n"
    }

    /// How many findings were accepted before, of what was checked, and how many are found now.
    #[must_use]
    pub fn changes(&self, found: &BTreeMap<BaselineKey, usize>) -> String {
        let checked = self.entries.values();
        let checked = checked.filter(|(_, met)| met.was_checked.load(Ordering::Relaxed));
        let before: usize = checked.map(|(accepted, _)| accepted.count).sum();
        let now: usize = found.values().sum();
        format!("{now} findings accepted in what was checked, {before} before")
    }

    fn entry<'d>(&'d self, key: &'d BaselineKey, count: usize) -> BaselineEntry<'d> {
        let known = self.entries.get(key);
        let reason = known.map_or(NO_REASON, |(accepted, _)| accepted.reason.as_str());
        BaselineEntry {
            source: key.source.as_str().into(),
            line: key.line,
            rule: key.rule.into(),
            count,
            reason: reason.into(),
        }
    }
}
