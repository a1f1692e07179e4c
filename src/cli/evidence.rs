//! Reads the evidence of an agent's work: the transcripts that clients write about their sessions.
//!
//! A transcript may have any content, and may grow while it is read: it is read up to the size that it had
//! when it was opened. Runs of a session come from one transcript, and from the other transcripts of its
//! session in the folders next to it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Take};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::heading;
use crate::cli::files::read_regular;
use crate::cli::output::note;
use crate::clients::transcript::locate::{AgentFiles, beside, candidates, is_plain_id};
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
                bail!(
                    "--agent-id {}: {name} has no such agent; {}",
                    escape::truncated(id),
                    session.agents()
                );
            }
            Ok(session.evidence(path, agent_id))
        }
        Err(TranscriptError::Read(error)) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => bail!(
                "--transcript {name}: there is no such file; name the one that the client writes its record to"
            ),
            _ => bail!("--transcript {name}: {error}"),
        },
        Err(TranscriptError::Unknown) => {
            bail!("--transcript {name}: it is not a transcript of a known client")
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
    Ok(Session::whole(path, agent_id.as_deref())?.evidence(path, agent_id))
}

/// The most transcripts that are read for one session.
const FILES_AT_MOST: usize = 64;

/// The most bytes that are kept of one session.
const KEPT_AT_MOST: usize = 5 << 20;

/// The folder in which Claude Code keeps the transcripts of the agents of a session.
const AGENTS: &str = "subagents";

/// The most agent ids that a hint lists.
const IDS_SHOWN: usize = 5;

/// The runs of one session, as far as their transcripts were found.
struct Session {
    runs: Vec<Run>,
    /// Agents that the client started for itself.
    of_client: Vec<Run>,
    /// The agent of the given transcript, if that is an agent's own transcript.
    own: Option<String>,
    /// The agent that is looked for. Its transcript is read first.
    wanted: Option<String>,
    /// The transcript of the main agent. The paths of the other transcripts are derived from its path.
    parent: PathBuf,
    kept: usize,
}

impl Session {
    fn whole(path: &Path, wanted: Option<&str>) -> Result<Self, TranscriptError> {
        let mut session = Self::read(path, wanted)?;
        session.complete();
        Ok(session)
    }

    fn evidence(self, path: &Path, agent_id: Option<String>) -> WorkEvidence {
        let of_client = self.of_client.into_iter();
        WorkEvidence {
            record: Some(Record::Runs(self.runs)),
            name: Some(path.to_string_lossy().into_owned()),
            agent_id,
            own: self.own,
            of_client: of_client.filter_map(|run| run.agent_id).collect(),
            ..WorkEvidence::default()
        }
    }

    /// Whether no run has this agent id although all records were read. False if there are no runs.
    fn lacks(&self, id: &str) -> bool {
        let mut all = self.runs.iter().chain(&self.of_client).peekable();
        all.peek().is_some() && all.all(|run| !has_lost(run) && run.agent_id.as_deref() != Some(id))
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().filter_map(|run| run.agent_id.as_deref())
    }

    /// A hint with a few of the ids that the option could name.
    fn agents(&self) -> String {
        let shown = self.ids().take(IDS_SHOWN);
        let shown: Vec<_> = shown.map(|id| escape::truncated(id).to_string()).collect();
        let shown = shown.join(", ");
        match self.ids().count() {
            0 if !self.of_client.is_empty() => {
                "it has only agents that the client started for itself".to_owned()
            }
            0 => "it has no agent with an id".to_owned(),
            all if all > IDS_SHOWN => format!("it has {shown} and {} more", all - IDS_SHOWN),
            _ => format!("it has {shown}"),
        }
    }

    fn read(path: &Path, wanted: Option<&str>) -> Result<Self, TranscriptError> {
        let Transcript { mut runs, of_client, .. } = read_transcript(path)?;
        let parent = parent_of(path, runs.first());
        let files = beside(path);
        let is_own = parent.is_some() || files.sidecar.is_some();
        let own = runs.first_mut().filter(|run| is_own && run.agent_id.is_some());
        let own = own.and_then(|run| {
            add_sidecar(run, &files);
            run.agent_id.clone()
        });
        let mut session = Self {
            kept: runs.iter().map(weight).sum(),
            runs,
            of_client,
            own,
            wanted: wanted.map(str::to_owned),
            parent: parent.clone().unwrap_or_else(|| path.to_owned()),
        };
        let caller = parent.and_then(|path| read_transcript(&path).ok());
        for run in caller.into_iter().flat_map(|caller| caller.runs) {
            session.add(run);
        }
        Ok(session)
    }

    /// Adds what another transcript has of an agent: its own record, or what it reported to its caller.
    fn add(&mut self, mut run: Run) {
        let known = run.agent_id.as_deref().and_then(|id| self.position(id));
        match known.map(|at| (at, is_elsewhere(&self.runs[at]))) {
            Some((at, false)) => self.runs[at].add_reported(&run),
            _ if !self.has_room(&run) => {}
            None => {
                self.kept += weight(&run);
                self.runs.push(run);
            }
            Some((at, true)) if !is_elsewhere(&run) => {
                self.kept += weight(&run);
                run.add_reported(&self.runs[at]);
                self.runs[at] = run;
            }
            Some((_, true)) => {}
        }
    }

    /// Reads the agents' own transcripts, if they have one. First those of the agent that is looked for
    /// and of the agent that called it, because there may be more than are read.
    fn complete(&mut self) {
        if let Some(id) = self.wanted.clone().or_else(|| self.own.clone()) {
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

    fn has_room(&self, run: &Run) -> bool {
        self.kept + weight(run) <= KEPT_AT_MOST
    }
}

/// The transcript of the main agent of the session, for the path of an agent's transcript and its first
/// run. None if the path is not that of an agent's transcript.
fn parent_of(path: &Path, run: Option<&Run>) -> Option<PathBuf> {
    let is_agents = |folder: &&Path| folder.file_name().is_some_and(|name| name == AGENTS);
    if let Some(agents) = path.ancestors().skip(1).find(is_agents) {
        return Some(agents.parent()?.with_extension("jsonl"));
    }
    // Older versions of Claude Code keep all transcripts of a project in one folder.
    beside(path).sidecar?;
    let session = run?.session.as_deref().filter(|id| is_plain_id(id))?;
    Some(path.with_file_name(format!("{session}.jsonl")))
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

/// Whether records of the transcript were lost that may belong to other agents, too.
fn has_lost(run: &Run) -> bool {
    use Gap::{SameId, TooMuch, Unreadable};
    let Completeness::Partial(gap) = &run.completeness else {
        return false;
    };
    matches!(gap, Unreadable { .. } | TooMuch | SameId)
}

/// The approximate size of a run in memory, in bytes.
fn weight(run: &Run) -> usize {
    let texts = [&run.prompt, &run.final_message];
    let texts = texts.into_iter().flatten().map(String::len);
    let calls = run.calls.iter().map(|call| {
        let paths = call.paths.iter();
        let paths = paths.map(|path| path.len() + size_of::<String>());
        let command = call.command.as_ref().map_or(0, String::len);
        size_of_val(call) + call.name.len() + command + paths.sum::<usize>()
    });
    size_of_val(run) + texts.sum::<usize>() + calls.sum::<usize>()
}

/// The most bytes that are read of a sidecar. Real ones have less than 1 KiB.
const SIDECAR_AT_MOST: u64 = 64 << 10;

/// A transcript that was read, with the size and the modification time of its file.
struct SeenTranscript {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
    transcript: Rc<Transcript>,
}

thread_local! {
    /// The transcript that was read last. A hook needs it twice: for the name of the agent, and for its
    /// calls.
    static SEEN: RefCell<Option<SeenTranscript>> = const { RefCell::new(None) };
}

/// Reads a transcript without keeping it for another call of this function.
pub(crate) fn read_transcript(path: &Path) -> Result<Transcript, TranscriptError> {
    let file = open(path)?;
    match seen(path, &file) {
        Some(transcript) => Ok(Rc::unwrap_or_clone(transcript)),
        None => transcript::read(file),
    }
}

/// Reads a transcript, and keeps it for the next call.
pub(crate) fn read_cached(path: &Path) -> Result<Rc<Transcript>, TranscriptError> {
    let file = open(path)?;
    let (bytes, modified) = (file.limit(), modified(&file));
    let transcript = match seen(path, &file) {
        Some(transcript) => transcript,
        None => Rc::new(transcript::read(file)?),
    };
    let seen = SeenTranscript {
        path: path.to_owned(),
        bytes,
        modified,
        transcript: Rc::clone(&transcript),
    };
    SEEN.set(Some(seen));
    Ok(transcript)
}

/// The transcript that was read last, if the path is the same and the file has not changed. It is
/// removed from the cache in any case, so that no two transcripts are in memory.
fn seen(path: &Path, file: &Take<File>) -> Option<Rc<Transcript>> {
    let seen = SEEN.take()?;
    let is_same = seen.path == path && seen.bytes == file.limit();
    let is_same = is_same && seen.modified.is_some() && seen.modified == modified(file);
    is_same.then_some(seen.transcript)
}

fn modified(file: &Take<File>) -> Option<SystemTime> {
    file.get_ref().metadata().ok()?.modified().ok()
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
