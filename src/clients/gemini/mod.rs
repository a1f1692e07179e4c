//! Gemini CLI.

mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;
use crate::clients::run::CallKind;

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
    tools: &[
        (CallKind::Write, "write_file replace"),
        (CallKind::Command, "run_shell_command"),
        (CallKind::Delegate, "invoke_agent delegate_to_agent"),
        (CallKind::Answer, "complete_task"),
        (
            CallKind::ReadOnly,
            "read_file read_many_files list_directory glob search_file_content grep_search \
             google_web_search web_fetch write_todos get_internal_docs ask_user",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
