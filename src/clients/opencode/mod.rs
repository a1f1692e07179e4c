//! opencode.

mod hook;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["opencode"],
    built_in_agents: &["explore", "general"],
    is_instructed_by_prompt: true,
    takes_replacement: true,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    ..ClientFacts::BASE
};
