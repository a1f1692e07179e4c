//! opencode.

mod hook;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["opencode"],
    package: None,
    built_in_agents: &["explore", "general"],
    asked_again_at_most: None,
    result_follows_stop: false,
    calls_for_caller: false,
    is_instructed_by_prompt: true,
    context_mark: None,
    takes_replacement: true,
    return_tools: &[],
    hides_callers: false,
    has_sidecars: false,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: None,
};
