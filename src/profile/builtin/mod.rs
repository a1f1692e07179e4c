//! The built-in profiles.

mod agents;
mod any;
mod compact;
mod console;
mod handoff;
mod metadata;

use std::borrow::Cow;

use crate::profile::{Action, Companion, FieldSpec, Meaning, Need, Profile, Status};

pub use any::ANY;
pub use compact::COMPACT;
pub use console::{RETURN, RETURN_V1};
pub use handoff::HANDOFF;
pub use metadata::RETURN_META;

/// The built-in profiles that describe a document; the first is the default. [`ANY`] is not among them.
pub static PROFILES: [&Profile; 5] = [&RETURN, &RETURN_V1, &RETURN_META, &COMPACT, &HANDOFF];

/// A static list of words. It allocates no memory.
macro_rules! words {
    ($($word:literal),+ $(,)?) => {
        &[$(::std::borrow::Cow::Borrowed($word)),+]
    };
}
use words;

const fn field_of(
    agents: &'static [Cow<'static, str>],
    path: &'static str,
    need: Need,
) -> FieldSpec {
    FieldSpec {
        path: Cow::Borrowed(path),
        need,
        agents: Cow::Borrowed(agents),
    }
}

const fn required(path: &'static str) -> FieldSpec {
    field_of(&[], path, Need::Required)
}

const fn recommended(path: &'static str) -> FieldSpec {
    field_of(&[], path, Need::Recommended)
}

const fn optional(path: &'static str) -> FieldSpec {
    field_of(&[], path, Need::Optional)
}

const fn status(
    word: &'static str,
    meaning: Meaning,
    companions: &'static [Companion],
    aliases: &'static [Cow<'static, str>],
    own_action: Option<Action>,
) -> Status {
    Status {
        word: Cow::Borrowed(word),
        meaning,
        companions: Cow::Borrowed(companions),
        aliases: Cow::Borrowed(aliases),
        own_action,
        ..Status::BASE
    }
}

/// What agents write instead of `completed`, as found in real returns. The lists below are the same for
/// the other statuses.
const DONE: &[Cow<'static, str>] = words![
    "complete",
    "done",
    "finished",
    "ok",
    "success",
    "succeeded",
    "successful",
];
const FAILED: &[Cow<'static, str>] = words!["error", "failure", "fail", "aborted", "cancelled"];
const PARTIAL: &[Cow<'static, str>] = words![
    "incomplete",
    "partially_completed",
    "timeout",
    "interrupted",
];
const BLOCKED: &[Cow<'static, str>] = words!["waiting", "needs_input", "pending", "on_hold"];
