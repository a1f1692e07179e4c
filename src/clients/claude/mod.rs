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
    return_tools: &[("SubagentHandback", "/message"), ("StructuredOutput", "")],
    has_sidecars: true,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
