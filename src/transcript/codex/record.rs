//! Records of a rollout, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::payload::ReadPayload;
use crate::transcript::lenient::{Content, Flag, LenientNumber, LenientText, Object};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RolloutRecord<'a> {
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    pub(super) ordinal: LenientNumber,
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) payload: Object<ReadPayload<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RolloutPayload<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) session_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) cwd: LenientText<'a>,
    #[serde(borrow)]
    pub(super) source: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) git: Option<&'a RawValue>,
    pub(super) subagent_history_start_ordinal: LenientNumber,
    #[serde(borrow)]
    pub(super) role: LenientText<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, CodexPart<'a>>,
    #[serde(borrow)]
    pub(super) name: LenientText<'a>,
    #[serde(borrow)]
    pub(super) arguments: LenientText<'a>,
    #[serde(borrow)]
    pub(super) input: LenientText<'a>,
    #[serde(borrow)]
    pub(super) action: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) call_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) recipient: LenientText<'a>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) last_agent_message: LenientText<'a>,
    #[serde(borrow)]
    pub(super) item: Object<Box<CodexItem<'a>>>,
    pub(super) info: Object<Box<TokenInfo>>,
    #[serde(borrow)]
    pub(super) changes: Option<&'a RawValue>,
    pub(super) success: Flag,
    pub(super) exit_code: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SessionSource<'a> {
    #[serde(borrow)]
    pub(super) subagent: Object<Subagent<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Subagent<'a> {
    #[serde(borrow)]
    pub(super) thread_spawn: Object<ThreadSpawn<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ThreadSpawn<'a> {
    #[serde(borrow)]
    pub(super) parent_thread_id: LenientText<'a>,
    pub(super) depth: LenientNumber,
    #[serde(borrow)]
    pub(super) agent_path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_role: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Git<'a> {
    #[serde(borrow)]
    pub(super) commit_hash: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexPart<'a> {
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexItem<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, CodexPart<'a>>,
    #[serde(borrow)]
    pub(super) changes: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) command: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) status: LenientText<'a>,
    pub(super) exit_code: LenientNumber,
    #[serde(borrow)]
    pub(super) agent_thread_id: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenInfo {
    pub(super) total_token_usage: Object<CodexUsage>,
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

/// What became of a file. One that is new has its content instead.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FileUpdate<'a> {
    #[serde(borrow)]
    pub(super) unified_diff: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) move_path: LenientText<'a>,
}

/// Arguments of a call, which stand in a string.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexArguments<'a> {
    #[serde(borrow)]
    pub(super) cmd: LenientText<'a>,
    #[serde(borrow)]
    pub(super) command: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) workdir: LenientText<'a>,
    #[serde(borrow)]
    pub(super) input: LenientText<'a>,
    #[serde(borrow)]
    pub(super) message: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_type: LenientText<'a>,
}

/// Output of a call, if it is JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexOutput<'a> {
    #[serde(borrow)]
    pub(super) agent_id: LenientText<'a>,
    pub(super) metadata: Object<CodexMetadata>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CodexMetadata {
    pub(super) exit_code: LenientNumber,
}
