//! The built-in profiles.

mod agents;
mod console;
mod handoff;
mod metadata;

use std::borrow::Cow;

use crate::document::pointer::PointerStep;
use crate::profile::{
    Action, Companion, FieldSpec, LengthLimit, Meaning, Measured, Need, Place, PlacePath, Profile,
    Requirement, RoleMember, Roles, Shape, Status, Unit,
};
use agents::AGENTS;

pub use console::{RETURN, RETURN_V1};
pub use handoff::HANDOFF;
pub use metadata::RETURN_META;

/// A static list of words. It allocates no memory.
macro_rules! words {
    ($($word:literal),+ $(,)?) => {
        &[$(::std::borrow::Cow::Borrowed($word)),+]
    };
}
use words;

/// The path of a member in objects.
macro_rules! pointer {
    ($($name:literal)/ *) => {{
        const STEPS: &[$crate::document::pointer::PointerStep] =
            &[$($crate::profile::builtin::step($name)),*];
        $crate::profile::PlacePath::fixed(concat!($("/", $name),*), STEPS)
    }};
}

/// Texts at these paths.
macro_rules! place {
    ($($($name:literal)/ *),+) => {{
        const PATHS: &[$crate::profile::PlacePath] =
            &[$($crate::profile::builtin::pointer!($($name)/ *)),+];
        $crate::profile::Place {
            paths: ::std::borrow::Cow::Borrowed(PATHS),
            is_of_texts: true,
            ..$crate::profile::Place::BASE
        }
    }};
}
use {place, pointer};

const fn step(name: &'static str) -> PointerStep {
    match name.as_bytes() {
        b"*" => PointerStep::Every,
        _ => PointerStep::Name(Cow::Borrowed(name)),
    }
}

/// The built-in profiles that describe a document; the first is the default. `any` is not among them.
pub static PROFILES: [&Profile; 5] = [&RETURN, &RETURN_V1, &RETURN_META, &COMPACT, &HANDOFF];

/// Any message that says something, of agents that nobody has told how to return. It has no status, no
/// fields and no files. It is not one of [`PROFILES`], which describe documents.
pub(crate) static ANY: Profile = Profile {
    id: Cow::Borrowed("any"),
    document: Cow::Borrowed("any message that says something"),
    shape: Shape::Message,
    is_instructed: false,
    ..Profile::BASE
};

const ARTIFACTS: Place = place!["artifacts"];
const OF_ARTIFACTS: &[(RoleMember, PlacePath)] = &[
    (RoleMember::Path, pointer!("path")),
    (RoleMember::Kind, pointer!("type")),
    (RoleMember::Summary, pointer!("summary")),
];

/// The roles of returns that have metadata.
const WITH_METADATA: Roles = Roles {
    status: Some(place!["status"]),
    session: Some(place!["metadata" / "session_id"]),
    agent: Some(place!["metadata" / "agent_type"]),
    summary: Some(place!["summary"]),
    artifacts: Some(Place {
        members: Cow::Borrowed(OF_ARTIFACTS),
        ..ARTIFACTS
    }),
    ..Roles::NONE
};

/// The compact protocol's final message.
pub static COMPACT: Profile = Profile {
    id: Cow::Borrowed("compact"),
    document: Cow::Borrowed("the final message {\"status\":\"CODE\"}"),
    sources: Cow::Borrowed("Compact return protocol"),
    fields: Cow::Borrowed(&[required("status")]),
    roles: Roles {
        status: Some(place!["status"]),
        ..Roles::NONE
    },
    agents: Cow::Borrowed(&AGENTS),
    // From the compact protocol, section on the token impact: about 50 tokens for each agent's return.
    // Its user refused a guard, because the tokens are spent when a return arrives.
    soft_length: Some(LengthLimit::at_most(50, Unit::Tokens, Measured::Return)),
    requirements: Cow::Borrowed(&[Requirement::NothingElse]),
    // From the compact protocol: the path schema, the data map, the directory layout and the flow.
    handoff_paths: Cow::Borrowed(words![
        "bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json",
        "bazinga/artifacts/{session}/{group}/handoff_{agent}.json",
        "bazinga/artifacts/{session}/handoffs/{group}_{short}.json",
        "bazinga/artifacts/{session}/{group}/handoff_{short}.json",
    ]),
    ..Profile::BASE
};

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
