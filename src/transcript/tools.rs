//! What the tools of the clients can do, by name.

use super::run::CallKind;

/// Whether a tool writes no file of a project, and cannot start a program that does.
fn is_read_only(name: &str) -> bool {
    matches!(
        name,
        // Claude Code
        "Read" | "Glob" | "Grep" | "LS" | "NotebookRead" | "WebFetch" | "WebSearch" | "TodoWrite"
        | "TodoRead" | "BashOutput" | "TaskOutput" | "AgentOutputTool" | "KillShell" | "KillBash"
        | "TaskStop" | "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList" | "ExitPlanMode"
        | "EnterPlanMode" | "AskUserQuestion" | "ToolSearch" | "LSP" | "ListMcpResourcesTool"
        | "ReadMcpResourceTool"
        // Codex
        | "update_plan" | "view_image" | "web_search" | "list_dir" | "read_file" | "grep_files"
        | "wait" | "wait_agent" | "close_agent" | "list_agents" | "request_user_input"
        // Copilot CLI
        | "view" | "report_intent" | "update_todo" | "read_bash" | "list_bash" | "stop_bash"
        | "fetch_copilot_cli_documentation" | "web_fetch" | "ask_user" | "read_agent" | "rg"
        // Gemini CLI
        | "read_many_files" | "list_directory" | "glob" | "search_file_content" | "grep_search"
        | "google_web_search" | "write_todos" | "get_internal_docs"
        // opencode
        | "read" | "list" | "grep" | "webfetch" | "websearch" | "codesearch" | "todowrite"
        | "todoread" | "question"
    )
}

fn writes(name: &str) -> bool {
    matches!(
        name,
        // Claude Code
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Update"
        // Codex, Copilot CLI
        | "apply_patch"
        // Copilot CLI
        | "create" | "edit" | "str_replace_editor"
        // Gemini CLI
        | "write_file" | "replace"
        // opencode
        | "write" | "patch" | "multiedit"
    )
}

fn is_command(name: &str) -> bool {
    matches!(
        name,
        // Claude Code
        "Bash" | "PowerShell" | "Monitor"
        // Codex
        | "exec_command" | "shell" | "shell_command" | "local_shell" | "write_stdin"
        | "unified_exec"
        // Copilot CLI, opencode
        | "bash" | "powershell" | "write_bash"
        // Gemini CLI
        | "run_shell_command"
    )
}

fn delegates(name: &str) -> bool {
    matches!(
        name,
        // Claude Code
        "Task" | "Agent" | "SendMessage" | "Workflow"
        // Codex
        | "spawn_agent" | "send_input" | "send_message" | "followup_task" | "resume_agent"
        // Copilot CLI, opencode
        | "task" | "write_agent"
        // Gemini CLI
        | "invoke_agent" | "delegate_to_agent"
    )
}

fn answers(name: &str) -> bool {
    matches!(name, "complete_task" | "StructuredOutput")
}

/// What a tool of that name can do.
// Patterns and not a table, because the compiler compares lengths first, and this runs for every call.
pub(super) fn kind(name: &str) -> CallKind {
    match name {
        name if is_read_only(name) => CallKind::ReadOnly,
        name if writes(name) => CallKind::Write,
        name if is_command(name) => CallKind::Command,
        name if delegates(name) => CallKind::Delegate,
        name if answers(name) => CallKind::Answer,
        _ => CallKind::Other,
    }
}
