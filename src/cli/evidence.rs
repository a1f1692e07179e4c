//! Reads the evidence of an agent's work: the transcripts that clients write about their sessions.
//!
//! A transcript may have any content, and may grow while it is read: it is read up to the size that it had
//! when it was opened. Runs of a session come from one transcript, and from the other transcripts of its
//! session in the folders next to it.

use std::fs::File;
use std::io::{self, Read as _, Take};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::heading;
use crate::cli::files::read_regular;
use crate::cli::output::note;
use crate::clients::transcript::locate::{AgentFiles, beside, candidates};
use crate::clients::transcript::{
    self, Completeness, Gap, Run, Sidecar, Transcript, TranscriptError,
};
use crate::evidence::{Record, WorkEvidence};
use crate::text::escape;

// A doc comment here would become part of each command's help.
#[derive(Debug, Default, Args)]
pub(crate) struct TranscriptArgs {
    /// Record of the agent's run, to look for evidence in
    ///
    /// A transcript of any client, told by its content. Of a session with several agents, the return
    /// itself or --agent-id says which one is meant. See retval help evidence.
    #[arg(long, value_name = "FILE", help_heading = heading::EVIDENCE)]
    pub(crate) transcript: Option<PathBuf>,
    /// Commit before the run: what equals it counts as unchanged
    ///
    /// The repository around --root is only read.
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EVIDENCE, hide_short_help = true)]
    pub(crate) rev: Option<String>,
    /// The client's id of the agent in the transcript
    #[arg(long, value_name = "ID", requires = "transcript", help_heading = heading::EVIDENCE, hide_short_help = true)]
    pub(crate) agent_id: Option<String>,
}

/// The evidence from the transcript that an option names. Fails if the file cannot be read, is not a
/// transcript, or lacks the agent with `agent_id`. A transcript that is empty or cut off is allowed, but
/// contradicts no claim.
pub(crate) fn of_option(path: &Path, agent_id: Option<String>) -> anyhow::Result<WorkEvidence> {
    let name = escape::path(path);
    match Session::whole(path, agent_id.as_deref()) {
        Ok(session) => {
            if let Some(id) = agent_id.as_deref().filter(|id| session.lacks(id)) {
                bail!("--agent-id {}: {name} has no such agent", escape::truncated(id));
            }
            Ok(session.evidence(agent_id))
        }
        Err(error @ (TranscriptError::Read(_) | TranscriptError::Unknown)) => {
            bail!("--transcript {name}: {error}")
        }
        Err(error) => {
            note(&format!("{name} cannot be used as evidence: {error}"));
            Ok(WorkEvidence::unread())
        }
    }
}

/// The evidence from a transcript, and from the other transcripts of its session in the folders next to
/// it. Those that cannot be read are ignored.
pub(crate) fn of_transcript(
    path: &Path,
    agent_id: Option<String>,
) -> Result<WorkEvidence, TranscriptError> {
    Ok(Session::whole(path, agent_id.as_deref())?.evidence(agent_id))
}

/// The most transcripts that are read for one session.
const FILES_AT_MOST: usize = 64;

/// The folder in which Claude Code keeps the transcripts of the agents of a session.
const AGENTS: &str = "subagents";

/// The runs of one session, as far as their transcripts were found.
struct Session {
    runs: Vec<Run>,
    /// Agents that the client started for itself.
    of_client: Vec<Run>,
    /// The agent of the given transcript, if that is an agent's own transcript.
    own: Option<String>,
    /// The transcript of the main agent. The paths of the other transcripts are derived from its path.
    parent: PathBuf,
}

impl Session {
    /// Reads a transcript, that of its caller, and those of the agents that they name.
    fn whole(path: &Path, wanted: Option<&str>) -> Result<Self, TranscriptError> {
        let Transcript { mut runs, of_client, .. } = read_transcript(path)?;
        let is_agents = |folder: &&Path| folder.file_name().is_some_and(|name| name == AGENTS);
        let agents = path.ancestors().skip(1).find(is_agents);
        let caller = agents.and_then(|it| Some(it.parent()?.with_extension("jsonl")));
        let files = beside(path);
        let is_own = caller.is_some() || files.sidecar.is_some();
        let own = runs.first_mut().filter(|run| is_own && run.agent_id.is_some());
        let own = own.and_then(|run| {
            add_sidecar(run, &files);
            run.agent_id.clone()
        });
        let parent = caller.clone().unwrap_or_else(|| path.to_owned());
        let mut session = Self { runs, of_client, own, parent };
        let caller = caller.and_then(|path| read_transcript(&path).ok());
        caller.into_iter().flat_map(|it| it.runs).for_each(|run| session.add(run));
        session.complete(wanted);
        Ok(session)
    }

    fn evidence(self, agent_id: Option<String>) -> WorkEvidence {
        let of_client = self.of_client.into_iter();
        WorkEvidence {
            record: Some(Record::Runs(self.runs)),
            agent_id,
            own: self.own,
            of_client: of_client.filter_map(|run| run.agent_id).collect(),
            ..WorkEvidence::default()
        }
    }

    /// Whether none of its runs has this agent id. False if there are no runs.
    fn lacks(&self, id: &str) -> bool {
        let mut all = self.runs.iter().chain(&self.of_client).peekable();
        all.peek().is_some() && all.all(|run| run.agent_id.as_deref() != Some(id))
    }

    /// Adds what another transcript has of an agent: its own record, or what it reported to its caller.
    fn add(&mut self, mut run: Run) {
        let known = run.agent_id.as_deref().and_then(|id| self.position(id));
        let Some(known) = known.map(|at| &mut self.runs[at]) else {
            return self.runs.push(run);
        };
        if is_elsewhere(known) && !is_elsewhere(&run) {
            std::mem::swap(known, &mut run);
        }
        if !is_elsewhere(known) {
            known.add_reported(&run);
        }
    }

    /// Reads the agents' own transcripts, if they have one. First those of the agent that is looked for
    /// and of the agent that called it, because there may be more than are read.
    fn complete(&mut self, wanted: Option<&str>) {
        if let Some(id) = wanted.map(str::to_owned).or_else(|| self.own.clone()) {
            self.read_agent(&id);
            let run = self.position(&id).map(|at| &self.runs[at]);
            if let Some(caller) = run.and_then(|run| run.parent.clone()) {
                self.read_agent(&caller);
            }
        }
        let (mut files, mut at) = (0, 0);
        // An agent's transcript may have further agents that it called.
        while at < self.runs.len() && files < FILES_AT_MOST {
            let run = &self.runs[at];
            if let Some(id) = run.agent_id.clone().filter(|_| is_elsewhere(run)) {
                self.read_agent(&id);
                files += 1;
            }
            at += 1;
        }
    }

    /// Reads the transcript of an agent, unless its records are there.
    fn read_agent(&mut self, id: &str) {
        let known = self.position(id).map(|at| &self.runs[at]);
        if known.is_some_and(|run| !is_elsewhere(run)) {
            return;
        }
        let session = known.or(self.runs.first());
        let session = session.and_then(|run| run.session.as_deref());
        let places = candidates(&self.parent, session, id);
        let read = |files: &AgentFiles| {
            let mut runs = read_transcript(&files.transcript).ok()?.runs;
            let is_own = |run: &&mut Run| run.agent_id.as_deref() == Some(id);
            add_sidecar(runs.iter_mut().find(is_own)?, files);
            Some(runs)
        };
        for run in places.iter().find_map(read).into_iter().flatten() {
            self.add(run);
        }
    }

    fn position(&self, id: &str) -> Option<usize> {
        let mut ids = self.runs.iter().map(|run| run.agent_id.as_deref());
        ids.position(|it| it == Some(id))
    }
}

/// Whether a run has only what the agent reported to its caller.
fn is_elsewhere(run: &Run) -> bool {
    run.completeness == Completeness::Partial(Gap::Elsewhere)
}

pub(crate) fn add_sidecar(run: &mut Run, files: &AgentFiles) {
    let sidecar = files.sidecar.as_deref();
    if let Some(sidecar) = sidecar.and_then(read_sidecar) {
        run.add_sidecar(&sidecar);
    }
}

/// The most bytes that are read of a sidecar. Real ones have less than 1 KiB.
const SIDECAR_AT_MOST: u64 = 64 << 10;

pub(crate) fn read_transcript(path: &Path) -> Result<Transcript, TranscriptError> {
    transcript::read(open(path)?)
}

/// Reads the file that Claude Code writes next to an agent's transcript. None if it cannot be read.
pub(crate) fn read_sidecar(path: &Path) -> Option<Sidecar> {
    let mut bytes = Vec::new();
    let file = open(path).ok()?;
    file.take(SIDECAR_AT_MOST).read_to_end(&mut bytes).ok()?;
    Sidecar::read(&bytes)
}

/// Opens a regular file, limited to its current size: a client may still be writing to it.
fn open(path: &Path) -> io::Result<Take<File>> {
    let file = read_regular(path)?;
    let bytes = file.metadata()?.len();
    Ok(file.take(bytes))
}
