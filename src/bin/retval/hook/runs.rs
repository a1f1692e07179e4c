//! When an agent started, and which file was accepted as its return. A file that is older than the
//! start, or that was accepted from another agent, is not its own.
//!
//! If this could not be stored, the return file is not checked for it.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use retval::internal::clients::Event;

use crate::hook::state::{HookState, key, key_of};

/// One run of an agent.
pub(super) struct StartedRun<'e> {
    event: &'e Event,
    state: &'e HookState,
    /// Identifies the agent. It is unique in its session if the client gives the agent an id.
    key: String,
}

impl<'e> StartedRun<'e> {
    pub(super) fn of(event: &'e Event, state: &'e HookState) -> Self {
        // Agents without an id are not told apart by their transcripts: other events name other
        // transcripts.
        let by_name = || key((&event.session, &event.agent));
        let own = event.agent_id.as_ref().and_then(|_| key_of(event));
        Self {
            event,
            state,
            key: own.unwrap_or_else(by_name),
        }
    }

    /// Notes that the agent starts now, and the commit that is checked out. Several agents without an id
    /// may have the same name: the first start counts.
    pub(super) fn start(&self, head: Option<&str>) {
        let is_known = self.event.agent_id.is_none() && self.started().is_some();
        if !is_known {
            let now = nanoseconds(SystemTime::now());
            let now = format!("{now} {}", head.unwrap_or_default());
            // If this fails, the age of a file is not checked.
            let _ = self.state.write(&self.start_file(), now);
        }
    }

    /// When the agent started. None if that was not noted, or if it is in the future, because the clock
    /// was set back: the agent's own files would look older than its start.
    pub(super) fn started(&self) -> Option<SystemTime> {
        let text = self.state.read(&self.start_file())?;
        let time = text.split_whitespace().next()?;
        let time = UNIX_EPOCH.checked_add(Duration::from_nanos(time.parse().ok()?));
        time.filter(|time| *time <= SystemTime::now())
    }

    /// The commit that was checked out at the start, if that was noted.
    pub(super) fn head(&self) -> Option<String> {
        let text = self.state.read(&self.start_file())?;
        text.split_whitespace().nth(1).map(str::to_owned)
    }

    /// Notes that the agent stops now. Returns when it last stopped, if that was noted.
    pub(super) fn stop(&self) -> Option<SystemTime> {
        let file = format!("{}.stop", self.key);
        let before = self.state.read(&file);
        let _ = self
            .state
            .write(&file, nanoseconds(SystemTime::now()).to_string());
        UNIX_EPOCH.checked_add(Duration::from_nanos(before?.trim().parse().ok()?))
    }

    /// Whether a file was accepted as another agent's return and has not changed since.
    pub(super) fn is_of_another(&self, path: &Path, written: SystemTime) -> bool {
        self.owner(path, written).is_some_and(|key| key != self.key)
    }

    /// Whether a file was accepted as this agent's return and has not changed since.
    pub(super) fn has_returned(&self, path: &Path, written: SystemTime) -> bool {
        self.owner(path, written).as_ref() == Some(&self.key)
    }

    /// The key of the agent whose return a file was accepted as, if it has not changed since.
    fn owner(&self, path: &Path, written: SystemTime) -> Option<String> {
        let text = self.state.read(&self.claim_file(path)?)?;
        let (key, at) = text.split_once(' ')?;
        (at == nanoseconds(written).to_string()).then(|| key.to_owned())
    }

    /// Notes that a file was accepted as the agent's return.
    pub(super) fn accept(&self, path: &Path, written: SystemTime) {
        if let Some(claim) = self.claim_file(path) {
            let text = format!("{} {}", self.key, nanoseconds(written));
            let _ = self.state.write(&claim, text);
        }
    }

    /// Forgets the start of an agent that is done.
    pub(super) fn end(&self) {
        self.state.remove(&self.start_file());
    }

    fn start_file(&self) -> String {
        format!("{}.start", self.key)
    }

    /// The state file that says whose return a file is. None for an agent without an id: it would look
    /// like another agent at its next event.
    fn claim_file(&self, path: &Path) -> Option<String> {
        self.event.agent_id.as_ref()?;
        Some(format!("{}.file", key(path.canonicalize().ok()?)))
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
