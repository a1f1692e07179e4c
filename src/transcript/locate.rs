//! Where the transcript of one agent is, by what a hook is told.
//!
//! Nothing is opened here. Names of files are only made of ids that cannot leave the folder.

use std::path::{Path, PathBuf};

/// The files of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentFiles {
    /// Its transcript.
    pub transcript: PathBuf,
    /// What Claude Code writes beside it. Other clients have no such file.
    pub sidecar: Option<PathBuf>,
}

/// Bytes of the longest id. Those of the clients have up to 36.
const ID_AT_MOST: usize = 128;

/// Whether an id may be part of a file name: ASCII letters, digits, `_` and `-`.
#[must_use]
pub fn is_plain_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !id.is_empty() && id.len() <= ID_AT_MOST && id.bytes().all(is_plain)
}

/// The files of an agent whose transcript is known, as `agent_transcript_path` of a hook's payload.
#[must_use]
pub fn beside(transcript: &Path) -> AgentFiles {
    let is_claude = transcript
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.starts_with("agent-"));
    AgentFiles {
        sidecar: is_claude.then(|| transcript.with_extension("meta.json")),
        transcript: transcript.to_owned(),
    }
}

/// The places where an agent's files may be, likeliest first, by its caller's transcript, the
/// session and the agent's id.
///
/// Claude Code: `subagents/agent-ID.jsonl` in a folder named as the transcript, or beside the
/// transcript in older versions. Gemini CLI: `SESSION/ID.jsonl`. Not among them are the caller's
/// transcript itself, in which other clients and older versions have the agent's records, and what
/// only a hook can tell: agents of a workflow of Claude Code have a folder of their own, and rollouts
/// of Codex have the time in their name.
///
/// Empty if the agent's id is not [plain](is_plain_id).
#[must_use]
pub fn candidates(parent: &Path, session_id: Option<&str>, agent_id: &str) -> Vec<AgentFiles> {
    if !is_plain_id(agent_id) {
        return Vec::new();
    }
    let folder = parent.parent().unwrap_or(Path::new(""));
    let name = format!("agent-{agent_id}.jsonl");
    let mut places = vec![
        parent.with_extension("").join("subagents").join(&name),
        folder.join(&name),
    ];
    if let Some(session) = session_id.filter(|id| is_plain_id(id)) {
        places.push(folder.join(session).join(format!("{agent_id}.jsonl")));
    }
    places.iter().map(|place| beside(place)).collect()
}
