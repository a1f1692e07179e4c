//! Who called an agent that starts, as far as the client's files tell.

use std::fs;
use std::path::{Path, PathBuf};

use crate::clients::Event;
use crate::clients::transcript::locate::beside;
use crate::clients::transcript::{End, Run, Sidecar};

use crate::cli::hook::agent_files;
use crate::cli::session_file;

/// Most agents of one session that are looked at, and most names that are read in their folder.
const AGENTS_AT_MOST: usize = 256;
const NAMES_AT_MOST: usize = 16 << 10;

/// Most bytes of the transcripts of all agents together: reading more would delay the start of the
/// agent.
const BYTES_AT_MOST: u64 = 64 << 20;

/// The agents between the orchestrator and an agent that starts, outermost first. None if it is unknown
/// who called it.
pub(super) fn of(event: &Event) -> Option<Vec<String>> {
    let transcript = event.transcript.as_deref()?;
    let agents = SessionAgents::of(transcript);
    if let Some(run) = agent_files::run_of(event) {
        let is_first = run.depth.is_some_and(|depth| depth <= 1);
        let chain = || agents.chain(run.parent.as_deref()?);
        return is_first.then(Vec::new).or_else(chain);
    }
    // The agent has no records yet, so its call is one whose agent has not begun. An agent that was not
    // looked at may have made it.
    if agents.is_cut {
        return None;
    }
    let name = event.agent.as_deref()?;
    if agents.waits_in(transcript, name) {
        return Some(Vec::new());
    }
    agents.chain(&agents.only_caller(name)?.id)
}

/// An agent of Claude Code that has begun: it has files.
struct BegunAgent {
    id: String,
    transcript: PathBuf,
    sidecar: Sidecar,
}

impl BegunAgent {
    fn of(transcript: PathBuf) -> Option<Self> {
        Some(Self {
            id: id_of(&transcript)?.to_owned(),
            sidecar: session_file::read_sidecar(&beside(&transcript).sidecar?)?,
            transcript,
        })
    }

    fn is_running(&self) -> bool {
        self.sidecar.is_finished != Some(true)
    }
}

fn id_of(transcript: &Path) -> Option<&str> {
    let name = transcript.file_name()?.to_str()?;
    name.strip_prefix("agent-")?.strip_suffix(".jsonl")
}

struct SessionAgents {
    agents: Vec<BegunAgent>,
    /// Whether there are more than are looked at.
    is_cut: bool,
}

impl SessionAgents {
    fn of(transcript: &Path) -> Self {
        let folder = transcript.with_extension("").join("subagents");
        let mut entries = fs::read_dir(folder).into_iter().flatten();
        let names = entries.by_ref().take(NAMES_AT_MOST);
        let mut paths = names.flatten().map(|it| it.path());
        let mut paths = paths.by_ref().filter(|path| id_of(path).is_some());
        let agents = paths.by_ref().take(AGENTS_AT_MOST);
        let agents = agents.filter_map(BegunAgent::of).collect();
        let has_more = paths.next().is_some();
        Self {
            agents,
            is_cut: has_more || entries.next().is_some(),
        }
    }

    /// The running agent that waits for an agent of that name. None if missing, if there are
    /// several, or if there is too much to read.
    fn only_caller(&self, name: &str) -> Option<&BegunAgent> {
        let (mut caller, mut left) = (None, BYTES_AT_MOST);
        for agent in self.agents.iter().filter(|agent| agent.is_running()) {
            let size = fs::metadata(&agent.transcript).map_or(0, |found| found.len());
            left = left.checked_sub(size)?;
            if self.waits_in(&agent.transcript, name) && caller.replace(agent).is_some() {
                return None;
            }
        }
        caller
    }

    /// Whether a transcript calls an agent of that name that has not begun yet.
    fn waits_in(&self, transcript: &Path, name: &str) -> bool {
        let waits = |run: &Run| {
            let has_begun = run.agent_id.is_some() || run.end != End::Unknown;
            let call = run.tool_call_id.as_deref().filter(|_| !has_begun);
            run.agent_type.as_deref() == Some(name)
                && call.is_some_and(|call| !self.has_begun(call))
        };
        agent_files::read(transcript).is_some_and(|transcript| transcript.runs.iter().any(waits))
    }

    fn has_begun(&self, call: &str) -> bool {
        let mut agents = self.agents.iter();
        agents.any(|agent| agent.sidecar.tool_call_id.as_deref() == Some(call))
    }

    fn chain(&self, id: &str) -> Option<Vec<String>> {
        let (mut names, mut next) = (Vec::new(), Some(id));
        while let Some(id) = next {
            let agent = self.agents.iter().find(|agent| agent.id == id)?;
            names.push(agent.sidecar.agent_type.clone()?);
            // Callers in a circle would never end.
            if names.len() > self.agents.len() {
                return None;
            }
            next = agent.sidecar.parent.as_deref();
        }
        names.reverse();
        Some(names)
    }
}
