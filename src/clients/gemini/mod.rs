//! Gemini CLI.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["gemini"],
    built_in_agents: &[
        "browser_agent",
        "cli_help",
        "codebase_investigator",
        "generalist",
    ],
    is_instructed_by_prompt: true,
    return_tools: &[("complete_task", "/result")],
    hides_callers: true,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
