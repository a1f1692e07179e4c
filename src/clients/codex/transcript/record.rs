//! Records of a rollout, with the members that are read.

use serde::Deserialize;

use crate::clients::run::{Content, Flag, LenientNumber, LenientText, RawText};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RolloutRecord<'a> {
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    pub(super) ordinal: LenientNumber,
    #[serde(rename = "type")]
    pub(super) kind: LenientText<'a>,
    pub(super) payload: Option<Box<RolloutPayload<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RolloutPayload<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) role: LenientText<'a>,
    pub(super) content: Content<'a, CodexPart<'a>>,
    pub(super) name: LenientText<'a>,
    pub(super) arguments: LenientText<'a>,
    pub(super) call_id: LenientText<'a>,
    pub(super) output: RawText<'a>,
    pub(super) info: Option<Box<TokenInfo>>,
    pub(super) item: Option<Box<CodexItem<'a>>>,
    pub(super) message: RawText<'a>,
    pub(super) last_agent_message: LenientText<'a>,
    pub(super) cwd: LenientText<'a>,
    pub(super) cli_version: LenientText<'a>,
    pub(super) model: LenientText<'a>,
    pub(super) duration_ms: LenientNumber,
    #[serde(rename = "type")]
    pub(super) kind: LenientText<'a>,
    pub(super) session_id: LenientText<'a>,
    pub(super) source: RawText<'a>,
    pub(super) git: RawText<'a>,
    pub(super) subagent_history_start_ordinal: LenientNumber,
    pub(super) input: LenientText<'a>,
    pub(super) action: RawText<'a>,
    pub(super) recipient: LenientText<'a>,
    pub(super) changes: RawText<'a>,
    pub(super) success: Flag,
    pub(super) exit_code: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Subagent<'a> {
    #[serde(borrow)]
    pub(super) thread_spawn: Option<ThreadSpawn<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ThreadSpawn<'a> {
    #[serde(borrow)]
    pub(super) parent_thread_id: LenientText<'a>,
    pub(super) depth: LenientNumber,
    pub(super) agent_path: LenientText<'a>,
    pub(super) agent_role: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexPart<'a> {
    #[serde(borrow)]
    pub(super) text: RawText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexItem<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: LenientText<'a>,
    pub(super) id: LenientText<'a>,
    pub(super) command: RawText<'a>,
    pub(super) changes: RawText<'a>,
    pub(super) status: LenientText<'a>,
    pub(super) exit_code: LenientNumber,
    pub(super) aggregated_output: RawText<'a>,
    pub(super) content: Content<'a, CodexPart<'a>>,
    pub(super) agent_thread_id: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenInfo {
    pub(super) total_token_usage: Option<CodexUsage>,
    pub(super) last_token_usage: Option<CodexUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexUsage {
    #[serde(rename = "input_tokens")]
    pub(super) input: LenientNumber,
    #[serde(rename = "cached_input_tokens")]
    pub(super) cached: LenientNumber,
    #[serde(rename = "output_tokens")]
    pub(super) output: LenientNumber,
    #[serde(rename = "total_tokens")]
    pub(super) total: LenientNumber,
}

/// The change of a file. For a new file, Codex records its content instead.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FileUpdate<'a> {
    #[serde(borrow)]
    pub(super) unified_diff: RawText<'a>,
    pub(super) move_path: LenientText<'a>,
}

/// The arguments of a call. They are JSON inside a string.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexArguments<'a> {
    #[serde(borrow)]
    pub(super) cmd: LenientText<'a>,
    pub(super) command: RawText<'a>,
    pub(super) workdir: LenientText<'a>,
    pub(super) input: LenientText<'a>,
    pub(super) message: LenientText<'a>,
    pub(super) agent_type: LenientText<'a>,
}

/// The output of a call, if it is JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexOutput<'a> {
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    pub(super) output: RawText<'a>,
    pub(super) metadata: RawText<'a>,
}
