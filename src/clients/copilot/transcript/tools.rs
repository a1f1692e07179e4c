//! What the tools of Copilot CLI can do, by name. Read-only is a tool that writes no file of a project, and
//! cannot start a program that does.
// Patterns and not a table, because the compiler compares lengths first, and this runs for every call.

use crate::clients::run::CallKind;

pub(super) fn kind_of(name: &str) -> CallKind {
    match name {
        "view"
        | "report_intent"
        | "update_todo"
        | "read_bash"
        | "list_bash"
        | "stop_bash"
        | "fetch_copilot_cli_documentation"
        | "web_fetch"
        | "ask_user"
        | "read_agent"
        | "list_agents"
        | "rg"
        | "grep"
        | "glob" => CallKind::ReadOnly,
        "apply_patch" | "create" | "edit" | "str_replace_editor" => CallKind::Write,
        "bash" | "powershell" | "write_bash" => CallKind::Command,
        "task" | "write_agent" => CallKind::Delegate,
        _ => CallKind::Other,
    }
}
