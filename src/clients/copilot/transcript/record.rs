//! Records of Copilot CLI, with the members that are read.

use crate::clients::run::{Flag, LenientNumber, LenientText, RawText, records};

records! {
    #[serde(rename_all = "camelCase")]
    struct CopilotRecord<'a> {
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        data: Option<Box<CopilotData<'a>>>,
        agent_id: LenientText<'a>,
        timestamp: LenientText<'a>,
    }

    #[serde(rename_all = "camelCase")]
    struct CopilotData<'a> {
        tool_call_id: LenientText<'a>,
        tool_name: LenientText<'a>,
        arguments: RawText<'a>,
        success: Flag,
        error: RawText<'a>,
        shell_execution: RawText<'a>,
        result: Option<ToolResult<'a>>,
        message_id: LenientText<'a>,
        content: LenientText<'a>,
        tool_requests: RawText<'a>,
        output_tokens: LenientNumber,
        hook_invocation_id: LenientText<'a>,
        /// Where a hook starts.
        input: Option<HookInput<'a>>,
        /// Where a hook ends.
        output: RawText<'a>,
        session_id: LenientText<'a>,
        context: Option<CopilotContext<'a>>,
        source: LenientText<'a>,
        agent_type: LenientText<'a>,
        agent_name: LenientText<'a>,
        total_tool_calls: LenientNumber,
        total_tokens: LenientNumber,
        duration_ms: LenientNumber,
        model: LenientText<'a>,
        copilot_version: LenientText<'a>,
    }

    #[serde(rename_all = "camelCase")]
    struct CopilotContext<'a> {
        cwd: LenientText<'a>,
        head_commit: LenientText<'a>,
    }

    struct ToolResult<'a> {
        content: RawText<'a>,
    }

    struct CopilotArguments<'a> {
        path: LenientText<'a>,
        file_path: LenientText<'a>,
        command: LenientText<'a>,
        prompt: LenientText<'a>,
        agent_type: LenientText<'a>,
        mode: LenientText<'a>,
        #[serde(rename = "shellId", alias = "sessionId")]
        shell_id: LenientText<'a>,
        old_str: RawText<'a>,
        new_str: RawText<'a>,
        description: LenientText<'a>,
    }

    #[serde(rename_all = "camelCase")]
    struct HookInput<'a> {
        agent_id: LenientText<'a>,
        /// Present only where an agent stops.
        stop_reason: LenientText<'a>,
    }
}
