//! Codex.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["codex"],
    calls_for_caller: true,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
