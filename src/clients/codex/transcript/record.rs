//! Payloads of rollout records, with the members that are read.

use crate::clients::run::lenient::{Content, Flag, LenientNumber, LenientText, Object, RawText};
use crate::clients::run::record::record;

record! {
    struct RolloutPayload<'a> {
        id: LenientText<'a> = "id",
        role: LenientText<'a> = "role",
        content: Content<'a, CodexPart<'a>> = "content",
        name: LenientText<'a> = "name",
        arguments: LenientText<'a> = "arguments",
        call_id: LenientText<'a> = "call_id",
        output: RawText<'a> = "output",
        info: Object<Box<TokenInfo>> = "info",
        item: Object<Box<CodexItem<'a>>> = "item",
        message: RawText<'a> = "message",
        last_agent_message: LenientText<'a> = "last_agent_message",
        cwd: LenientText<'a> = "cwd",
        kind: LenientText<'a> = "type",
        session_id: LenientText<'a> = "session_id",
        source: RawText<'a> = "source",
        git: RawText<'a> = "git",
        subagent_history_start_ordinal: LenientNumber = "subagent_history_start_ordinal",
        input: LenientText<'a> = "input",
        action: RawText<'a> = "action",
        recipient: LenientText<'a> = "recipient",
        changes: RawText<'a> = "changes",
        success: Flag = "success",
        exit_code: LenientNumber = "exit_code",
    }
}

record! {
    struct SessionSource<'a> {
        subagent: Object<Subagent<'a>> = "subagent",
    }
}

record! {
    struct Subagent<'a> {
        thread_spawn: Object<ThreadSpawn<'a>> = "thread_spawn",
    }
}

record! {
    struct ThreadSpawn<'a> {
        parent_thread_id: LenientText<'a> = "parent_thread_id",
        depth: LenientNumber = "depth",
        agent_path: LenientText<'a> = "agent_path",
        agent_role: LenientText<'a> = "agent_role",
    }
}

record! {
    struct Git<'a> {
        commit_hash: LenientText<'a> = "commit_hash",
    }
}

record! {
    struct CodexPart<'a> {
        text: RawText<'a> = "text",
    }
}

record! {
    struct CodexItem<'a> {
        kind: LenientText<'a> = "type",
        id: LenientText<'a> = "id",
        command: RawText<'a> = "command",
        changes: RawText<'a> = "changes",
        status: LenientText<'a> = "status",
        exit_code: LenientNumber = "exit_code",
        aggregated_output: RawText<'a> = "aggregated_output",
        content: Content<'a, CodexPart<'a>> = "content",
        agent_thread_id: LenientText<'a> = "agent_thread_id",
    }
}

record! {
    struct TokenInfo {
        total_token_usage: Object<CodexUsage> = "total_token_usage",
    }
}

record! {
    struct CodexUsage {
        input: LenientNumber = "input_tokens",
        cached: LenientNumber = "cached_input_tokens",
        output: LenientNumber = "output_tokens",
        total: LenientNumber = "total_tokens",
    }
}

record! {
    /// The change of a file. For a new file, Codex records its content instead.
    struct FileUpdate<'a> {
        unified_diff: RawText<'a> = "unified_diff",
        move_path: LenientText<'a> = "move_path",
    }
}

record! {
    /// The arguments of a call. They are JSON inside a string.
    struct CodexArguments<'a> {
        cmd: LenientText<'a> = "cmd",
        command: RawText<'a> = "command",
        workdir: LenientText<'a> = "workdir",
        input: LenientText<'a> = "input",
        message: LenientText<'a> = "message",
        agent_type: LenientText<'a> = "agent_type",
    }
}

record! {
    /// The output of a call, if it is JSON.
    struct CodexOutput<'a> {
        agent_id: LenientText<'a> = "agent_id",
        output: RawText<'a> = "output",
        metadata: Object<CodexMetadata> = "metadata",
    }
}

record! {
    struct CodexMetadata {
        exit_code: LenientNumber = "exit_code",
    }
}
