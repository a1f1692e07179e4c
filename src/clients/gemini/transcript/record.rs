//! Records of a session, with the members that are read.

use crate::clients::run::lenient::{
    Content, Flag, LenientNumber, LenientText, List, Object, RawText,
};
use crate::clients::run::record::record;

record! {
    /// The head of a session, a message, or changes to earlier records.
    struct GeminiRecord<'a> {
        id: LenientText<'a> = "id",
        timestamp: LenientText<'a> = "timestamp",
        message_type: LenientText<'a> = "type",
        content: Content<'a, GeminiPart<'a>> = "content",
        tokens: Object<GeminiUsage> = "tokens",
        tool_calls: List<ToolCall<'a>> = "toolCalls",
        session_id: LenientText<'a> = "sessionId",
        project_hash: LenientText<'a> = "projectHash",
        start_time: LenientText<'a> = "startTime",
        kind: LenientText<'a> = "kind",
        directories: RawText<'a> = "directories",
        set: Object<GeminiChanges<'a>> = "$set",
    }
}

record! {
    struct GeminiChanges<'a> {
        messages: RawText<'a> = "messages",
    }
}

record! {
    struct GeminiPart<'a> {
        function_response: Object<FunctionResponse<'a>> = "functionResponse",
        text: RawText<'a> = "text",
    }
}

record! {
    struct FunctionResponse<'a> {
        response: Object<Response<'a>> = "response",
    }
}

record! {
    struct Response<'a> {
        output: RawText<'a> = "output",
        error: RawText<'a> = "error",
    }
}

record! {
    struct GeminiUsage {
        input: LenientNumber = "input",
        output: LenientNumber = "output",
        cached: LenientNumber = "cached",
        thoughts: LenientNumber = "thoughts",
        total: LenientNumber = "total",
    }
}

record! {
    struct ToolCall<'a> {
        id: LenientText<'a> = "id",
        name: LenientText<'a> = "name",
        args: Object<GeminiArguments<'a>> = "args",
        result: List<GeminiPart<'a>> = "result",
        status: LenientText<'a> = "status",
        result_display: RawText<'a> = "resultDisplay",
    }
}

record! {
    /// What the client shows the user about a call of a file tool.
    struct ShownChange<'a> {
        file_path: LenientText<'a> = "filePath",
        original_content: RawText<'a> = "originalContent",
        new_content: RawText<'a> = "newContent",
        is_new_file: Flag = "isNewFile",
    }
}

record! {
    struct GeminiArguments<'a> {
        file_path: LenientText<'a> = "file_path",
        old_string: RawText<'a> = "old_string",
        new_string: RawText<'a> = "new_string",
        command: LenientText<'a> = "command",
        is_background: Flag = "is_background",
        folder: LenientText<'a> = "dir_path" | "directory",
        agent_name: LenientText<'a> = "agent_name",
        prompt: LenientText<'a> = "prompt",
        result: RawText<'a> = "result",
    }
}
