//! The rules: six steps in order, one table.
//!
//! A rule's id, level, wording, help, explanation and source stand together in the file of its
//! step; everything that lists rules derives from [`RULES`]. A rule is declared as a static, used by
//! the step that runs it, and named in the table: that is all there is to adding one.

mod artifact_entries;
mod artifact_files;
pub(crate) mod claimed_paths;
mod delegation;
mod errors;
mod example;
mod fields;
mod handoff;
pub(crate) mod json;
mod path_text;
mod progress;
mod session;
mod status;
mod summary;
pub(crate) mod template;
#[cfg(test)]
mod tests;
mod texts;

use serde::Serialize;

pub(crate) use artifact_entries::{SUMMARY_LONG as ARTIFACT_SUMMARY_LONG, TYPE as ARTIFACT_TYPE};
pub(crate) use delegation::DURATION_NEGATIVE;
pub(crate) use errors::{MESSAGE_LONG as ERROR_MESSAGE_LONG, TYPE as ERROR_TYPE};
pub use example::{Example, Side};
pub(crate) use fields::{
    COMPACT_EXTRA, EMPTY as FIELD_EMPTY, MISSING as FIELD_MISSING, NEXT_STEPS_LONG, SCHEMA_MEMBER,
    TYPE as FIELD_TYPE, UNKNOWN as FIELD_UNKNOWN,
};
pub(crate) use session::MISMATCH as SESSION_MISMATCH;
pub(crate) use status::UNKNOWN as STATUS_UNKNOWN;
pub(crate) use summary::TOO_LONG as SUMMARY_TOO_LONG;

use crate::checker::context::{Case, Ran};
use crate::profile::Profile;

/// One thing that a return is held to.
#[derive(Debug)]
pub struct Rule {
    /// Its name in options, configuration and reports.
    pub id: &'static str,
    /// The step that it belongs to.
    pub step: Step,
    /// How much it weighs unless options say otherwise.
    pub level: Level,
    /// Whether the profile's standard asks for it.
    pub applies: fn(&Profile) -> bool,
    /// What a finding says; `{words}` are filled in.
    pub message: &'static str,
    /// What a finding recommends; `{agent}` is filled in.
    pub help: &'static str,
    /// What it means and why it matters.
    pub explanation: &'static str,
    /// The seed, and its section, that asks for it.
    pub seed: &'static str,
    /// How it is broken and how it is kept.
    pub example: Example,
}

impl Rule {
    /// The rule of that name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        RULES.iter().copied().find(|rule| rule.id == id)
    }

    /// What its findings say, with what differs from one to the next in capitals: of the rule, not
    /// of a return.
    #[must_use]
    pub fn title(&self) -> String {
        in_capitals(&template::to_nobody(self.message))
    }

    /// What its findings recommend, in the same way.
    #[must_use]
    pub fn recommendation(&self) -> String {
        in_capitals(&template::to_nobody(self.help))
    }

    /// Whether nothing after it could be checked if it were ignored.
    #[must_use]
    pub fn is_indispensable(&self) -> bool {
        [&json::SYNTAX, &json::OBJECT, &json::LIMIT]
            .iter()
            .any(|rule| rule.id == self.id)
    }
}

/// A template with its `{words}` as `WORDS`.
fn in_capitals(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut in_word = false;
    for character in template.chars() {
        match character {
            '{' | '}' => in_word = character == '{',
            _ if in_word => text.push(character.to_ascii_uppercase()),
            _ => text.push(character),
        }
    }
    text
}

/// How much a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It is not looked at.
    Off,
    /// It is reported, and the return may be valid all the same.
    Warning,
    /// The return is not valid.
    Error,
}

impl Level {
    /// Every level, with its name in configurations and reports.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("off", Self::Off),
        ("warning", Self::Warning),
        ("error", Self::Error),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// What a rule of this level does, for people.
    #[must_use]
    pub fn verb(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warns",
            Self::Error => "fails",
        }
    }
}

/// The six steps, in the order they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// The return is one JSON object.
    Json,
    /// It has the fields of its standard.
    Fields,
    /// Its status is one of the standard's.
    Status,
    /// It answers the delegation that was made.
    Session,
    /// Its summary is short.
    Summary,
    /// The files it claims are there.
    Artifacts,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Self; 6] = [
        Self::Json,
        Self::Fields,
        Self::Status,
        Self::Session,
        Self::Summary,
        Self::Artifacts,
    ];

    /// Its place among the six, from 1.
    #[must_use]
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Json => "Valid JSON",
            Self::Fields => "Required fields",
            Self::Status => "Status",
            Self::Session => "Session ID",
            Self::Summary => "Summary length",
            Self::Artifacts => "Artifacts",
        }
    }
}

/// Looks at a return for one step.
pub(crate) type StepCheck = fn(&mut Case<'_, '_>) -> Ran;

/// The checks of the steps after the first, in order; step one is the reading itself.
pub(crate) const CHECKS: [StepCheck; 5] = [
    fields::check,
    status::check,
    session::check,
    summary::check,
    artifact_files::check,
];

/// Every rule, in the order of the steps.
pub static RULES: [&Rule; 48] = [
    &json::SYNTAX,
    &json::OBJECT,
    &json::DUPLICATE_KEY,
    &json::LIMIT,
    &json::WRAPPED,
    &fields::MISSING,
    &fields::TYPE,
    &fields::EMPTY,
    &fields::UNKNOWN,
    &fields::COMPACT_EXTRA,
    &fields::NEXT_STEPS_LONG,
    &artifact_entries::INCOMPLETE,
    &artifact_entries::TYPE,
    &artifact_entries::DUPLICATE,
    &artifact_entries::SUMMARY_LONG,
    &errors::INCOMPLETE,
    &errors::TYPE,
    &errors::CODE_FORMAT,
    &errors::MESSAGE_LONG,
    &delegation::DURATION_NEGATIVE,
    &delegation::CYCLE,
    &delegation::PATH_END,
    &status::UNKNOWN,
    &errors::MISSING,
    &progress::STILL_IN_PROGRESS,
    &progress::STARTED_AT_MISSING,
    &progress::TIMESTAMP_FORMAT,
    &progress::PROGRESS_MISSING,
    &progress::COMPLETION_DATA_MISSING,
    &progress::COMPLETION_SUMMARY_MISSING,
    &session::MISMATCH,
    &session::AGENT_MISMATCH,
    &summary::TOO_LONG,
    &summary::SENTENCES,
    &summary::SHORT,
    &summary::EMOJI,
    &artifact_files::NONE,
    &artifact_files::PATH,
    &artifact_files::OUTSIDE_ROOT,
    &artifact_files::NOT_FOUND,
    &artifact_files::NOT_A_FILE,
    &artifact_files::EMPTY,
    &artifact_files::UNREADABLE,
    &artifact_files::NOT_RELATIVE,
    &artifact_files::BLANK,
    &handoff::NOT_FOUND,
    &handoff::INVALID,
    &handoff::STATUS_MISMATCH,
];

/// For rules that every profile asks for.
const fn always(_: &Profile) -> bool {
    true
}
