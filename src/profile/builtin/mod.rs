//! The five built-in profiles, from the seeds.

mod compact;
mod console;
mod metadata;

use crate::profile::{Companion, FieldSpec, Limits, Meaning, Need, Profile, Status};

pub use compact::{COMPACT, HANDOFF};
pub use console::{RETURN, RETURN_V1};
pub use metadata::RETURN_META;

/// The built-in profiles; the first is the default.
pub static PROFILES: [&Profile<'static>; 5] =
    [&RETURN, &RETURN_V1, &RETURN_META, &COMPACT, &HANDOFF];

const fn required(path: &'static str) -> FieldSpec<'static> {
    FieldSpec {
        path,
        need: Need::Required,
    }
}

const fn wanted(path: &'static str) -> FieldSpec<'static> {
    FieldSpec {
        path,
        need: Need::Wanted,
    }
}

const fn optional(path: &'static str) -> FieldSpec<'static> {
    FieldSpec {
        path,
        need: Need::Optional,
    }
}

const fn status(word: &'static str, meaning: Meaning) -> Status<'static> {
    Status {
        word,
        meaning,
        asks: &[],
        aliases: &[],
    }
}

impl Status<'static> {
    const fn asking(mut self, companions: &'static [Companion]) -> Self {
        self.asks = companions;
        self
    }

    const fn aliases(mut self, words: &'static [&'static str]) -> Self {
        self.aliases = words;
        self
    }
}

/// What agents write for a finished task, counted in the field.
const DONE: &[&str] = &[
    "complete",
    "done",
    "finished",
    "ok",
    "success",
    "succeeded",
    "successful",
];
const FAILED: &[&str] = &["error", "failure", "fail", "aborted", "cancelled"];
const PARTIAL: &[&str] = &[
    "incomplete",
    "partially_completed",
    "timeout",
    "interrupted",
];
const BLOCKED: &[&str] = &["waiting", "needs_input", "pending", "on_hold"];

const NO_LIMITS: Limits = Limits {
    summary_at_least: None,
    artifact_summary_at_most: None,
    error_message_at_most: None,
    next_steps_at_most: None,
};
