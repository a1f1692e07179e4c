//! What the tools of Claude Code can do, by name. Read-only is a tool that writes no file of a project, and
//! cannot start a program that does.
// Patterns and not a table, because the compiler compares lengths first, and this runs for every call.

use crate::clients::run::CallKind;

pub(super) fn kind_of(name: &str) -> CallKind {
    match name {
        "Read"
        | "Glob"
        | "Grep"
        | "LS"
        | "NotebookRead"
        | "WebFetch"
        | "WebSearch"
        | "TodoWrite"
        | "TodoRead"
        | "BashOutput"
        | "TaskOutput"
        | "AgentOutputTool"
        | "KillShell"
        | "KillBash"
        | "TaskStop"
        | "TaskCreate"
        | "TaskUpdate"
        | "TaskGet"
        | "TaskList"
        | "ExitPlanMode"
        | "EnterPlanMode"
        | "AskUserQuestion"
        | "ToolSearch"
        | "LSP"
        | "ListMcpResourcesTool"
        | "ReadMcpResourceTool" => CallKind::ReadOnly,
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Update" => CallKind::Write,
        "Bash" | "PowerShell" | "Monitor" => CallKind::Command,
        "Task" | "Agent" | "SendMessage" | "Workflow" => CallKind::Delegate,
        "StructuredOutput" => CallKind::Answer,
        _ => CallKind::Other,
    }
}
