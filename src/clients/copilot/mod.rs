//! Copilot CLI.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["copilot"],
    asked_again_at_most: Some(8),
    takes_replacement: true,
    return_tools: &[("task_complete", "/summary")],
    tools: &[
        (
            CallKind::Write,
            "apply_patch create edit str_replace_editor",
        ),
        (CallKind::Command, "bash powershell write_bash"),
        (CallKind::Delegate, "task write_agent"),
        (
            CallKind::ReadOnly,
            "view report_intent update_todo read_bash list_bash stop_bash \
             fetch_copilot_cli_documentation web_fetch ask_user read_agent list_agents rg \
             grep glob",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
