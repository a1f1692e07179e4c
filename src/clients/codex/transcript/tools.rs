//! What the tools of Codex can do, by name. Read-only is a tool that writes no file of a project, and
//! cannot start a program that does.
// Patterns and not a table, because the compiler compares lengths first, and this runs for every call.

use crate::clients::run::CallKind;

pub(super) fn kind_of(name: &str) -> CallKind {
    match name {
        "update_plan" | "view_image" | "web_search" | "list_dir" | "read_file" | "grep_files"
        | "wait" | "wait_agent" | "close_agent" | "list_agents" | "request_user_input" => {
            CallKind::ReadOnly
        }
        "apply_patch" => CallKind::Write,
        "exec_command" | "shell" | "shell_command" | "local_shell" | "write_stdin"
        | "unified_exec" => CallKind::Command,
        "spawn_agent" | "send_input" | "send_message" | "followup_task" | "resume_agent" => {
            CallKind::Delegate
        }
        _ => CallKind::Other,
    }
}
