//! Reads and writes the file of a baseline.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::check::rules::{RULES, Rule};
use crate::log::baseline::{Accepted, Baseline, BaselineError, BaselineKey, Entry, VERSION};
use crate::text::suggest::nearest;
use crate::text::{escape, is_blank};

/// The number of the first version. Its entries have no fingerprints.
const COUNTS_ONLY: u64 = 1;

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
pub(super) struct BaselineEntry<'d> {
    pub(super) source: Cow<'d, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    pub(super) rule: Cow<'d, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fingerprint: Option<Cow<'d, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Cow<'d, str>>,
    pub(super) count: usize,
    pub(super) reason: Cow<'d, str>,
}

pub(super) fn read(text: &str) -> Result<Baseline, BaselineError> {
    let malformed = |error: serde_json::Error| {
        BaselineError::Malformed(escape::truncated(&error.to_string()).to_string())
    };
    let Versioned { version } = serde_json::from_str(text).map_err(malformed)?;
    if !matches!(version, COUNTS_ONLY | VERSION) {
        return Err(BaselineError::Version { found: version });
    }
    let document: BaselineFile<'_> = serde_json::from_str(text).map_err(malformed)?;
    let mut baseline = Baseline {
        is_old: version == COUNTS_ONLY,
        ..Baseline::default()
    };
    for (index, entry) in document.accepted.iter().enumerate() {
        add(&mut baseline, entry).map_err(|why| BaselineError::BaselineEntry {
            number: index + 1,
            why,
        })?;
    }
    Ok(baseline)
}

pub(super) fn write<'d>(entries: impl Iterator<Item = BaselineEntry<'d>>) -> String {
    let document = BaselineFile {
        version: VERSION,
        accepted: entries.collect(),
    };
    // This fails only for map keys that are not strings, which entries do not have.
    let text = serde_json::to_string_pretty(&document).unwrap_or_default();
    escape::json(&text).into_owned() + "\n"
}

fn add(baseline: &mut Baseline, entry: &BaselineEntry<'_>) -> Result<(), String> {
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
    let fingerprint = entry.fingerprint.as_deref().map(fingerprint).transpose()?;
    let key = BaselineKey {
        source: entry.source.clone().into_owned(),
        line: entry.line,
        rule: rule.id,
        fingerprint,
    };
    let accepted = Accepted {
        count: entry.count,
        message: entry.message.as_deref().map(str::to_owned),
        reason: entry.reason.clone().into_owned(),
    };
    let entries = &mut baseline.entries;
    match entries.insert(key, Entry::new(accepted)) {
        Some(_) => Err(format!(
            "duplicate entry for {} and {shown}",
            escape::truncated(&entry.source)
        )),
        None => Ok(()),
    }
}

fn fingerprint(text: &str) -> Result<u128, String> {
    let is_hexadecimal = text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u128::from_str_radix(text, 16).ok();
    number
        .filter(|_| is_hexadecimal)
        .ok_or_else(|| "the fingerprint must be 32 hexadecimal digits".to_owned())
}
