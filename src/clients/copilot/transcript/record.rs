//! Records of Copilot CLI, with the members that are read.

use serde::Deserialize;

use crate::clients::run::{Flag, LenientNumber, LenientText, RawText};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotRecord<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: LenientText<'a>,
    pub(super) data: Option<Box<CopilotData<'a>>>,
    pub(super) agent_id: LenientText<'a>,
    pub(super) timestamp: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotData<'a> {
    #[serde(borrow)]
    pub(super) tool_call_id: LenientText<'a>,
    pub(super) tool_name: LenientText<'a>,
    pub(super) arguments: RawText<'a>,
    pub(super) success: Flag,
    pub(super) error: RawText<'a>,
    pub(super) shell_execution: RawText<'a>,
    pub(super) result: Option<ToolResult<'a>>,
    pub(super) message_id: LenientText<'a>,
    pub(super) content: LenientText<'a>,
    pub(super) tool_requests: RawText<'a>,
    pub(super) output_tokens: LenientNumber,
    pub(super) hook_invocation_id: LenientText<'a>,
    /// Where a hook starts.
    pub(super) input: Option<HookInput<'a>>,
    /// Where a hook ends.
    pub(super) output: RawText<'a>,
    pub(super) session_id: LenientText<'a>,
    pub(super) context: Option<CopilotContext<'a>>,
    pub(super) source: LenientText<'a>,
    pub(super) agent_type: LenientText<'a>,
    pub(super) agent_name: LenientText<'a>,
    pub(super) total_tool_calls: LenientNumber,
    pub(super) total_tokens: LenientNumber,
    pub(super) duration_ms: LenientNumber,
    pub(super) model: LenientText<'a>,
    pub(super) copilot_version: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotContext<'a> {
    #[serde(borrow)]
    pub(super) cwd: LenientText<'a>,
    pub(super) head_commit: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ToolResult<'a> {
    #[serde(borrow)]
    pub(super) content: RawText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CopilotArguments<'a> {
    #[serde(borrow)]
    pub(super) path: LenientText<'a>,
    pub(super) file_path: LenientText<'a>,
    pub(super) command: LenientText<'a>,
    pub(super) prompt: LenientText<'a>,
    pub(super) agent_type: LenientText<'a>,
    pub(super) mode: LenientText<'a>,
    #[serde(rename = "shellId", alias = "sessionId")]
    pub(super) shell_id: LenientText<'a>,
    pub(super) old_str: RawText<'a>,
    pub(super) new_str: RawText<'a>,
    pub(super) description: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct HookInput<'a> {
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    /// Present only where an agent stops.
    pub(super) stop_reason: LenientText<'a>,
}
