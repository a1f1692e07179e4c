//! Codex.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["codex"],
    package: None,
    built_in_agents: &[],
    asked_again_at_most: None,
    result_follows_stop: false,
    calls_for_caller: true,
    is_instructed_by_prompt: false,
    context_mark: None,
    takes_replacement: false,
    return_tools: &[],
    hides_callers: false,
    has_sidecars: false,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
};
