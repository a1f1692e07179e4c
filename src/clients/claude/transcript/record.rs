//! Records of Claude Code, with the members that are read.

use serde::{Deserialize, Deserializer};

use crate::clients::run::{Content, Flag, LenientNumber, LenientText, List, RawText, records};

records! {
    #[serde(rename_all = "camelCase")]
    struct ClaudeRecord<'a> {
        parent_uuid: LenientText<'a>,
        is_sidechain: Flag,
        agent_id: LenientText<'a>,
        message: Option<Box<ClaudeMessage<'a>>>,
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        uuid: LenientText<'a>,
        #[serde(alias = "ts")]
        timestamp: LenientText<'a>,
        tool_use_result: Option<Box<ToolUseResult<'a>>>,
        permission_decision: RawText<'a>,
        cwd: LenientText<'a>,
        session_id: LenientText<'a>,
        version: LenientText<'a>,
        is_meta: Flag,
        is_api_error_message: Flag,
        api_error_status: LenientNumber,
        error: LenientText<'a>,
        origin: RawText<'a>,
        /// In compact records: the version of their form, and the id of the message.
        v: LenientNumber,
        id: LenientText<'a>,
        /// In queue operations, progress records and compact records.
        content: RawText<'a>,
        data: Option<Box<ProgressData<'a>>>,
        #[serde(rename = "parentToolUseID")]
        parent_tool_use_id: LenientText<'a>,
    }
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

records! {
    struct ClaudeMessage<'a> {
        id: LenientText<'a>,
        model: LenientText<'a>,
        stop_reason: StopReason,
        content: Content<'a, ContentBlock<'a>>,
        usage: Option<ClaudeUsage>,
    }

    struct ClaudeUsage {
        #[serde(rename = "input_tokens")]
        input: LenientNumber,
        #[serde(rename = "cache_creation_input_tokens")]
        cache_creation: LenientNumber,
        #[serde(rename = "cache_read_input_tokens")]
        cache_read: LenientNumber,
        #[serde(rename = "output_tokens")]
        output: LenientNumber,
    }

    struct ContentBlock<'a> {
        tool_use_id: LenientText<'a>,
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        id: LenientText<'a>,
        name: LenientText<'a>,
        input: Option<Box<ClaudeInput<'a>>>,
        text: RawText<'a>,
        content: RawText<'a>,
        is_error: Flag,
        /// In compact records: the result of the call.
        result: Option<CompactResult<'a>>,
    }

    struct CompactResult<'a> {
        output: RawText<'a>,
        status: LenientText<'a>,
    }

    struct ClaudeInput<'a> {
        file_path: LenientText<'a>,
        notebook_path: LenientText<'a>,
        old_string: RawText<'a>,
        new_string: RawText<'a>,
        edits: RawText<'a>,
        command: LenientText<'a>,
        prompt: LenientText<'a>,
        message: LenientText<'a>,
        subagent_type: LenientText<'a>,
        description: LenientText<'a>,
        resume: LenientText<'a>,
        run_in_background: Flag,
    }

    #[serde(rename_all = "camelCase")]
    struct ToolUseResult<'a> {
        status: LenientText<'a>,
        agent_id: LenientText<'a>,
        agent_type: LenientText<'a>,
        content: RawText<'a>,
        total_tool_use_count: LenientNumber,
        total_tokens: LenientNumber,
        total_duration_ms: LenientNumber,
        harness_note_count: LenientNumber,
        harness_tail_count: LenientNumber,
        interrupted: Flag,
        background_task_id: LenientText<'a>,
        stdout: LenientText<'a>,
        stderr: LenientText<'a>,
        /// In results of file tools: whether the file is new.
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        /// In results of file tools: the file. A hook may have replaced the one that the agent named.
        #[serde(alias = "notebook_path")]
        file_path: LenientText<'a>,
        /// In results of file tools: the changes.
        structured_patch: RawText<'a>,
    }

    /// A record of an agent inside a progress record of its caller.
    #[serde(rename_all = "camelCase")]
    struct ProgressData<'a> {
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        agent_id: LenientText<'a>,
        message: Option<ProgressRecord<'a>>,
    }

    #[serde(rename_all = "camelCase")]
    struct ProgressRecord<'a> {
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        timestamp: LenientText<'a>,
        message: Option<Box<ClaudeMessage<'a>>>,
        tool_use_result: Option<Box<ToolUseResult<'a>>>,
        is_api_error_message: Flag,
    }
}

/// The text blocks of a result.
pub(super) type Texts<'a> = List<ContentBlock<'a>>;
