//! Where evidence comes from: transcripts, the repository, and when the agent started; and the run of a transcript
//! that a return belongs to.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::clients::run::Run;
use crate::document::extract::{Contents, ReturnShape, contents};
use crate::evidence::assessment::EvidenceMode;
use crate::evidence::repository::{NO_SUCH_COMMIT, Repository, RepositoryGap};
use crate::root::FileTimes;

/// Where evidence comes from. The default is no evidence.
#[derive(Debug, Default)]
pub(crate) struct WorkEvidence {
    /// The runs: that of the agent, and those of other agents of its session. None if there is no transcript.
    pub(crate) record: Option<Record>,
    /// The agent that the return belongs to. Without it, the run is found by its last message, which is the
    /// return, or by its task, which has the session id.
    pub(crate) agent_id: Option<String>,
    /// The agent that the transcript belongs to, if the others of its session were found from there.
    pub(crate) own: Option<String>,
    /// Agents that the client started for its own purposes. They have no returns.
    pub(crate) of_client: Vec<String>,
    /// When the agent was called, according to the caller.
    pub(crate) since: Option<SystemTime>,
    pub(crate) stamp: Option<SystemTime>,
    pub(crate) base: Option<BaseCommit>,
    /// The folders that correspond to the root in the other working trees of its repository.
    pub(crate) work_trees: Vec<PathBuf>,
    /// Test runners in addition to the known ones, by the words that their commands begin with.
    pub(crate) test_runners: Vec<String>,
    /// Whether the repository is the clone that the agent worked in. With a revision, it is taken for granted.
    pub(crate) is_own_clone: bool,
    pub(crate) mode: EvidenceMode,
    /// Whether claims are assessed even if the claimed file is not there, because the run was long ago.
    pub(crate) is_of_record_alone: bool,
}

/// The repository, and the base commit, with which files are compared.
#[derive(Debug)]
pub(crate) struct BaseCommit {
    pub(super) repository: Result<Repository, RepositoryGap>,
    /// The revision that the caller named. If None, the commit that the client recorded is used.
    pub(super) revision: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Record {
    Runs(Vec<Run>),
    /// There is a transcript, but it could not be read or is not finished.
    Unread,
}

impl WorkEvidence {
    /// That of a transcript that could not be read, or is not finished.
    pub(crate) fn unread() -> Self {
        let record = Some(Record::Unread);
        Self { record, ..Self::default() }
    }

    /// Compares files with a commit of the repository that `folder`, the root, is in. The commit is `revision`, or
    /// else the one that the client recorded. Git may take `limit` for the questions of one return.
    pub(crate) fn repository(
        mut self,
        folder: &Path,
        revision: Option<String>,
        limit: Duration,
    ) -> Self {
        let repository = Repository::find(folder, limit);
        let trees = repository.as_ref().map(Repository::other_folders);
        self.work_trees = trees.unwrap_or_default();
        self.base = Some(BaseCommit { repository, revision });
        self
    }

    pub(super) fn is_own_clone(&self) -> bool {
        let base = self.base.as_ref();
        self.is_own_clone || base.is_some_and(|base| base.revision.is_some())
    }

    /// Whether the named revision is not a commit of the repository, which can be read.
    pub(crate) fn lacks_revision(&self) -> bool {
        let commit = self.base.as_ref().and_then(|base| {
            let repository = base.repository.as_ref().ok()?;
            Some(repository.resolve(base.revision.as_deref()?))
        });
        commit == Some(Err(NO_SUCH_COMMIT))
    }

    pub(super) fn runs(&self) -> &[Run] {
        match &self.record {
            Some(Record::Runs(runs)) => runs,
            _ => &[],
        }
    }

    /// When the agent started, by the most trusted source. `session` is the id that its caller gave it.
    pub(super) fn start(
        &self,
        run: Option<&Run>,
        session: Option<&str>,
        now: impl FnOnce() -> SystemTime,
    ) -> Option<TrustedStart> {
        // The hook runs again when an agent is resumed, so the transcript's earlier time counts.
        let recorded = run.and_then(|run| run.started);
        match (self.since, self.stamp.into_iter().chain(recorded).min()) {
            (Some(time), _) => Some(TrustedStart::new(time, "the time of --since")),
            (None, Some(time)) => Some(TrustedStart::new(time, "the agent started")),
            (None, None) => TrustedStart::of_session(session?, now()),
        }
    }
}

pub(super) const NO_SUCH_AGENT: &str = "the transcript has no agent with this id";
const SEVERAL_AGENTS: &str = "the transcript has several agents; --agent-id says which one";
const OTHER_MESSAGE: &str =
    "the last message of the agent is not this return; --agent-id says that it is its run";
const ONLY_AGENTS_OF_CLIENT: &str = "the client started every agent in the transcript for itself";

/// What identifies the run of a return.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReturnIdentity<'t> {
    pub(crate) text: &'t str,
    pub(crate) session: Option<&'t str>,
    /// Whether the return is a file. If so, the agent's last message is a different text.
    pub(crate) is_file: bool,
}

impl WorkEvidence {
    pub(super) fn choose(&self, of: &ReturnIdentity<'_>) -> Result<usize, &'static str> {
        let runs = match &self.record {
            Some(Record::Runs(runs)) => runs,
            Some(Record::Unread) => return Err("the transcript could not be read"),
            None => return Err("no transcript was given"),
        };
        let find = |id: &String| runs.iter().position(|run| run.agent_id.as_ref() == Some(id));
        if let Some(id) = &self.agent_id {
            return find(id).ok_or(if self.of_client.contains(id) {
                "the client started this agent for itself"
            } else {
                NO_SUCH_AGENT
            });
        }
        let wanted = ReturnMatcher::new(of.text);
        let returned = |run: &Run| run.final_message.as_ref().is_some_and(|it| wanted.is_in(it));
        let was_given = |run: &Run| {
            let given = run.prompt.as_ref().zip(of.session);
            given.is_some_and(|(prompt, session)| prompt.contains(session))
        };
        let unless_other = |at: usize| {
            let run = &runs[at];
            let is_own =
                of.is_file || run.final_message.is_none() || returned(run) || was_given(run);
            is_own.then_some(at).ok_or(OTHER_MESSAGE)
        };
        if let Some(own) = &self.own {
            return unless_other(find(own).ok_or(NO_SUCH_AGENT)?);
        }
        let all = 0..runs.len();
        let mut found: Vec<usize> = all.clone().filter(|at| returned(&runs[*at])).collect();
        // A main agent may pass on what others returned.
        if found.len() > 1 {
            found.retain(|at| runs[*at].depth != Some(0));
        }
        match found[..] {
            [] => {}
            [run] => return Ok(run),
            _ => return Err(SEVERAL_AGENTS),
        }
        let mut given = all.filter(|at| runs[*at].depth != Some(0) && was_given(&runs[*at]));
        if let (Some(run), None) = (given.next(), given.next()) {
            return Ok(run);
        }
        match runs.len() {
            0 if !self.of_client.is_empty() => Err(ONLY_AGENTS_OF_CLIENT),
            0 => Err("the transcript has no agent"),
            1 => unless_other(0),
            _ => Err(SEVERAL_AGENTS),
        }
    }

    /// Whether `message` is the last message of the named agent, or else of the agent that the transcript belongs
    /// to. If so, the transcript is written to its end. None if it has no records of that agent.
    pub(crate) fn has_message(&self, message: Option<&str>) -> Option<bool> {
        let own = self.named()?.final_message.as_deref().unwrap_or_default();
        Some(own.trim() == message.unwrap_or_default().trim())
    }

    /// When that agent last got a message. An answer that is recorded after it is a later one.
    pub(crate) fn last_asked(&self) -> Option<SystemTime> {
        self.named()?.asked
    }

    /// The run of the named agent, or else of the agent that the transcript belongs to, or else the first run.
    fn named(&self) -> Option<&Run> {
        let id = self.agent_id.as_ref().or(self.own.as_ref());
        let mut runs = self.runs().iter();
        runs.find(|run| id.is_none() || run.agent_id.as_ref() == id)
    }
}

struct ReturnMatcher<'t> {
    text: &'t str,
    value: Option<Value>,
}

impl<'t> ReturnMatcher<'t> {
    fn new(text: &'t str) -> Self {
        let text = text.trim();
        let value = serde_json::from_str(text).ok();
        Self { text, value }
    }

    /// Whether a message contains the return, as text or as the same JSON in another layout.
    fn is_in(&self, message: &str) -> bool {
        let has_words = !message.trim().is_empty();
        if self.text.is_empty() {
            return !has_words;
        }
        if message.contains(self.text) {
            return true;
        }
        let Some(wanted) = &self.value else {
            return has_words && self.text.contains(message.trim());
        };
        let text = match contents(message, &ReturnShape::default()) {
            Contents::One { place, .. } => &message[place.start..place.end],
            _ => message,
        };
        serde_json::from_str::<Value>(text).is_ok_and(|value| value == *wanted)
    }
}

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
    slack: Duration,
}

impl TrustedStart {
    fn new(time: SystemTime, name: &'static str) -> Self {
        let slack = TOLERANCE;
        Self { time, name, slack }
    }

    /// The time in a session id. None if it has no time, or one that is not within the last day.
    fn of_session(id: &str, now: SystemTime) -> Option<Self> {
        let seconds = id.strip_prefix(SESSION)?.split('_').next()?;
        let is_plain = seconds.len() == 10 && seconds.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = seconds.parse().ok().filter(|_| is_plain)?;
        let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
        let age = now.duration_since(time).ok()?;
        let (name, slack) = ("the time in the session id", SESSION_TOLERANCE);
        (age <= SESSION_AT_MOST).then_some(Self { time, name, slack })
    }

    /// How long before the start `time` is. None if it is later, or earlier by no more than the slack.
    pub(super) fn since(&self, time: SystemTime) -> Option<Duration> {
        let before = self.time.duration_since(time).ok()?;
        (before > self.slack).then_some(before)
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
