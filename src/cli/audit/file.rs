//! Reads one transcript: of each run only its facts are kept.

use std::path::Path;

use crate::audit::{AgentTypes, AuditedRun};
use crate::clients::Client;
use crate::clients::transcript::locate::beside;
use crate::clients::transcript::{Run, Transcript, TranscriptError};

use super::AuditArgs;
use super::checks::ReturnChecks;
use super::files;
use crate::cli::session_file;

/// The most characters of a return that `--show-text` shows.
const SHOWN: usize = 200;

/// The ids of the agents that summarise a conversation for Claude Code begin like this.
const COMPACTION: &str = "acompact-";

/// Reads transcripts, on any thread.
pub(super) struct FileReader<'a> {
    pub(super) args: &'a AuditArgs,
    pub(super) checks: ReturnChecks<'a>,
    /// The types of agents as their callers' transcripts have them.
    pub(super) types: AgentTypes,
}

/// What a file has.
pub(super) struct FileRead {
    pub(super) bytes: u64,
    pub(super) content: FileContent,
}

pub(super) enum FileContent {
    Transcript {
        client: Client,
        runs: Vec<AuditedRun>,
        prewarming: u64,
        compaction: u64,
    },
    /// The transcript of a client that the options leave out.
    OfOtherClient,
    /// Not a transcript.
    Other,
    /// Why the file could not be read.
    Unread(String),
}

impl FileReader<'_> {
    pub(super) fn read(&self, path: &Path) -> FileRead {
        FileRead {
            bytes: path.metadata().map_or(0, |found| found.len()),
            content: match session_file::read(path) {
                Ok(transcript) => self.content(path, transcript),
                Err(TranscriptError::Read(error)) => {
                    FileContent::Unread(files::reason(Some(&error)))
                }
                Err(TranscriptError::Cut | TranscriptError::TooLarge) => {
                    FileContent::Unread("cut or too large".to_owned())
                }
                Err(_) => FileContent::Other,
            },
        }
    }

    fn content(&self, path: &Path, transcript: Transcript) -> FileContent {
        let Transcript {
            client,
            mut runs,
            of_client,
            ..
        } = transcript;
        if !self.args.client.is_empty() && !self.args.client.contains(&client) {
            return FileContent::OfOtherClient;
        }
        let is_compaction = |run: &&Run| {
            let id = run.agent_id.as_deref();
            id.is_some_and(|id| id.starts_with(COMPACTION))
        };
        let compaction = of_client.iter().filter(is_compaction).count() as u64;
        complete(client, path, &mut runs);
        let facts = (0..runs.len()).filter_map(|at| self.facts(client, &runs, at));
        FileContent::Transcript {
            client,
            runs: facts.collect(),
            prewarming: of_client.len() as u64 - compaction,
            compaction,
        }
    }

    fn facts(&self, client: Client, runs: &[Run], at: usize) -> Option<AuditedRun> {
        let run = &runs[at];
        let mut facts = AuditedRun::of(client, run)?;
        let id = run.agent_id.as_deref();
        let known = || id.and_then(|id| self.types.of(client, id));
        let agent = run.agent_type.as_deref().or_else(known);
        let check = self.checks.check(client, agent, at, runs, facts.outcome);
        facts.check = check.map(Box::new);
        facts.shown = self.args.show_text.then(|| Box::new(shown(run)));
        Some(facts)
    }
}

/// Adds what the place of a transcript says of its agent.
fn complete(client: Client, path: &Path, runs: &mut [Run]) {
    let sidecar = beside(path).sidecar;
    let sidecar = sidecar.and_then(|path| session_file::read_sidecar(&path));
    if let (Some(sidecar), Some(run)) = (sidecar, runs.first_mut()) {
        run.add_sidecar(&sidecar);
    }
    if client == Client::Gemini {
        // An agent's transcript is in a folder with the name of the session.
        let folder = path.parent().and_then(Path::file_name);
        let session = folder.map(|folder| folder.to_string_lossy().into_owned());
        let is_agent = |run: &&mut Run| run.depth != Some(0) && run.agent_id.is_some();
        for run in runs.iter_mut().filter(is_agent) {
            run.session = run.session.take().or_else(|| session.clone());
        }
    }
}

/// What the caller calls the task, and how the return begins.
fn shown(run: &Run) -> [String; 2] {
    let description = run.details.description.as_deref().unwrap_or_default();
    let text = run.final_message.as_deref().unwrap_or_default();
    [description, text].map(|text| text.trim().chars().take(SHOWN).collect())
}
