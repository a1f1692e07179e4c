//! Claude Code.

mod details;
mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["claude"],
    package: Some("@anthropic-ai/claude-code"),
    built_in_agents: &[
        "Explore",
        "Plan",
        "general-purpose",
        "Bash",
        "claude",
        "claude-code-guide",
        "fork",
        "output-style-setup",
        "statusline-setup",
        "workflow-subagent",
    ],
    asked_again_at_most: Some(8),
    result_follows_stop: true,
    calls_for_caller: false,
    is_instructed_by_prompt: false,
    context_mark: None,
    takes_replacement: false,
    return_tools: &[("SubagentHandback", "/message"), ("StructuredOutput", "")],
    hides_callers: false,
    has_sidecars: true,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
};
