//! Parts of an export, as far as they are read.

use crate::transcript::lenient::{Flag, LenientNumber, LenientText, Object, RawText};
use crate::transcript::record::record;

record! {
    /// Of a session, or of a message.
    struct OpenCodeInfo<'a> {
        id: LenientText<'a> = "id",
        parent_id: LenientText<'a> = "parentID",
        directory: LenientText<'a> = "directory",
        role: LenientText<'a> = "role",
        agent: LenientText<'a> = "agent",
        mode: LenientText<'a> = "mode",
        time: Object<Time> = "time",
        tokens: Object<OpenCodeUsage> = "tokens",
        error: Object<OpenCodeError<'a>> = "error",
        path: Object<OpenCodePaths<'a>> = "path",
    }
}

record! {
    struct Time {
        created: LenientNumber = "created",
        completed: LenientNumber = "completed",
        start: LenientNumber = "start",
    }
}

record! {
    struct OpenCodeUsage {
        input: LenientNumber = "input",
        output: LenientNumber = "output",
        reasoning: LenientNumber = "reasoning",
        cache: Object<Cache> = "cache",
    }
}

record! {
    struct Cache {
        read: LenientNumber = "read",
        write: LenientNumber = "write",
    }
}

record! {
    struct OpenCodeError<'a> {
        name: LenientText<'a> = "name",
    }
}

record! {
    struct OpenCodePaths<'a> {
        cwd: LenientText<'a> = "cwd",
    }
}

record! {
    struct OpenCodePart<'a> {
        kind: LenientText<'a> = "type",
        text: LenientText<'a> = "text",
        synthetic: Flag = "synthetic",
        tool: LenientText<'a> = "tool",
        call_id: LenientText<'a> = "callID",
        state: Object<OpenCodeState<'a>> = "state",
    }
}

record! {
    struct OpenCodeState<'a> {
        status: LenientText<'a> = "status",
        input: Object<OpenCodeInput<'a>> = "input",
        metadata: Object<OpenCodeMetadata<'a>> = "metadata",
        error: LenientText<'a> = "error",
        time: Object<Time> = "time",
    }
}

record! {
    struct OpenCodeInput<'a> {
        file_path: LenientText<'a> = "filePath",
        command: LenientText<'a> = "command",
        workdir: LenientText<'a> = "workdir",
        patch_text: LenientText<'a> = "patchText",
        old_string: RawText<'a> = "oldString",
        new_string: RawText<'a> = "newString",
        edits: RawText<'a> = "edits",
        prompt: LenientText<'a> = "prompt",
        subagent_type: LenientText<'a> = "subagent_type",
    }
}

record! {
    struct OpenCodeMetadata<'a> {
        exit: LenientNumber = "exit",
        session_id: LenientText<'a> = "sessionId",
    }
}
