//! Where evidence comes from: transcripts, the repository, and when the agent started.

#[cfg(feature = "git")]
use std::path::Path;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::clients::run::Run;
use crate::evidence::assessment::EvidenceMode;
#[cfg(feature = "git")]
use crate::evidence::repository::{NO_SUCH_COMMIT, Repository, RepositoryGap};
use crate::root::FileTimes;

/// Where evidence comes from.
#[derive(Debug, Default)]
pub(crate) struct WorkEvidence {
    /// The runs. None if there is no transcript.
    pub(super) record: Option<Record>,
    /// The name of the transcript, for reports.
    name: Option<String>,
    pub(super) agent_id: Option<String>,
    /// The id of the agent that the transcript belongs to.
    pub(super) own: Option<String>,
    /// Ids of agents that the client started for its own purposes.
    pub(super) of_client: Vec<String>,
    since: Option<SystemTime>,
    stamp: Option<SystemTime>,
    #[cfg(feature = "git")]
    pub(super) base: Option<BaseCommit>,
    /// The folders that correspond to the root in the other working trees of its repository.
    pub(super) work_trees: Vec<PathBuf>,
    /// Test runners in addition to the known ones.
    pub(super) test_runners: Vec<String>,
    /// Whether the repository is the clone that the agent worked in.
    #[cfg(feature = "git")]
    is_own_clone: bool,
    mode: EvidenceMode,
    /// Whether claimed files are not looked for, because the run was long ago.
    is_of_record_alone: bool,
}

/// The repository, and the base commit, with which files are compared.
#[cfg(feature = "git")]
#[derive(Debug)]
pub(super) struct BaseCommit {
    pub(super) repository: Result<Repository, RepositoryGap>,
    /// The revision that the caller named. If None, the commit that the client recorded is used.
    pub(super) revision: Option<String>,
}

#[derive(Debug)]
pub(super) enum Record {
    Runs(Vec<Run>),
    /// There is a transcript, but it could not be read.
    Unread,
}

impl WorkEvidence {
    /// No evidence.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds the runs of a transcript: the agent's run, and the runs of other agents of its session.
    pub(crate) fn runs(mut self, more: Vec<Run>) -> Self {
        match &mut self.record {
            Some(Record::Runs(runs)) => runs.extend(more),
            record => *record = Some(Record::Runs(more)),
        }
        self
    }

    /// Records that there is a transcript, but that it could not be read or is not finished.
    pub(crate) fn unread(mut self) -> Self {
        self.record = Some(Record::Unread);
        self
    }

    /// Sets the name of the transcript for reports. The file is not opened.
    pub(crate) fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets which agent the return belongs to. Without it, the run is found by its last message, which
    /// is the return, or by its task, which has the session id.
    pub(crate) fn agent_id(mut self, id: impl Into<Option<String>>) -> Self {
        self.agent_id = id.into();
        self
    }

    /// Sets the id of the agent that the transcript belongs to, if the other transcripts of its session
    /// were found from there.
    pub(crate) fn own(mut self, id: impl Into<Option<String>>) -> Self {
        self.own = id.into();
        self
    }

    /// Adds agents of the transcript that the client started for its own purposes. They have no returns.
    pub(crate) fn of_client(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.of_client.extend(ids);
        self
    }

    /// Sets when the agent was called, according to the caller.
    pub(crate) fn since(mut self, time: impl Into<Option<SystemTime>>) -> Self {
        self.since = time.into();
        self
    }

    /// Sets when a hook saw the agent start.
    pub(crate) fn stamp(mut self, time: impl Into<Option<SystemTime>>) -> Self {
        self.stamp = time.into();
        self
    }

    /// Compares files with a commit of the repository that `folder`, the root, is in. The commit is
    /// `revision`, or else the one that the client recorded. Git may take `limit` for the questions of one
    /// return.
    #[cfg(feature = "git")]
    pub(crate) fn repository(
        mut self,
        folder: &Path,
        revision: impl Into<Option<String>>,
        limit: Duration,
    ) -> Self {
        let repository = Repository::find(folder, limit);
        self.work_trees = repository
            .as_ref()
            .map_or_else(|_| Vec::new(), Repository::other_folders);
        self.base = Some(BaseCommit {
            repository,
            revision: revision.into(),
        });
        self
    }

    /// Says that the repository is the clone that the agent worked in, as it is while the client runs. With
    /// a revision, it is taken for granted.
    #[cfg(feature = "git")]
    pub(crate) fn in_own_clone(mut self) -> Self {
        self.is_own_clone = true;
        self
    }

    #[cfg(feature = "git")]
    pub(super) fn is_own_clone(&self) -> bool {
        let mut bases = self.base.iter();
        self.is_own_clone || bases.any(|base| base.revision.is_some())
    }

    /// Whether the named revision is not a commit of the repository. False if no revision was named, or
    /// the repository cannot be read.
    #[cfg(feature = "git")]
    pub(crate) fn lacks_revision(&self) -> bool {
        let Some(BaseCommit {
            repository: Ok(repository),
            revision: Some(revision),
        }) = &self.base
        else {
            return false;
        };
        let commit = repository.resolve(revision);
        commit == Err(NO_SUCH_COMMIT)
    }

    /// Adds test runners to the known ones, by the words that their commands begin with, such as `just
    /// check`.
    pub(crate) fn test_runners(mut self, runners: &[String]) -> Self {
        self.test_runners.extend_from_slice(runners);
        self
    }

    /// Sets how much the evidence counts.
    pub(crate) fn mode(mut self, mode: EvidenceMode) -> Self {
        self.mode = mode;
        self
    }

    /// Takes the word of the record alone: a claim is assessed whether or not the claimed file is there, as
    /// long after the run it may not be.
    pub(crate) fn of_record_alone(mut self) -> Self {
        self.is_of_record_alone = true;
        self
    }

    pub(crate) fn is_of_record_alone(&self) -> bool {
        self.is_of_record_alone
    }

    /// Whether an artifact must be shown to be the agent's work.
    pub(crate) fn is_required(&self) -> bool {
        self.mode == EvidenceMode::Require
    }

    pub(crate) fn only_warns(&self) -> bool {
        self.mode == EvidenceMode::Warn
    }

    pub(crate) fn is_on(&self) -> bool {
        self.mode != EvidenceMode::Off
    }

    pub(crate) fn transcript(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// When the agent started, by the most trusted source. `run` is its run, and `session` is the
    /// session id that its caller gave it.
    pub(super) fn start(
        &self,
        run: Option<&Run>,
        session: Option<&str>,
        now: impl FnOnce() -> SystemTime,
    ) -> Option<TrustedStart> {
        if let Some(time) = self.since {
            return Some(TrustedStart::new(time, "the time of --since"));
        }
        // The hook runs again when an agent is resumed, so the transcript's earlier time counts.
        let recorded = run.and_then(|run| run.started);
        match self.stamp.into_iter().chain(recorded).min() {
            Some(time) => Some(TrustedStart::new(time, "the agent started")),
            None => TrustedStart::of_session(session?, now()),
        }
    }
}

/// How far two clocks may differ.
const TOLERANCE: Duration = Duration::from_secs(2);

/// The largest difference allowed between the time in a session id and the agent's start.
const SESSION_TOLERANCE: Duration = Duration::from_mins(5);

/// The oldest time in a session id that is trusted. Models make up ids with older times.
const SESSION_AT_MOST: Duration = Duration::from_hours(24);

/// The prefix of session ids that contain a Unix time in seconds.
const SESSION: &str = "sess_";

/// When the agent started, by a source that the agent itself does not write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrustedStart {
    time: SystemTime,
    /// What it is, to follow "before".
    pub(super) name: &'static str,
    /// How much earlier something may be that is not before it.
    tolerance: Duration,
}

impl TrustedStart {
    fn new(time: SystemTime, name: &'static str) -> Self {
        Self {
            time,
            name,
            tolerance: TOLERANCE,
        }
    }

    /// The time in a session id. None if it has no time, or one that is not within the last day.
    fn of_session(id: &str, now: SystemTime) -> Option<Self> {
        let seconds = id.strip_prefix(SESSION)?.split('_').next()?;
        let is_plain = seconds.len() == 10 && seconds.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = seconds.parse().ok().filter(|_| is_plain)?;
        let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
        let age = now.duration_since(time).ok()?;
        (age <= SESSION_AT_MOST).then_some(Self {
            tolerance: SESSION_TOLERANCE,
            ..Self::new(time, "the time in the session id")
        })
    }

    /// How long before the start `time` is. None if it is later, or earlier by no more than the
    /// tolerance.
    pub(super) fn since(&self, time: SystemTime) -> Option<Duration> {
        let before = self.time.duration_since(time).ok()?;
        (before > self.tolerance).then_some(before)
    }

    /// Whether a file with these times may have been changed since the start.
    pub(super) fn may_precede(&self, times: Option<FileTimes>) -> bool {
        let last = times.and_then(|times| Some(times.noted?.max(times.modified)));
        last.is_none_or(|last| self.since(last).is_none())
    }

    pub(super) fn until(&self, time: SystemTime) -> Option<Duration> {
        time.duration_since(self.time).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_session_counts_for_a_day() {
        let now = UNIX_EPOCH + Duration::from_hours(490_896);
        let start = |id| TrustedStart::of_session(id, now);
        assert!(start("sess_1767225600_k3m9qa").is_some());
        assert!(start("sess_1767139200_k3m9qa").is_some());
        for id in [
            "sess_1767139199_k3m9qa",
            "sess_1767225601_k3m9qa",
            "sess_17672256_a",
            "sess_176722560a_a",
            "1767225600",
            "sess_",
        ] {
            assert!(start(id).is_none(), "{id}");
        }
        let start = start("sess_1767225600_k3m9qa").expect("a start");
        assert!(start.since(now - Duration::from_mins(5)).is_none());
        assert!(start.since(now - Duration::from_secs(301)).is_some());
    }
}
