//! Records of Claude Code, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::lenient::{Content, Flag, LenientNumber, LenientText, List, Object};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ClaudeRecord<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) uuid: LenientText<'a>,
    #[serde(borrow)]
    pub(super) parent_uuid: LenientText<'a>,
    #[serde(borrow)]
    pub(super) session_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    pub(super) is_sidechain: Flag,
    #[serde(borrow)]
    pub(super) cwd: LenientText<'a>,
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    pub(super) is_meta: Flag,
    pub(super) is_api_error_message: Flag,
    pub(super) api_error_status: LenientNumber,
    #[serde(borrow)]
    pub(super) error: LenientText<'a>,
    #[serde(borrow)]
    pub(super) origin: Object<NoticeOrigin<'a>>,
    #[serde(borrow)]
    pub(super) message: Object<ClaudeMessage<'a>>,
    #[serde(borrow)]
    pub(super) tool_use_result: Object<ToolUseResult<'a>>,
    #[serde(borrow)]
    pub(super) permission_decision: Object<PermissionDecision<'a>>,
    /// Of a queue operation, and of a progress record.
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) data: Object<Box<ProgressData<'a>>>,
    #[serde(borrow, rename = "parentToolUseID")]
    pub(super) parent_tool_use_id: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NoticeOrigin<'a> {
    #[serde(borrow)]
    pub(super) kind: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PermissionDecision<'a> {
    #[serde(borrow)]
    pub(super) decision: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClaudeMessage<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) model: LenientText<'a>,
    #[serde(borrow)]
    pub(super) stop_reason: LenientText<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, ContentBlock<'a>>,
    pub(super) usage: Object<ClaudeUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClaudeUsage {
    #[serde(rename = "input_tokens")]
    pub(super) input: LenientNumber,
    #[serde(rename = "output_tokens")]
    pub(super) output: LenientNumber,
    #[serde(rename = "cache_creation_input_tokens")]
    pub(super) cache_creation: LenientNumber,
    #[serde(rename = "cache_read_input_tokens")]
    pub(super) cache_read: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ContentBlock<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) name: LenientText<'a>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Object<ClaudeInput<'a>>,
    #[serde(borrow)]
    pub(super) tool_use_id: LenientText<'a>,
    pub(super) is_error: Flag,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClaudeInput<'a> {
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) notebook_path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) old_string: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) new_string: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) edits: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) command: LenientText<'a>,
    #[serde(borrow)]
    pub(super) prompt: LenientText<'a>,
    #[serde(borrow)]
    pub(super) subagent_type: LenientText<'a>,
    pub(super) run_in_background: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolUseResult<'a> {
    #[serde(borrow)]
    pub(super) status: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_type: LenientText<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    pub(super) total_tool_use_count: LenientNumber,
    pub(super) total_tokens: LenientNumber,
    pub(super) harness_note_count: LenientNumber,
    pub(super) harness_tail_count: LenientNumber,
    pub(super) interrupted: Flag,
    #[serde(borrow)]
    pub(super) background_task_id: LenientText<'a>,
    /// Of a file tool: whether the file is new.
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    /// Of a file tool: what it changed.
    #[serde(borrow)]
    pub(super) structured_patch: Option<&'a RawValue>,
}

/// What an agent does, as its caller's transcript has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ProgressData<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) message: Object<ProgressRecord<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ProgressRecord<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    #[serde(borrow)]
    pub(super) message: Object<ClaudeMessage<'a>>,
    #[serde(borrow)]
    pub(super) tool_use_result: Object<ToolUseResult<'a>>,
    pub(super) is_api_error_message: Flag,
}

/// The blocks of a result that has only texts.
pub(super) type Texts<'a> = List<ContentBlock<'a>>;
