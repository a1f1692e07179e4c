//! Gemini CLI.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["gemini"],
    package: None,
    built_in_agents: &[
        "browser_agent",
        "cli_help",
        "codebase_investigator",
        "generalist",
    ],
    asked_again_at_most: None,
    result_follows_stop: false,
    calls_for_caller: false,
    is_instructed_by_prompt: true,
    context_mark: None,
    takes_replacement: false,
    return_tools: &[("complete_task", "/result")],
    hides_callers: true,
    has_sidecars: false,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
};
