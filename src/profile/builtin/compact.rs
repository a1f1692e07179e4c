//! The compact protocol's final message, as the compact protocol defines it.

use std::borrow::Cow;

use crate::profile::builtin::agents::AGENTS;
use crate::profile::builtin::{NO_LIMITS, required};
use crate::profile::{LengthLimit, Measured, Profile, Requirement, Shape, Unit};

/// The compact protocol's final message.
pub static COMPACT: Profile = Profile {
    id: Cow::Borrowed("compact"),
    document: Cow::Borrowed("the final message {\"status\":\"CODE\"}"),
    sources: Cow::Borrowed("Compact return protocol"),
    shape: Shape::Return,
    fields: Cow::Borrowed(&[required("status")]),
    session: None,
    agent: None,
    statuses: Cow::Borrowed(&[]),
    agents: Cow::Borrowed(&AGENTS),
    failure: Cow::Borrowed(""),
    forbidden: Cow::Borrowed(&[]),
    artifact_types: Cow::Borrowed(&[]),
    error_types: Cow::Borrowed(&[]),
    // Compact protocol, token impact: about 50 tokens for each agent's return.
    length: Some(LengthLimit {
        of: Measured::Return,
        unit: Unit::Tokens,
        most: 50,
        inclusive: true,
    }),
    soft_length: None,
    sentences: None,
    limits: NO_LIMITS,
    requirements: Cow::Borrowed(&[Requirement::NothingElse]),
    levels: Cow::Borrowed(&[]),
    file: None,
    files: Cow::Borrowed(&[]),
    handoff_path: Some(Cow::Borrowed(
        "bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json",
    )),
    envelope: Cow::Borrowed(&[]),
    decisions: Cow::Borrowed(&[]),
};
