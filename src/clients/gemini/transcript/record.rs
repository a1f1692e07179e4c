//! Records of a session, with the members that are read.

use crate::clients::run::{Content, Flag, LenientNumber, LenientText, List, RawText, records};

records! {
    /// The head of a session, a message, or changes to earlier records.
    #[serde(rename_all = "camelCase")]
    struct GeminiRecord<'a> {
        id: LenientText<'a>,
        timestamp: LenientText<'a>,
        #[serde(rename = "type")]
        message_type: LenientText<'a>,
        content: Content<'a, GeminiPart<'a>>,
        tokens: Option<Box<GeminiUsage>>,
        tool_calls: List<ToolCall<'a>>,
        session_id: LenientText<'a>,
        project_hash: LenientText<'a>,
        model: LenientText<'a>,
        start_time: LenientText<'a>,
        kind: LenientText<'a>,
        directories: RawText<'a>,
        #[serde(rename = "$set")]
        set: Option<GeminiChanges<'a>>,
    }

    struct GeminiChanges<'a> {
        messages: RawText<'a>,
    }

    #[serde(rename_all = "camelCase")]
    struct GeminiPart<'a> {
        function_response: Option<FunctionResponse<'a>>,
        text: RawText<'a>,
    }

    struct FunctionResponse<'a> {
        response: Option<Response<'a>>,
    }

    struct Response<'a> {
        output: RawText<'a>,
        error: RawText<'a>,
    }

    struct GeminiUsage {
        input: LenientNumber,
        output: LenientNumber,
        cached: LenientNumber,
        thoughts: LenientNumber,
        total: LenientNumber,
    }

    #[serde(rename_all = "camelCase")]
    struct ToolCall<'a> {
        id: LenientText<'a>,
        name: LenientText<'a>,
        args: Option<Box<GeminiArguments<'a>>>,
        result: List<GeminiPart<'a>>,
        status: LenientText<'a>,
        result_display: RawText<'a>,
    }

    /// What the client shows the user about a call of a file tool.
    #[serde(rename_all = "camelCase")]
    struct ShownChange<'a> {
        file_path: LenientText<'a>,
        original_content: RawText<'a>,
        new_content: RawText<'a>,
        is_new_file: Flag,
    }

    struct GeminiArguments<'a> {
        #[serde(alias = "notebook_path")]
        file_path: LenientText<'a>,
        old_string: RawText<'a>,
        new_string: RawText<'a>,
        command: LenientText<'a>,
        #[serde(alias = "run_in_background")]
        is_background: Flag,
        #[serde(rename = "dir_path", alias = "directory")]
        folder: LenientText<'a>,
        #[serde(alias = "subagent_type")]
        agent_name: LenientText<'a>,
        prompt: LenientText<'a>,
        result: RawText<'a>,
    }
}
