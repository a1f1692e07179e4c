//! Qwen Code.

mod hook;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["qwen"],
    package: None,
    built_in_agents: &["Explore", "fork", "general-purpose", "statusline-setup"],
    asked_again_at_most: Some(7),
    result_follows_stop: false,
    calls_for_caller: true,
    is_instructed_by_prompt: false,
    context_mark: Some("${hook_context}"),
    takes_replacement: false,
    return_tools: &[],
    hides_callers: false,
    has_sidecars: false,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: None,
};
