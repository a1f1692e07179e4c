//! What the tools of Qwen Code can do, by name; those that are not named here are as in Gemini CLI.

use crate::clients::gemini::transcript::tools;
use crate::clients::run::CallKind;

/// The tool that starts a subagent.
pub(super) const AGENT: &str = "agent";

pub(super) fn kind_of(name: &str) -> CallKind {
    match name {
        "edit" | "notebook_edit" => CallKind::Write,
        AGENT => CallKind::Delegate,
        "todo_write" | "tool_search" | "list_agents" | "report_findings" | "get_goal"
        | "update_goal" | "read_mcp_resource" | "zoom_image" => CallKind::ReadOnly,
        name => tools::kind_of(name),
    }
}
