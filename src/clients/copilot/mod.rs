//! Copilot CLI.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["copilot"],
    package: None,
    built_in_agents: &[],
    asked_again_at_most: Some(8),
    result_follows_stop: false,
    calls_for_caller: false,
    is_instructed_by_prompt: false,
    context_mark: None,
    takes_replacement: true,
    return_tools: &[("task_complete", "/summary")],
    hides_callers: false,
    has_sidecars: false,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
};
