//! What the tools of the clients can do, by their names.

use super::run::CallKind;

/// Tools that write no file of a project, and cannot start a program that does.
const READ_ONLY: &[&str] = &[
    // Claude Code
    "Read",
    "Glob",
    "Grep",
    "LS",
    "NotebookRead",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "TodoRead",
    "BashOutput",
    "TaskOutput",
    "AgentOutputTool",
    "KillShell",
    "KillBash",
    "TaskStop",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "ExitPlanMode",
    "EnterPlanMode",
    "AskUserQuestion",
    "ToolSearch",
    "LSP",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
    // Codex
    "update_plan",
    "view_image",
    "web_search",
    "list_dir",
    "read_file",
    "grep_files",
    "wait",
    "wait_agent",
    "close_agent",
    "list_agents",
    "request_user_input",
    // Copilot CLI
    "view",
    "report_intent",
    "update_todo",
    "read_bash",
    "list_bash",
    "stop_bash",
    "fetch_copilot_cli_documentation",
    "web_fetch",
    "ask_user",
    "read_agent",
    "list_agents",
    "rg",
    // Gemini CLI
    "read_many_files",
    "list_directory",
    "glob",
    "search_file_content",
    "grep_search",
    "google_web_search",
    "write_todos",
    "get_internal_docs",
    "ask_user",
    // opencode
    "read",
    "list",
    "grep",
    "webfetch",
    "websearch",
    "codesearch",
    "todowrite",
    "todoread",
    "question",
];

const WRITE: &[&str] = &[
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Update",      // Claude Code
    "apply_patch", // Codex, Copilot CLI
    "create",
    "edit",
    "str_replace_editor", // Copilot CLI
    "write_file",
    "replace", // Gemini CLI
    "write",
    "patch",
    "multiedit", // opencode
];

const COMMAND: &[&str] = &[
    "Bash",
    "PowerShell",
    "Monitor", // Claude Code
    "exec_command",
    "shell",
    "shell_command",
    "local_shell",
    "write_stdin",
    "unified_exec", // Codex
    "bash",
    "powershell",
    "write_bash",        // Copilot CLI, opencode
    "run_shell_command", // Gemini CLI
];

const DELEGATE: &[&str] = &[
    "Task",
    "Agent",
    "SendMessage",
    "Workflow", // Claude Code
    "spawn_agent",
    "send_input",
    "send_message",
    "followup_task",
    "resume_agent", // Codex
    "task",
    "write_agent", // Copilot CLI, opencode
    "invoke_agent",
    "delegate_to_agent", // Gemini CLI
];

const ANSWER: &[&str] = &["complete_task", "StructuredOutput"];

/// What a tool of that name can do.
pub(super) fn kind(name: &str) -> CallKind {
    let kinds = [
        (READ_ONLY, CallKind::ReadOnly),
        (WRITE, CallKind::Write),
        (COMMAND, CallKind::Command),
        (DELEGATE, CallKind::Delegate),
        (ANSWER, CallKind::Answer),
    ];
    let known = kinds.into_iter().find(|(names, _)| names.contains(&name));
    known.map_or(CallKind::Other, |(_, kind)| kind)
}
