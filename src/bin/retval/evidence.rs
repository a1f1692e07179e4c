//! Reads the evidence of an agent's work: transcripts, and the files of the same session beside them.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::evidence::{EvidenceMode, WorkEvidence};
use retval::internal::escape;
use retval::transcript::locate::{AgentFiles, beside, candidates};
use retval::transcript::{Completeness, Gap, Run, Transcript, TranscriptError};

use crate::{session_file, stderr};

/// The folder in which Claude Code keeps the transcripts of the agents of a session.
const AGENTS: &str = "subagents";

/// The most bytes that are kept of one session.
const KEPT_AT_MOST: usize = 5 << 20;

/// The most transcripts that are read for one session.
const FILES_AT_MOST: usize = 64;

// A doc comment here would become part of each command's help.
#[derive(Debug, Args)]
pub(crate) struct TranscriptArgs {
    /// Record of the agent's run, to look for evidence of what it claims
    ///
    /// A transcript of any client, told by its content. Of a session with several agents, the return
    /// itself or --agent-id says which one is meant. See retval help evidence.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Commit before the run: an artifact that is still as in it was not changed
    ///
    /// The repository around --root is only read.
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) rev: Option<String>,
    /// The client's id of the agent in the transcript
    #[arg(long, value_name = "ID", requires = "transcript")]
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
        Err(TranscriptError::Read(error)) if is_missing(&error) => bail!(
            "--transcript {name}: there is no such file; name the one that the client writes its record to"
        ),
        Err(TranscriptError::Read(error)) => bail!("--transcript {name}: {error}"),
        Err(TranscriptError::Unknown) => {
            bail!("--transcript {name}: it is no transcript of a known client")
        }
        Err(error) => {
            stderr::note(&format!("{name} is no evidence: {error}"));
            Ok(WorkEvidence::new().unread())
        }
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The evidence from a transcript, and from the other transcripts of its session in the folders beside
/// it. Those that cannot be read are ignored.
pub(crate) fn of_transcript(
    path: &Path,
    agent_id: Option<String>,
) -> Result<WorkEvidence, TranscriptError> {
    let session = Session::whole(path, agent_id.as_deref())?;
    Ok(session.evidence(path, agent_id))
}

/// Whether claims are assessed even if there is no transcript or other source of evidence.
pub(crate) fn is_always_on(mode: EvidenceMode) -> bool {
    mode == EvidenceMode::Require
}

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
    /// Reads a transcript, and the transcripts of its agents.
    fn whole(path: &Path, wanted: Option<&str>) -> Result<Self, TranscriptError> {
        let mut session = Self::read(path, wanted)?;
        session.complete();
        Ok(session)
    }

    fn evidence(self, path: &Path, agent_id: Option<String>) -> WorkEvidence {
        WorkEvidence::new()
            .name(path.to_string_lossy())
            .agent_id(agent_id)
            .own(self.own)
            .of_client(self.of_client.into_iter().filter_map(|run| run.agent_id))
            .runs(self.runs)
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
        let Transcript {
            mut runs,
            of_client,
            ..
        } = session_file::read(path)?;
        let parent = parent_of(path);
        let own = runs.first().and_then(|run| run.agent_id.clone());
        let own = own.filter(|_| parent.is_some() || beside(path).sidecar.is_some());
        if let (Some(_), Some(run)) = (&own, runs.first_mut()) {
            add_sidecar(run, &beside(path));
        }
        let mut session = Self {
            kept: runs.iter().map(weight).sum(),
            runs,
            of_client,
            own,
            wanted: wanted.map(str::to_owned),
            parent: parent.clone().unwrap_or_else(|| path.to_owned()),
        };
        let caller = parent.and_then(|path| session_file::read(&path).ok());
        if let Some(caller) = caller {
            session.add_caller(caller);
        }
        Ok(session)
    }

    /// Adds the runs of the main agent's transcript. It only has what agents reported to the main agent.
    fn add_caller(&mut self, caller: Transcript) {
        for run in caller.runs {
            let mut known = self.runs.iter_mut();
            let same = known.find(|it| it.agent_id.is_some() && it.agent_id == run.agent_id);
            if let Some(known) = same {
                known.add_reported(&run);
            } else if self.has_room(&run) {
                self.kept += weight(&run);
                self.runs.push(run);
            }
        }
    }

    /// Reads the agents' own transcripts, if they have one.
    fn complete(&mut self) {
        let is_elsewhere = |run: &Run| run.completeness == Completeness::Partial(Gap::Elsewhere);
        let mut open: VecDeque<usize> = (0..self.runs.len())
            .filter(|at| is_elsewhere(&self.runs[*at]))
            .collect();
        if let Some(at) = open.iter().position(|at| self.is_wanted(*at)) {
            open.swap(0, at);
        }
        for at in open.into_iter().take(FILES_AT_MOST) {
            let Some(mut run) = self.read_agent(&self.runs[at]) else {
                continue;
            };
            if self.has_room(&run) {
                self.kept += weight(&run);
                run.add_reported(&self.runs[at]);
                self.runs[at] = run;
            }
        }
    }

    fn is_wanted(&self, at: usize) -> bool {
        self.wanted.is_some() && self.runs[at].agent_id == self.wanted
    }

    fn read_agent(&self, run: &Run) -> Option<Run> {
        let id = run.agent_id.as_deref()?;
        let places = candidates(&self.parent, run.session.as_deref(), id);
        places.iter().find_map(|files| {
            let transcript = session_file::read(&files.transcript).ok()?;
            let mut run = transcript.agent(id)?.clone();
            add_sidecar(&mut run, files);
            Some(run)
        })
    }

    fn has_room(&self, run: &Run) -> bool {
        self.kept + weight(run) <= KEPT_AT_MOST
    }
}

/// The transcript of the main agent of the session, for the path of an agent's transcript. None if the
/// path is not that of an agent's transcript.
fn parent_of(path: &Path) -> Option<PathBuf> {
    let mut folders = path.ancestors().skip(1);
    let agents = folders.find(|folder| folder.file_name().is_some_and(|name| name == AGENTS))?;
    Some(agents.parent()?.with_extension("jsonl"))
}

fn add_sidecar(run: &mut Run, files: &AgentFiles) {
    let sidecar = files.sidecar.as_deref();
    if let Some(sidecar) = sidecar.and_then(session_file::read_sidecar) {
        run.add_sidecar(&sidecar);
    }
}

/// Whether records of the transcript were lost that may belong to other agents, too.
fn has_lost(run: &Run) -> bool {
    use Completeness::Partial;
    use Gap::{HalfLine, LongLine, OtherClient, SameId, TooMuch, Unreadable};
    matches!(
        run.completeness,
        Partial(
            Unreadable { .. } | LongLine { .. } | OtherClient { .. } | HalfLine | TooMuch | SameId
        )
    )
}

/// The approximate size of a run in memory, in bytes.
fn weight(run: &Run) -> usize {
    let texts = [&run.prompt, &run.final_message];
    let texts = texts.into_iter().flatten().map(String::len);
    let calls = run.calls.iter().map(|call| {
        let paths = call
            .paths
            .iter()
            .map(|path| path.len() + size_of::<String>());
        let command = call.command.as_ref().map_or(0, String::len);
        size_of_val(call) + call.name.len() + command + paths.sum::<usize>()
    });
    size_of_val(run) + texts.sum::<usize>() + calls.sum::<usize>()
}
