//! Transcripts: the files in which clients record the runs of their agents.
//!
//! Every client has its own undocumented format. [`read`] detects the format by the content, and returns
//! the same [`Run`] for all: the prompt, the tool calls with the files they wrote or the commands they
//! ran and how they ended, the final message, and whether the record is complete.
//!
//! Transcripts are hostile input. They are read in one pass and in bounded memory, whatever they
//! contain. Records of unknown kinds are skipped, and records that cannot be read make a run's record
//! [partial](Completeness::Partial).

mod detect;
#[doc(hidden)]
pub(crate) mod locate;
#[cfg(test)]
mod tests;

use std::io::Read;

use thiserror::Error;

use super::raw::{RawObject, items_of};
use super::run::{JsonNode, RunReader, text_of_json};
use super::{Client, claude, codex, copilot, gemini, opencode, qwen};

#[cfg(test)]
pub(crate) use super::run::{Call, CallKind, End};
pub(crate) use super::run::{Completeness, Gap, OwnUse, Run};
use detect::Detected;
pub(crate) use locate::Sidecar;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transcript {
    pub client: Client,
    /// In the order in which they begin. A run in another file has only what the caller's records say.
    pub runs: Vec<Run>,
    pub of_client: Vec<Run>,
}

impl Transcript {
    pub(crate) fn agent(&self, id: &str) -> Option<&Run> {
        let mut runs = self.runs.iter();
        runs.find(|run| run.agent_id.as_deref() == Some(id))
    }
}

pub(crate) fn read(mut source: impl Read) -> Result<Transcript, TranscriptError> {
    let detected = detect::detect(&mut source)?;
    let client = match detected {
        Detected::Document(client, _) | Detected::Lines(client, ..) => client,
    };
    let mut reader: Box<dyn RunReader> = match client {
        Client::ClaudeCode => Box::<claude::transcript::Claude>::default(),
        Client::Codex => Box::<codex::transcript::Codex>::default(),
        Client::Copilot => Box::<copilot::Copilot>::default(),
        Client::Gemini => Box::<gemini::transcript::Gemini>::default(),
        Client::OpenCode => Box::<opencode::OpenCode>::default(),
        Client::Qwen => Box::<qwen::Qwen>::default(),
        Client::Cursor => return Err(TranscriptError::Unknown),
    };
    match detected {
        Detected::Document(_, text) => read_document(&text_of_json(&text), reader.as_mut()),
        Detected::Lines(_, lines, lost) => {
            if let Some(gap) = lost {
                reader.runs().record_gap(gap);
            }
            lines.read_by(client, reader.as_mut())?;
        }
    }
    reader.finish();
    let mut runs = reader.runs().finish();
    if client == Client::ClaudeCode {
        for run in &mut runs {
            run.own_use = own_use(run);
        }
    }
    let (of_client, runs) = runs.into_iter().partition(|run| run.own_use.is_some());
    Ok(Transcript { client, runs, of_client })
}

const PREWARMING: &str = "Warmup";
/// The prefix of the ids of agents that summarise a conversation that has grown too long.
const COMPACTING: &str = "acompact-";

/// What Claude Code started the agent for, if for itself.
fn own_use(run: &Run) -> Option<OwnUse> {
    let id = run.agent_id.as_deref();
    let found = match run.prompt.as_deref().map(str::trim) {
        _ if id.is_some_and(|id| id.starts_with(COMPACTING)) => Some(OwnUse::Compaction),
        Some(PREWARMING) => Some(OwnUse::Prewarming),
        _ => None,
    };
    found.filter(|_| run.depth != Some(0))
}

fn read_document(text: &str, reader: &mut dyn RunReader) {
    let document = RawObject::parse(text).unwrap_or_else(|error| {
        let line = error.line() as u64;
        reader.runs().record_gap(Gap::Unreadable { line });
        RawObject::beginning(text)
    });
    reader.head(&JsonNode::head(&document));
    let (mut line, mut at) = (1, 0);
    for message in items_of(document.raw("messages").unwrap_or_default()) {
        let start = message.as_ptr().addr() - text.as_ptr().addr();
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[at..start]).count() as u64;
        at = start;
        match JsonNode::whole(message) {
            Some(message) => reader.record(&message, line),
            None => reader.runs().record_gap(Gap::Unreadable { line }),
        }
    }
}

const DOCUMENT_AT_MOST: usize = 6 << 20;

#[derive(Debug, Error)]
pub(crate) enum TranscriptError {
    #[error(transparent)]
    Read(#[from] std::io::Error),
    #[error("not a transcript of a known client")]
    Unknown,
    #[error("the transcript is empty")]
    Empty,
    #[error("the transcript ends within its first record")]
    Cut,
    #[error("the transcript is one JSON document of more than {} MiB", DOCUMENT_AT_MOST >> 20)]
    TooLarge,
}
