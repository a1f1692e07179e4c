//! The compact protocol's final message, as the compact protocol defines it.

use std::borrow::Cow;

use crate::profile::builtin::agents::AGENTS;
use crate::profile::builtin::required;
use crate::profile::{LengthLimit, Measured, Profile, Requirement, Unit};

/// The compact protocol's final message.
pub static COMPACT: Profile = Profile {
    id: Cow::Borrowed("compact"),
    document: Cow::Borrowed("the final message {\"status\":\"CODE\"}"),
    sources: Cow::Borrowed("Compact return protocol"),
    fields: Cow::Borrowed(&[required("status")]),
    agents: Cow::Borrowed(&AGENTS),
    // From the compact protocol, section on the token impact: about 50 tokens for each agent's return.
    length: Some(LengthLimit::at_most(50, Unit::Tokens, Measured::Return)),
    requirements: Cow::Borrowed(&[Requirement::NothingElse]),
    handoff_path: Some(Cow::Borrowed(
        "bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json",
    )),
    ..Profile::BASE
};
