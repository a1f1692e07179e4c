//! Codex.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["codex"],
    calls_for_caller: true,
    tools: &[
        (CallKind::Write, "apply_patch"),
        (
            CallKind::Command,
            "exec_command shell shell_command local_shell write_stdin unified_exec",
        ),
        (
            CallKind::Delegate,
            "spawn_agent send_input send_message followup_task resume_agent",
        ),
        (
            CallKind::ReadOnly,
            "update_plan view_image web_search list_dir read_file grep_files wait wait_agent \
             close_agent list_agents request_user_input",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
