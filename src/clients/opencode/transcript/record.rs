//! Parts of an export, with the members that are read.

use crate::clients::run::lenient::{Flag, LenientNumber, LenientText, Object, RawText};
use crate::clients::run::record::record;

record! {
    /// The data of a session or of a message.
    struct OpenCodeInfo<'a> {
        id: LenientText<'a> = "id",
        role: LenientText<'a> = "role",
        time: Object<Time> = "time",
        mode: LenientText<'a> = "mode",
        path: Object<OpenCodePaths<'a>> = "path",
        tokens: Object<OpenCodeUsage> = "tokens",
        agent: LenientText<'a> = "agent",
        error: Object<OpenCodeError<'a>> = "error",
        parent_id: LenientText<'a> = "parentID",
        directory: LenientText<'a> = "directory",
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
        call_id: LenientText<'a> = "callID",
        tool: LenientText<'a> = "tool",
        state: Object<OpenCodeState<'a>> = "state",
        text: LenientText<'a> = "text",
        synthetic: Flag = "synthetic",
    }
}

record! {
    struct OpenCodeState<'a> {
        status: LenientText<'a> = "status",
        input: Object<OpenCodeInput<'a>> = "input",
        metadata: Object<OpenCodeMetadata<'a>> = "metadata",
        time: Object<Time> = "time",
        error: LenientText<'a> = "error",
        output: RawText<'a> = "output",
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
        /// In results of `write`.
        file_path: LenientText<'a> = "filepath",
        /// In results of `edit`.
        change: Object<OpenCodeChange<'a>> = "filediff",
    }
}

record! {
    struct OpenCodeChange<'a> {
        file: LenientText<'a> = "file",
    }
}
