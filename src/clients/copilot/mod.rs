//! Copilot CLI.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["copilot"],
    asked_again_at_most: Some(8),
    takes_replacement: true,
    return_tools: &[("task_complete", "/summary")],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
