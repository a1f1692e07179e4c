//! What the tools of Gemini CLI can do, by name. Read-only is a tool that writes no file of a project, and
//! cannot start a program that does.
// Patterns and not a table, because the compiler compares lengths first, and this runs for every call.

use crate::clients::run::CallKind;

pub(in crate::clients) fn kind_of(name: &str) -> CallKind {
    match name {
        "read_file"
        | "read_many_files"
        | "list_directory"
        | "glob"
        | "search_file_content"
        | "grep_search"
        | "google_web_search"
        | "web_fetch"
        | "write_todos"
        | "get_internal_docs"
        | "ask_user" => CallKind::ReadOnly,
        "write_file" | "replace" => CallKind::Write,
        "run_shell_command" => CallKind::Command,
        "invoke_agent" | "delegate_to_agent" => CallKind::Delegate,
        "complete_task" => CallKind::Answer,
        _ => CallKind::Other,
    }
}
