//! Finds the transcript of an agent by the payload of a hook, and reads the metadata file next to it.
//!
//! No transcript is opened here. A file name is built only from an id that cannot lead out of its folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::clients::run::{Run, fill};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentFiles {
    pub transcript: PathBuf,
    /// The metadata file that Claude Code writes beside it. Other clients have no such file.
    pub sidecar: Option<PathBuf>,
}

const ID_AT_MOST: usize = 128;

/// Where the folders of workflows are, below the folder of a session of Claude Code.
const WORKFLOWS: &str = "subagents/workflows";

/// Whether an id may be part of a file name: ASCII letters, digits, `_` and `-`.
pub(crate) fn is_plain_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !id.is_empty() && id.len() <= ID_AT_MOST && id.bytes().all(is_plain)
}

/// The files of an agent whose transcript is known.
pub(crate) fn beside(transcript: &Path) -> AgentFiles {
    let name = transcript.file_name().unwrap_or_default();
    let is_claude = name.as_encoded_bytes().starts_with(b"agent-");
    AgentFiles {
        sidecar: is_claude.then(|| transcript.with_extension("meta.json")),
        transcript: transcript.to_owned(),
    }
}

pub(crate) fn is_of_workflow(transcript: &Path) -> bool {
    (transcript.ancestors().nth(2)).is_some_and(|folder| folder.ends_with(WORKFLOWS))
}

/// The paths that an agent's files may have, the most likely first. `parent` is the caller's transcript.
///
/// Claude Code: `subagents/agent-ID.jsonl` in a folder named as the transcript, or beside the transcript
/// in older versions. Qwen Code: `subagents/SESSION/agent-ID.jsonl` beside the folder. Gemini CLI:
/// `SESSION/ID.jsonl`. The caller's transcript is not included, although other clients and older versions
/// keep the agent's records there. Files of a workflow's agents and of Codex, whose paths have other parts, are
/// only known by the payload.
///
/// Empty if the agent's id is not [plain](is_plain_id).
pub(crate) fn candidates(
    parent: &Path,
    session_id: Option<&str>,
    agent_id: &str,
) -> Vec<AgentFiles> {
    if !is_plain_id(agent_id) {
        return Vec::new();
    }
    let folder = parent.parent().unwrap_or(Path::new(""));
    let name = format!("agent-{agent_id}.jsonl");
    let mut places =
        vec![parent.with_extension("").join("subagents").join(&name), folder.join(&name)];
    if let Some(session) = parent.file_stem() {
        places.push(folder.with_file_name("subagents").join(session).join(&name));
    }
    if let Some(session) = session_id.filter(|id| is_plain_id(id)) {
        places.push(folder.join(session).join(format!("{agent_id}.jsonl")));
    }
    places.iter().map(|place| beside(place)).collect()
}

/// `agent-ID.meta.json`, which Claude Code writes next to an agent's transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Sidecar {
    /// The type that the agent was called with. For a member of a team it is the agent's name.
    pub agent_type: Option<String>,
    spawned_agent_type: Option<String>,
    #[serde(rename = "isBuiltIn")]
    pub is_builtin: Option<bool>,
    #[serde(rename = "parentAgentId")]
    pub parent: Option<String>,
    /// 1 for an agent that the main agent called, and so on.
    #[serde(rename = "spawnDepth")]
    pub depth: Option<u64>,
    #[serde(rename = "toolUseId")]
    pub tool_call_id: Option<String>,
    pub model: Option<String>,
    #[serde(rename = "worktreePath")]
    pub work_tree: Option<String>,
}

impl Sidecar {
    /// Reads a sidecar. None if it is not a JSON object.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let is_object = bytes.trim_ascii_start().starts_with(b"{");
        let read = serde_json::from_slice(bytes).ok().filter(|_| is_object);
        let mut sidecar: Self = read?;
        let of_member = sidecar.spawned_agent_type.take();
        sidecar.agent_type = of_member.or(sidecar.agent_type);
        // A member of a team has 0, as if none had called it.
        sidecar.depth = sidecar.depth.map(|depth| depth.max(1));
        Some(sidecar)
    }
}

impl Run {
    /// Fills empty fields from the sidecar. Its `finished` is not used: the transcript may go on after it.
    pub(crate) fn add_sidecar(&mut self, sidecar: &Sidecar) {
        fill!(self, sidecar: agent_type, is_builtin, parent, depth, tool_call_id);
        fill!(self.details, sidecar: model, work_tree);
    }
}
