//! opencode.

mod hook;
pub(super) mod transcript;

use crate::clients::ClientFacts;
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["opencode"],
    built_in_agents: &["explore", "general"],
    is_instructed_by_prompt: true,
    takes_replacement: true,
    tools: &[
        (CallKind::Write, "write edit multiedit patch apply_patch"),
        (CallKind::Command, "bash"),
        (CallKind::Delegate, "task"),
        (CallKind::Answer, "StructuredOutput"),
        (
            CallKind::ReadOnly,
            "read list glob grep webfetch websearch codesearch todowrite todoread question",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    ..ClientFacts::BASE
};
