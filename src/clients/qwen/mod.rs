//! Qwen Code.

mod hook;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["qwen"],
    built_in_agents: &["Explore", "fork", "general-purpose", "statusline-setup"],
    asked_again_at_most: Some(7),
    calls_for_caller: true,
    context_mark: Some("${hook_context}"),
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    ..ClientFacts::BASE
};
