//! What the tools of opencode can do, by name. Read-only is a tool that writes no file of a project, and
//! cannot start a program that does.
// Patterns and not a table, because the compiler compares lengths first, and this runs for every call.

use crate::clients::run::CallKind;

pub(super) fn kind_of(name: &str) -> CallKind {
    match name {
        "read" | "list" | "glob" | "grep" | "webfetch" | "websearch" | "codesearch"
        | "todowrite" | "todoread" | "question" => CallKind::ReadOnly,
        "write" | "edit" | "multiedit" | "patch" | "apply_patch" => CallKind::Write,
        "bash" => CallKind::Command,
        "task" => CallKind::Delegate,
        "StructuredOutput" => CallKind::Answer,
        _ => CallKind::Other,
    }
}
