//! The runs of a session: from a transcript, and from the other transcripts of its session in the folders
//! next to it.

use std::path::{Path, PathBuf};

use crate::clients::transcript::locate::{AgentFiles, beside, candidates, is_plain_id};
use crate::clients::transcript::{Completeness, Gap, Run, Transcript, TranscriptError};
use crate::evidence::WorkEvidence;
use crate::text::escape;

use crate::cli::session_file;

/// The most transcripts that are read for one session.
const FILES_AT_MOST: usize = 64;

/// The most bytes that are kept of one session.
const KEPT_AT_MOST: usize = 5 << 20;

/// The folder in which Claude Code keeps the transcripts of the agents of a session.
const AGENTS: &str = "subagents";

/// The most agent ids that a hint lists.
const IDS_SHOWN: usize = 5;

/// The runs of one session, as far as their transcripts were found.
pub(super) struct Session {
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
    pub(super) fn whole(path: &Path, wanted: Option<&str>) -> Result<Self, TranscriptError> {
        let mut session = Self::read(path, wanted)?;
        session.complete();
        Ok(session)
    }

    pub(super) fn evidence(self, path: &Path, agent_id: Option<String>) -> WorkEvidence {
        WorkEvidence::new()
            .name(path.to_string_lossy())
            .agent_id(agent_id)
            .own(self.own)
            .of_client(self.of_client.into_iter().filter_map(|run| run.agent_id))
            .runs(self.runs)
    }

    /// Whether no run has this agent id although all records were read. False if there are no runs.
    pub(super) fn lacks(&self, id: &str) -> bool {
        let mut all = self.runs.iter().chain(&self.of_client).peekable();
        all.peek().is_some() && all.all(|run| !has_lost(run) && run.agent_id.as_deref() != Some(id))
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().filter_map(|run| run.agent_id.as_deref())
    }

    /// A hint with a few of the ids that the option could name.
    pub(super) fn agents(&self) -> String {
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
        let parent = parent_of(path, runs.first());
        let files = beside(path);
        let is_own = parent.is_some() || files.sidecar.is_some();
        let own = runs
            .first_mut()
            .filter(|run| is_own && run.agent_id.is_some())
            .and_then(|run| {
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
        let caller = parent.and_then(|path| session_file::read(&path).ok());
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
        let mut files = 0;
        let mut at = 0;
        // An agent's transcript may have further agents that it called.
        while at < self.runs.len() && files < FILES_AT_MOST {
            if let Some(id) = self.runs[at]
                .agent_id
                .clone()
                .filter(|_| is_elsewhere(&self.runs[at]))
            {
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
        let session = known
            .or(self.runs.first())
            .and_then(|run| run.session.as_deref());
        let places = candidates(&self.parent, session, id);
        let read = |files: &AgentFiles| {
            let mut runs = session_file::read(&files.transcript).ok()?.runs;
            let own = runs
                .iter_mut()
                .find(|run| run.agent_id.as_deref() == Some(id))?;
            add_sidecar(own, files);
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
    let mut folders = path.ancestors().skip(1);
    if let Some(agents) =
        folders.find(|folder| folder.file_name().is_some_and(|name| name == AGENTS))
    {
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
