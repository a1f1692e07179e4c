//! Accepted findings, by source, rule and fingerprint.
//!
//! A fingerprint is made of the rule, the pointer without indices, and the value. It stays the same if
//! other parts of a return are edited, and a finding about another value has another one. If there are
//! more findings with a fingerprint than accepted, all of them are reported, because the new one cannot
//! be identified.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::check::finding::hexadecimal;
use crate::check::report::Report;
use crate::check::rules::{RULES, Rule};
use crate::report::Source;
use crate::text::escape;
use crate::text::suggest::unknown_name;

const VERSION: u64 = 1;
pub(crate) const EMPTY: &str = "{\n  \"version\": 1,\n  \"accepted\": []\n}\n";
const NO_REASON: &str = "not reviewed yet";

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
    fingerprint: String,
    message: String,
    count: usize,
    reason: String,
}

/// Findings with the same key are counted together: those of a return, a rule and a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BaselineKey {
    pub(crate) source: String,
    /// The line number of the return, from 1, if its source is a stream with one return on each line.
    pub(crate) line: Option<usize>,
    pub(crate) rule: &'static str,
    fingerprint: u128,
}

/// The findings with the same key: those that are accepted, or those that a run found.
#[derive(Debug, Clone)]
pub(crate) struct CountedFindings {
    pub(crate) count: usize,
    /// The message of the first one, for people who read the baseline.
    pub(crate) message: String,
    reason: String,
}

/// Findings by key: a baseline, or what a run found.
pub(crate) type Baseline = BTreeMap<BaselineKey, CountedFindings>;

/// Parses a baseline. An error says why it cannot be used, and is safe to print.
pub(crate) fn parse(text: &str) -> Result<Baseline, String> {
    let file: BaselineFile = serde_json::from_str(text)
        .map_err(|error| format!("not a baseline: {}", escape::truncated(&error.to_string())))?;
    if file.version != VERSION {
        return Err(format!("version {} is not supported (expected {VERSION})", file.version));
    }
    let mut baseline = Baseline::new();
    for (number, entry) in (1..).zip(file.accepted) {
        let added = add(&mut baseline, entry);
        added.map_err(|why| format!("entry {number}: {why}"))?;
    }
    Ok(baseline)
}

fn add(baseline: &mut Baseline, entry: BaselineEntry) -> Result<(), String> {
    let rule = Rule::named(&entry.rule);
    let rule =
        rule.ok_or_else(|| unknown_name("rule", &entry.rule, RULES.iter().map(|rule| rule.id)))?;
    let fingerprint = u128::from_str_radix(&entry.fingerprint, 16);
    let key = BaselineKey {
        source: entry.source,
        line: entry.line,
        rule: rule.id,
        fingerprint: fingerprint.map_err(|_| "the fingerprint must be hexadecimal digits")?,
    };
    let findings =
        CountedFindings { count: entry.count, message: entry.message, reason: entry.reason };
    baseline.insert(key, findings);
    Ok(())
}

/// Removes the accepted findings from a report, and returns how many it had of each key, also of those that the
/// baseline has for it and that were not found. The name of the source must be the one in the baseline. Entries
/// of rules in `off` are left alone, because these rules were not checked.
pub(crate) fn apply(
    baseline: &Baseline,
    source: &Source<'_>,
    report: &mut Report,
    off: &[&str],
) -> Baseline {
    let key = |rule, fingerprint| BaselineKey {
        source: source.name.to_owned(),
        line: source.line,
        rule,
        fingerprint,
    };
    let mut found = Baseline::new();
    for finding in &report.findings {
        let key = key(finding.rule.id, finding.fingerprint);
        let findings = found.entry(key).or_insert_with(|| CountedFindings {
            count: 0,
            message: finding.message(),
            reason: NO_REASON.to_owned(),
        });
        findings.count += 1;
    }
    report.accept(|it| {
        let key = key(it.rule.id, it.fingerprint);
        let (found, known) = (found.get(&key), baseline.get(&key));
        known.is_some_and(|known| found.is_some_and(|found| found.count <= known.count))
    });
    let of_source = baseline
        .range(key("", 0)..)
        .take_while(|(key, _)| key.source == source.name && key.line == source.line);
    for (key, known) in of_source.filter(|(key, _)| !off.contains(&key.rule)) {
        let none = CountedFindings { count: 0, ..known.clone() };
        found.entry(key.clone()).or_insert(none);
    }
    found
}

/// How many entries accept more findings than there are, or have a source that was not checked and is gone.
pub(crate) fn stale(
    baseline: &Baseline,
    found: &Baseline,
    is_gone: impl Fn(&str) -> bool,
) -> usize {
    let is_stale = |(key, known): &(&BaselineKey, &CountedFindings)| {
        let found = found.get(*key).map(|it| it.count);
        let found = found.or_else(|| is_gone(&key.source).then_some(0));
        found.is_some_and(|found| found < known.count)
    };
    baseline.iter().filter(is_stale).count()
}

/// Returns the document of a baseline that accepts what was found. `now` is the current content of the file,
/// which another run may have changed since it was read first. The reasons in it are kept, and so are its
/// entries whose source was not checked by this run and still exists.
pub(crate) fn updated(now: Baseline, found: &Baseline, is_gone: impl Fn(&str) -> bool) -> String {
    let mut all = found.clone();
    for (key, known) in now {
        match all.get_mut(&key) {
            Some(found) => found.reason = known.reason,
            None if is_gone(&key.source) => {}
            None => {
                all.insert(key, known);
            }
        }
    }
    all.retain(|_, it| it.count > 0);
    let entries = all.into_iter().map(|(key, it)| BaselineEntry {
        source: key.source,
        line: key.line,
        rule: key.rule.to_owned(),
        fingerprint: hexadecimal(key.fingerprint),
        message: it.message,
        count: it.count,
        reason: it.reason,
    });
    let file = BaselineFile { version: VERSION, accepted: entries.collect() };
    let text = serde_json::to_string_pretty(&file).unwrap_or_default();
    escape::json(&text).into_owned() + "\n"
}
