//! Records of Copilot CLI, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::lenient::{Flag, LenientNumber, LenientText, Object};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotRecord<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    #[serde(borrow)]
    pub(super) data: Object<CopilotData<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotData<'a> {
    #[serde(borrow)]
    pub(super) session_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) context: Object<CopilotContext<'a>>,
    #[serde(borrow)]
    pub(super) content: LenientText<'a>,
    #[serde(borrow)]
    pub(super) source: LenientText<'a>,
    #[serde(borrow)]
    pub(super) message_id: LenientText<'a>,
    pub(super) output_tokens: LenientNumber,
    #[serde(borrow)]
    pub(super) tool_call_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) tool_name: LenientText<'a>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    pub(super) success: Flag,
    #[serde(borrow)]
    pub(super) error: Object<CopilotError<'a>>,
    pub(super) shell_execution: Object<ShellExecution>,
    #[serde(borrow)]
    pub(super) agent_type: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_name: LenientText<'a>,
    pub(super) total_tool_calls: LenientNumber,
    #[serde(borrow)]
    pub(super) hook_invocation_id: LenientText<'a>,
    /// Of the start of a hook.
    #[serde(borrow)]
    pub(super) input: Object<HookInput<'a>>,
    /// Of the end of a hook.
    #[serde(borrow)]
    pub(super) output: Object<HookOutput<'a>>,
    pub(super) total_tokens: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CopilotContext<'a> {
    #[serde(borrow)]
    pub(super) cwd: LenientText<'a>,
    #[serde(borrow)]
    pub(super) head_commit: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CopilotError<'a> {
    #[serde(borrow)]
    pub(super) code: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ShellExecution {
    pub(super) exit_code: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CopilotArguments<'a> {
    #[serde(borrow)]
    pub(super) path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) command: LenientText<'a>,
    #[serde(borrow)]
    pub(super) prompt: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_type: LenientText<'a>,
    #[serde(borrow)]
    pub(super) mode: LenientText<'a>,
    #[serde(borrow, rename = "shellId", alias = "sessionId")]
    pub(super) shell_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) old_str: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) new_str: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct HookInput<'a> {
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    /// Only where an agent stops.
    #[serde(borrow)]
    pub(super) stop_reason: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HookOutput<'a> {
    #[serde(borrow)]
    pub(super) decision: LenientText<'a>,
}
