//! Claude Code.

mod details;
mod hook;
mod output;
pub(super) mod transcript;

use crate::clients::facts::ClientFacts;
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["claude"],
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
    tools: &[
        (CallKind::Write, "Write Edit MultiEdit NotebookEdit Update"),
        (CallKind::Command, "Bash PowerShell Monitor"),
        (CallKind::Delegate, "Task Agent SendMessage Workflow"),
        (CallKind::Answer, "StructuredOutput"),
        (
            CallKind::ReadOnly,
            "Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite TodoRead BashOutput \
             TaskOutput AgentOutputTool KillShell KillBash TaskStop TaskCreate TaskUpdate \
             TaskGet TaskList ExitPlanMode EnterPlanMode AskUserQuestion ToolSearch LSP \
             ListMcpResourcesTool ReadMcpResourceTool",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(output::OUTPUT),
    ..ClientFacts::BASE
};
