//! Records of Copilot CLI, with the members that are read.

use crate::clients::run::lenient::{Flag, LenientNumber, LenientText, Object, RawText};
use crate::clients::run::record::record;

record! {
    struct CopilotRecord<'a> {
        kind: LenientText<'a> = "type",
        data: Object<CopilotData<'a>> = "data",
        agent_id: LenientText<'a> = "agentId",
        timestamp: LenientText<'a> = "timestamp",
    }
}

record! {
    struct CopilotData<'a> {
        tool_call_id: LenientText<'a> = "toolCallId",
        tool_name: LenientText<'a> = "toolName",
        arguments: RawText<'a> = "arguments",
        success: Flag = "success",
        error: Object<CopilotError<'a>> = "error",
        shell_execution: Object<ShellExecution> = "shellExecution",
        result: Object<ToolResult<'a>> = "result",
        message_id: LenientText<'a> = "messageId",
        content: LenientText<'a> = "content",
        tool_requests: RawText<'a> = "toolRequests",
        output_tokens: LenientNumber = "outputTokens",
        hook_invocation_id: LenientText<'a> = "hookInvocationId",
        /// Where a hook starts.
        input: Object<HookInput<'a>> = "input",
        /// Where a hook ends.
        output: Object<HookOutput<'a>> = "output",
        session_id: LenientText<'a> = "sessionId",
        context: Object<CopilotContext<'a>> = "context",
        source: LenientText<'a> = "source",
        agent_type: LenientText<'a> = "agentType",
        agent_name: LenientText<'a> = "agentName",
        total_tool_calls: LenientNumber = "totalToolCalls",
        total_tokens: LenientNumber = "totalTokens",
    }
}

record! {
    struct CopilotContext<'a> {
        cwd: LenientText<'a> = "cwd",
        head_commit: LenientText<'a> = "headCommit",
    }
}

record! {
    struct CopilotError<'a> {
        code: LenientText<'a> = "code",
    }
}

record! {
    struct ToolResult<'a> {
        content: RawText<'a> = "content",
    }
}

record! {
    struct ShellExecution {
        exit_code: LenientNumber = "exitCode",
    }
}

record! {
    struct CopilotArguments<'a> {
        path: LenientText<'a> = "path",
        file_path: LenientText<'a> = "file_path",
        command: LenientText<'a> = "command",
        prompt: LenientText<'a> = "prompt",
        agent_type: LenientText<'a> = "agent_type",
        mode: LenientText<'a> = "mode",
        shell_id: LenientText<'a> = "shellId" | "sessionId",
        old_str: RawText<'a> = "old_str",
        new_str: RawText<'a> = "new_str",
    }
}

record! {
    struct HookInput<'a> {
        agent_id: LenientText<'a> = "agentId",
        /// Present only where an agent stops.
        stop_reason: LenientText<'a> = "stopReason",
    }
}

record! {
    struct HookOutput<'a> {
        decision: LenientText<'a> = "decision",
    }
}
