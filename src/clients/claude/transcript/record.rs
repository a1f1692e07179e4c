//! Records of Claude Code, with the members that are read.

use serde::{Deserialize, Deserializer};

use crate::clients::run::{Content, Flag, LenientNumber, LenientText, List, RawText};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ClaudeRecord<'a> {
    #[serde(borrow)]
    pub(super) parent_uuid: LenientText<'a>,
    pub(super) is_sidechain: Flag,
    pub(super) agent_id: LenientText<'a>,
    pub(super) message: Option<Box<ClaudeMessage<'a>>>,
    #[serde(rename = "type")]
    pub(super) kind: LenientText<'a>,
    pub(super) uuid: LenientText<'a>,
    #[serde(alias = "ts")]
    pub(super) timestamp: LenientText<'a>,
    pub(super) tool_use_result: Option<Box<ToolUseResult<'a>>>,
    pub(super) permission_decision: RawText<'a>,
    pub(super) cwd: LenientText<'a>,
    pub(super) session_id: LenientText<'a>,
    pub(super) version: LenientText<'a>,
    pub(super) is_meta: Flag,
    pub(super) is_api_error_message: Flag,
    pub(super) api_error_status: LenientNumber,
    pub(super) error: LenientText<'a>,
    pub(super) origin: RawText<'a>,
    /// In compact records: the version of their form, and the id of the message.
    pub(super) v: LenientNumber,
    pub(super) id: LenientText<'a>,
    /// In queue operations, progress records and compact records.
    pub(super) content: RawText<'a>,
    pub(super) data: Option<Box<ProgressData<'a>>>,
    #[serde(rename = "parentToolUseID")]
    pub(super) parent_tool_use_id: LenientText<'a>,
}

/// Why a message ends. It tells whether the message can be the last one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopReason {
    /// The record has no stop reason.
    #[default]
    Absent,
    /// `null`: the message was not complete when this was written, or this version never records the
    /// reason.
    Open,
    /// The message calls tools.
    ToolUse,
    End,
}

impl<'de> Deserialize<'de> for StopReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reason = LenientText::deserialize(deserializer)?;
        Ok(match reason.get() {
            None => Self::Open,
            Some("tool_use") => Self::ToolUse,
            Some(_) => Self::End,
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClaudeMessage<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) model: LenientText<'a>,
    pub(super) stop_reason: StopReason,
    pub(super) content: Content<'a, ContentBlock<'a>>,
    pub(super) usage: Option<ClaudeUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClaudeUsage {
    #[serde(rename = "input_tokens")]
    pub(super) input: LenientNumber,
    #[serde(rename = "cache_creation_input_tokens")]
    pub(super) cache_creation: LenientNumber,
    #[serde(rename = "cache_read_input_tokens")]
    pub(super) cache_read: LenientNumber,
    #[serde(rename = "output_tokens")]
    pub(super) output: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ContentBlock<'a> {
    #[serde(borrow)]
    pub(super) tool_use_id: LenientText<'a>,
    #[serde(rename = "type")]
    pub(super) kind: LenientText<'a>,
    pub(super) id: LenientText<'a>,
    pub(super) name: LenientText<'a>,
    pub(super) input: Option<Box<ClaudeInput<'a>>>,
    pub(super) text: RawText<'a>,
    pub(super) content: RawText<'a>,
    pub(super) is_error: Flag,
    /// In compact records: the result of the call.
    pub(super) result: Option<CompactResult<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CompactResult<'a> {
    #[serde(borrow)]
    pub(super) output: RawText<'a>,
    pub(super) status: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ClaudeInput<'a> {
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    pub(super) notebook_path: LenientText<'a>,
    pub(super) old_string: RawText<'a>,
    pub(super) new_string: RawText<'a>,
    pub(super) edits: RawText<'a>,
    pub(super) command: LenientText<'a>,
    pub(super) prompt: LenientText<'a>,
    pub(super) message: LenientText<'a>,
    pub(super) subagent_type: LenientText<'a>,
    pub(super) description: LenientText<'a>,
    pub(super) resume: LenientText<'a>,
    pub(super) run_in_background: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolUseResult<'a> {
    #[serde(borrow)]
    pub(super) status: LenientText<'a>,
    pub(super) agent_id: LenientText<'a>,
    pub(super) agent_type: LenientText<'a>,
    pub(super) content: RawText<'a>,
    pub(super) total_tool_use_count: LenientNumber,
    pub(super) total_tokens: LenientNumber,
    pub(super) total_duration_ms: LenientNumber,
    pub(super) harness_note_count: LenientNumber,
    pub(super) harness_tail_count: LenientNumber,
    pub(super) interrupted: Flag,
    pub(super) background_task_id: LenientText<'a>,
    pub(super) stdout: LenientText<'a>,
    pub(super) stderr: LenientText<'a>,
    /// In results of file tools: whether the file is new.
    #[serde(rename = "type")]
    pub(super) kind: LenientText<'a>,
    /// In results of file tools: the file. A hook may have replaced the one that the agent named.
    #[serde(alias = "notebook_path")]
    pub(super) file_path: LenientText<'a>,
    /// In results of file tools: the changes.
    pub(super) structured_patch: RawText<'a>,
}

/// A record of an agent inside a progress record of its caller.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ProgressData<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: LenientText<'a>,
    pub(super) agent_id: LenientText<'a>,
    pub(super) message: Option<ProgressRecord<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ProgressRecord<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: LenientText<'a>,
    pub(super) timestamp: LenientText<'a>,
    pub(super) message: Option<Box<ClaudeMessage<'a>>>,
    pub(super) tool_use_result: Option<Box<ToolUseResult<'a>>>,
    pub(super) is_api_error_message: Flag,
}

/// The text blocks of a result.
pub(super) type Texts<'a> = List<ContentBlock<'a>>;
