//! What a record has of a return as it is written there.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::check::report::{Report, StepOutcome};
use crate::check::rules::Step;
use crate::json::compact::compact;
use crate::json::members::RawMembers;
use crate::json::tokens::{Walker, depth};
use crate::profile::Shape;

/// The most levels of a whole return in a record: many readers take no more than 128 of the record.
const LEVELS: usize = 120;

/// The members of a handoff that every record has.
const KNOWN: [&str; 4] = ["from_agent", "status", "summary", "session_id"];

/// The numbers in the metadata that callers show.
pub(crate) const COUNTS: [&str; 4] = [
    "phase_count",
    "phases_completed",
    "phases_total",
    "findings_count",
];

const COMPLETION: &str = "completion_data";

/// A JSON value as it is written, but on one line.
#[derive(Debug, Clone, Copy)]
struct OneLine<'r>(&'r RawValue);

impl Serialize for OneLine<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match compact(self.0.get()) {
            Cow::Borrowed(_) => self.0.serialize(out),
            Cow::Owned(text) => {
                let value = RawValue::from_string(text).map_err(S::Error::custom)?;
                value.serialize(out)
            }
        }
    }
}

/// Readable members of an object.
type StatedMembers<'r> = BTreeMap<Cow<'r, str>, OneLine<'r>>;

/// Numbers of the metadata; null if missing.
#[derive(Debug)]
struct StatedCounts<'r>([Option<OneLine<'r>>; COUNTS.len()]);

impl Serialize for StatedCounts<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(COUNTS.iter().zip(&self.0))
    }
}

/// Members of a return that few returns have.
#[derive(Debug, Default, serde::Serialize)]
pub(super) struct Stated<'r> {
    completion_data: Option<OneLine<'r>>,
    counts: Option<StatedCounts<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handoff: Option<StatedMembers<'r>>,
}

impl<'r> Stated<'r> {
    /// Reads the text a second time, if it has any of them.
    pub(super) fn of(report: &'r Report<'_>) -> Self {
        let is_handoff = report.shape == Shape::Handoff;
        let names = || COUNTS.into_iter().chain([COMPLETION]);
        let text = report.text.as_deref().unwrap_or_default();
        let is_refused = matches!(report.outcome(Step::Fields), StepOutcome::Skip(_));
        if is_refused || !is_handoff && !names().any(|name| text.contains(name)) {
            return Self::default();
        }
        let Some(mut own) = members(text) else {
            return Self::default();
        };
        if is_handoff {
            own.retain(|name, _| !KNOWN.contains(&&**name));
            return Self {
                handoff: Some(own),
                ..Self::default()
            };
        }
        let metadata = own.get("metadata");
        let metadata = metadata.and_then(|metadata| members(metadata.0.get()));
        let counts =
            metadata.map(|it| COUNTS.map(|name| it.get(name).copied().filter(OneLine::is_number)));
        Self {
            completion_data: own
                .remove(COMPLETION)
                .filter(|it| it.0.get().starts_with('{')),
            counts: counts
                .filter(|counts| counts.iter().any(Option::is_some))
                .map(StatedCounts),
            handoff: None,
        }
    }
}

impl OneLine<'_> {
    fn is_number(&self) -> bool {
        self.0
            .get()
            .starts_with(|it: char| it == '-' || it.is_ascii_digit())
    }
}

/// The members of an object that every reader of JSON can read. None if the text is no object.
fn members(text: &str) -> Option<StatedMembers<'_>> {
    let RawMembers(members) = serde_json::from_str(text).ok()?;
    let readable = members
        .into_iter()
        .filter(|(_, value)| is_readable(value.get()));
    Some(
        readable
            .map(|(name, value)| (name, OneLine(value)))
            .collect(),
    )
}

/// Whether every reader of JSON can read a value: it has no number beyond an `f64`, no half of a surrogate
/// pair, and few levels.
fn is_readable(json: &str) -> bool {
    let is_fine = |raw: &str| match raw.as_bytes().first() {
        Some(b'"') => !raw.contains("\\u") || serde_json::from_str::<String>(raw).is_ok(),
        Some(b'-' | b'0'..=b'9') => raw.parse().is_ok_and(f64::is_finite),
        _ => true,
    };
    // No value is made of it, which could be many times as large.
    depth(json) <= LEVELS && Walker::new(json).all(|(_, span)| is_fine(&json[span.start..span.end]))
}
