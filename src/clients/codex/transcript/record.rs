//! Records of a rollout, with the members that are read.

use crate::clients::run::{Content, Flag, LenientNumber, LenientText, RawText, records};

records! {
    struct RolloutRecord<'a> {
        timestamp: LenientText<'a>,
        ordinal: LenientNumber,
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        payload: Option<Box<RolloutPayload<'a>>>,
    }

    struct RolloutPayload<'a> {
        id: LenientText<'a>,
        role: LenientText<'a>,
        content: Content<'a, CodexPart<'a>>,
        name: LenientText<'a>,
        arguments: LenientText<'a>,
        call_id: LenientText<'a>,
        output: RawText<'a>,
        info: Option<Box<TokenInfo>>,
        item: Option<Box<CodexItem<'a>>>,
        message: RawText<'a>,
        last_agent_message: LenientText<'a>,
        cwd: LenientText<'a>,
        cli_version: LenientText<'a>,
        model: LenientText<'a>,
        duration_ms: LenientNumber,
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        session_id: LenientText<'a>,
        source: RawText<'a>,
        git: RawText<'a>,
        subagent_history_start_ordinal: LenientNumber,
        input: LenientText<'a>,
        action: RawText<'a>,
        recipient: LenientText<'a>,
        changes: RawText<'a>,
        success: Flag,
        exit_code: LenientNumber,
    }

    struct Subagent<'a> {
        thread_spawn: Option<ThreadSpawn<'a>>,
    }

    struct ThreadSpawn<'a> {
        parent_thread_id: LenientText<'a>,
        depth: LenientNumber,
        agent_path: LenientText<'a>,
        agent_role: LenientText<'a>,
    }

    struct CodexPart<'a> {
        text: RawText<'a>,
    }

    struct CodexItem<'a> {
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        id: LenientText<'a>,
        command: RawText<'a>,
        changes: RawText<'a>,
        status: LenientText<'a>,
        exit_code: LenientNumber,
        aggregated_output: RawText<'a>,
        content: Content<'a, CodexPart<'a>>,
        agent_thread_id: LenientText<'a>,
    }

    struct TokenInfo {
        total_token_usage: Option<CodexUsage>,
        last_token_usage: Option<CodexUsage>,
    }

    struct CodexUsage {
        #[serde(rename = "input_tokens")]
        input: LenientNumber,
        #[serde(rename = "cached_input_tokens")]
        cached: LenientNumber,
        #[serde(rename = "output_tokens")]
        output: LenientNumber,
        #[serde(rename = "total_tokens")]
        total: LenientNumber,
    }

    /// The change of a file. For a new file, Codex records its content instead.
    struct FileUpdate<'a> {
        unified_diff: RawText<'a>,
        move_path: LenientText<'a>,
    }

    /// The arguments of a call. They are JSON inside a string.
    struct CodexArguments<'a> {
        cmd: LenientText<'a>,
        command: RawText<'a>,
        workdir: LenientText<'a>,
        input: LenientText<'a>,
        message: LenientText<'a>,
        agent_type: LenientText<'a>,
    }

    /// The output of a call, if it is JSON.
    struct CodexOutput<'a> {
        agent_id: LenientText<'a>,
        output: RawText<'a>,
        metadata: RawText<'a>,
    }
}
