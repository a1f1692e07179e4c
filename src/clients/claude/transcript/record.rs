//! Records of Claude Code, with the members that are read.

use crate::clients::run::cursor::JsonCursor;
use crate::clients::run::lenient::{
    Content, Flag, Lenient, LenientNumber, LenientText, List, Object, RawText,
};
use crate::clients::run::record::record;

record! {
    struct ClaudeRecord<'a> {
        parent_uuid: LenientText<'a> = "parentUuid",
        is_sidechain: Flag = "isSidechain",
        agent_id: LenientText<'a> = "agentId",
        message: Object<ClaudeMessage<'a>> = "message",
        kind: LenientText<'a> = "type",
        uuid: LenientText<'a> = "uuid",
        timestamp: LenientText<'a> = "timestamp",
        tool_use_result: Object<ToolUseResult<'a>> = "toolUseResult",
        permission_decision: Object<PermissionDecision<'a>> = "permissionDecision",
        cwd: LenientText<'a> = "cwd",
        session_id: LenientText<'a> = "sessionId",
        is_meta: Flag = "isMeta",
        is_api_error_message: Flag = "isApiErrorMessage",
        api_error_status: LenientNumber = "apiErrorStatus",
        error: LenientText<'a> = "error",
        origin: Object<NoticeOrigin<'a>> = "origin",
        /// In queue operations and progress records.
        content: RawText<'a> = "content",
        data: Object<Box<ProgressData<'a>>> = "data",
        parent_tool_use_id: LenientText<'a> = "parentToolUseID",
    }
}

record! {
    struct NoticeOrigin<'a> {
        kind: LenientText<'a> = "kind",
    }
}

record! {
    struct PermissionDecision<'a> {
        decision: LenientText<'a> = "decision",
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

impl<'a> Lenient<'a> for StopReason {
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        let mut reason = LenientText::default();
        reason.read(json)?;
        *self = match reason.get() {
            None => Self::Open,
            Some("tool_use") => Self::ToolUse,
            Some(_) => Self::End,
        };
        Some(())
    }
}

record! {
    struct ClaudeMessage<'a> {
        id: LenientText<'a> = "id",
        model: LenientText<'a> = "model",
        stop_reason: StopReason = "stop_reason",
        content: Content<'a, ContentBlock<'a>> = "content",
        usage: Object<ClaudeUsage> = "usage",
    }
}

record! {
    struct ClaudeUsage {
        input: LenientNumber = "input_tokens",
        cache_creation: LenientNumber = "cache_creation_input_tokens",
        cache_read: LenientNumber = "cache_read_input_tokens",
        output: LenientNumber = "output_tokens",
    }
}

record! {
    struct ContentBlock<'a> {
        tool_use_id: LenientText<'a> = "tool_use_id",
        kind: LenientText<'a> = "type",
        id: LenientText<'a> = "id",
        name: LenientText<'a> = "name",
        input: Object<ClaudeInput<'a>> = "input",
        text: RawText<'a> = "text",
        content: RawText<'a> = "content",
        is_error: Flag = "is_error",
    }
}

record! {
    struct ClaudeInput<'a> {
        file_path: LenientText<'a> = "file_path",
        notebook_path: LenientText<'a> = "notebook_path",
        old_string: RawText<'a> = "old_string",
        new_string: RawText<'a> = "new_string",
        edits: RawText<'a> = "edits",
        command: LenientText<'a> = "command",
        prompt: LenientText<'a> = "prompt",
        subagent_type: LenientText<'a> = "subagent_type",
        resume: LenientText<'a> = "resume",
        run_in_background: Flag = "run_in_background",
    }
}

record! {
    struct ToolUseResult<'a> {
        status: LenientText<'a> = "status",
        agent_id: LenientText<'a> = "agentId",
        agent_type: LenientText<'a> = "agentType",
        content: RawText<'a> = "content",
        total_tool_use_count: LenientNumber = "totalToolUseCount",
        total_tokens: LenientNumber = "totalTokens",
        harness_note_count: LenientNumber = "harnessNoteCount",
        harness_tail_count: LenientNumber = "harnessTailCount",
        interrupted: Flag = "interrupted",
        background_task_id: LenientText<'a> = "backgroundTaskId",
        stdout: LenientText<'a> = "stdout",
        stderr: LenientText<'a> = "stderr",
        /// In results of file tools: whether the file is new.
        kind: LenientText<'a> = "type",
        /// In results of file tools: the file. A hook may have replaced the one that the agent named.
        file_path: LenientText<'a> = "filePath" | "notebook_path",
        /// In results of file tools: the changes.
        structured_patch: RawText<'a> = "structuredPatch",
    }
}

record! {
    /// A record of an agent inside a progress record of its caller.
    struct ProgressData<'a> {
        kind: LenientText<'a> = "type",
        agent_id: LenientText<'a> = "agentId",
        message: Object<ProgressRecord<'a>> = "message",
    }
}

record! {
    struct ProgressRecord<'a> {
        kind: LenientText<'a> = "type",
        timestamp: LenientText<'a> = "timestamp",
        message: Object<ClaudeMessage<'a>> = "message",
        tool_use_result: Object<ToolUseResult<'a>> = "toolUseResult",
        is_api_error_message: Flag = "isApiErrorMessage",
    }
}

/// The text blocks of a result.
pub(super) type Texts<'a> = List<ContentBlock<'a>>;
