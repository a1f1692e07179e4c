//! Where evidence comes from.

#[cfg(feature = "git")]
use std::path::Path;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::evidence::start::{StartSource, TrustedStart};
use crate::evidence::value::EvidenceMode;
#[cfg(feature = "git")]
use crate::repository::{Repository, RepositoryGap};
use crate::transcript::Run;

/// Where evidence comes from.
#[derive(Debug, Default)]
pub struct WorkEvidence {
    /// None if there is no transcript.
    pub(super) record: Option<Record>,
    /// The name of the transcript, for reports.
    name: Option<String>,
    pub(super) agent_id: Option<String>,
    /// The agent whose own transcript it is.
    pub(super) own: Option<String>,
    /// Agents that the client started for itself.
    pub(super) of_client: Vec<String>,
    since: Option<SystemTime>,
    stamp: Option<SystemTime>,
    #[cfg(feature = "git")]
    pub(super) base: Option<BaseCommit>,
    /// What the root is in the other working trees of its repository.
    pub(super) work_trees: Vec<PathBuf>,
    /// Test runners besides the known ones.
    pub(super) test_runners: Vec<String>,
    mode: EvidenceMode,
}

/// The repository, and the commit before the run.
#[cfg(feature = "git")]
#[derive(Debug)]
pub(super) struct BaseCommit {
    pub(super) repository: Result<Repository, RepositoryGap>,
    /// The name of the commit. If none, that of the client counts.
    pub(super) revision: Option<String>,
}

/// The runs of the transcripts.
#[derive(Debug)]
pub(super) enum Record {
    Runs(Vec<Run>),
    /// There is a transcript, which could not be read.
    Unread,
}

impl WorkEvidence {
    /// No evidence of anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the runs of a transcript: that of the agent, and those of others of its session.
    #[must_use]
    pub fn runs(mut self, more: Vec<Run>) -> Self {
        match &mut self.record {
            Some(Record::Runs(runs)) => runs.extend(more),
            record => *record = Some(Record::Runs(more)),
        }
        self
    }

    /// Says that there is a transcript that could not be read, or that is not finished yet.
    #[must_use]
    pub fn unread(mut self) -> Self {
        self.record = Some(Record::Unread);
        self
    }

    /// Names the transcript for reports. The name is not opened.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Says which agent's run is meant. Without it, the return itself says which: by the last
    /// message, or by the session id in the task.
    #[must_use]
    pub fn agent_id(mut self, id: impl Into<Option<String>>) -> Self {
        self.agent_id = id.into();
        self
    }

    /// Says that the transcript is this agent's own, and the others of its session were found by it.
    #[must_use]
    pub fn own(mut self, id: impl Into<Option<String>>) -> Self {
        self.own = id.into();
        self
    }

    /// Names agents of the transcript that the client started for itself: of none of them there is a
    /// return.
    #[must_use]
    pub fn of_client(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.of_client.extend(ids);
        self
    }

    /// When the agent was called, as the caller says.
    #[must_use]
    pub fn since(mut self, time: impl Into<Option<SystemTime>>) -> Self {
        self.since = time.into();
        self
    }

    /// When a hook saw the agent start.
    #[must_use]
    pub fn stamp(mut self, time: impl Into<Option<SystemTime>>) -> Self {
        self.stamp = time.into();
        self
    }

    /// Compares files with a commit of the repository around a folder, which is the root: that with
    /// this name, else the one that the client recorded.
    #[cfg(feature = "git")]
    #[must_use]
    pub fn repository(mut self, folder: &Path, revision: impl Into<Option<String>>) -> Self {
        let repository = Repository::find(folder);
        self.work_trees = repository
            .as_ref()
            .map_or_else(|_| Vec::new(), Repository::other_folders);
        self.base = Some(BaseCommit {
            repository,
            revision: revision.into(),
        });
        self
    }

    /// Whether there is a repository that can be read, and the revision that was named is none of its
    /// commits.
    #[cfg(feature = "git")]
    #[must_use]
    pub fn lacks_revision(&self) -> bool {
        let Some(BaseCommit {
            repository: Ok(repository),
            revision: Some(revision),
        }) = &self.base
        else {
            return false;
        };
        let commit = repository.resolve(revision);
        commit.is_err_and(|gap| gap == RepositoryGap::NoSuchCommit)
    }

    /// Adds test runners to the known ones: the words with which their commands begin, such as
    /// `just check`.
    #[must_use]
    pub fn test_runners(mut self, runners: &[String]) -> Self {
        self.test_runners.extend_from_slice(runners);
        self
    }

    /// How much the evidence counts.
    #[must_use]
    pub fn mode(mut self, mode: EvidenceMode) -> Self {
        self.mode = mode;
        self
    }

    /// Whether an artifact must be shown to be the agent's work.
    pub(crate) fn is_required(&self) -> bool {
        self.mode == EvidenceMode::Require
    }

    /// Whether the errors of evidence are warnings.
    pub(crate) fn only_warns(&self) -> bool {
        self.mode == EvidenceMode::Warn
    }

    /// Whether it counts at all.
    pub(crate) fn is_on(&self) -> bool {
        self.mode != EvidenceMode::Off
    }

    /// The name of the transcript.
    pub(crate) fn transcript(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// When the agent started, by the most trusted source. `run` is its run, and `session` the id
    /// that its caller gave it.
    pub(super) fn start(
        &self,
        run: Option<&Run>,
        session: Option<&str>,
        now: impl FnOnce() -> SystemTime,
    ) -> Option<TrustedStart> {
        if let Some(time) = self.since {
            return Some(TrustedStart::new(time, StartSource::Option));
        }
        let recorded = run.and_then(|run| run.started);
        match (self.stamp, recorded) {
            // A resumed agent is seen to start again.
            (Some(stamp), Some(recorded)) if recorded < stamp => {
                Some(TrustedStart::new(recorded, StartSource::Transcript))
            }
            (Some(stamp), _) => Some(TrustedStart::new(stamp, StartSource::Hook)),
            (None, Some(recorded)) => Some(TrustedStart::new(recorded, StartSource::Transcript)),
            (None, None) => TrustedStart::of_session(session?, now()),
        }
    }
}
