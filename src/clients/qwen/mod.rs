//! Qwen Code.

mod hook;
pub(super) mod transcript;

use crate::clients::ClientFacts;
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["qwen"],
    built_in_agents: &["Explore", "fork", "general-purpose", "statusline-setup"],
    asked_again_at_most: Some(7),
    calls_for_caller: true,
    context_mark: Some("${hook_context}"),
    // The others are as in Gemini CLI.
    tools: &[
        (CallKind::Write, "edit notebook_edit"),
        (CallKind::Delegate, "agent"),
        (
            CallKind::ReadOnly,
            "todo_write tool_search list_agents report_findings get_goal update_goal \
             read_mcp_resource zoom_image",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    ..ClientFacts::BASE
};
