//! When an agent started, and which file was accepted as its return: an older file, or another
//! agent's, is not its own.
//!
//! Kept beside the counts of [`attempts`](super::attempts), and as long. What could not be kept is
//! not known, and nobody is blamed for it.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use retval::harness::Event;

use crate::hook::attempts::folder;

/// One run of an agent.
pub(super) struct Run<'e> {
    event: &'e Event,
    folder: Option<PathBuf>,
    /// The agent, unlike any other of its session where the client gives it an id.
    key: String,
}

impl<'e> Run<'e> {
    pub(super) fn of(event: &'e Event) -> Self {
        let id = event.agent_id.as_ref().or(event.agent.as_ref());
        Self {
            event,
            folder: folder().ok(),
            key: hash((&event.session, id)),
        }
    }

    /// Notes that the agent starts now. Without an id it may be one of several with its name: the
    /// first of them counts.
    pub(super) fn start(&self) {
        let is_known = self.event.agent_id.is_none() && self.started().is_some();
        if let (Some(file), false) = (self.start_file(), is_known) {
            // Without it, the age of a file is not checked.
            let _ = fs::write(file, nanoseconds(SystemTime::now()).to_string());
        }
    }

    /// When it started, if that was noted.
    pub(super) fn started(&self) -> Option<SystemTime> {
        let text = fs::read_to_string(self.start_file()?).ok()?;
        UNIX_EPOCH.checked_add(Duration::from_nanos(text.trim().parse().ok()?))
    }

    /// Whether a file was accepted as another agent's return and has not changed since.
    pub(super) fn is_of_another(&self, path: &Path, written: SystemTime) -> bool {
        // Without an id, another event of the same agent would look like another agent.
        let claim = self
            .event
            .agent_id
            .as_ref()
            .and_then(|_| self.claim_file(path));
        let Some(Ok(text)) = claim.map(fs::read_to_string) else {
            return false;
        };
        text.split_once(' ')
            .is_some_and(|(key, at)| key != self.key && at == nanoseconds(written).to_string())
    }

    /// Notes that a file was accepted as the agent's return.
    pub(super) fn accept(&self, path: &Path, written: SystemTime) {
        let claim = self
            .event
            .agent_id
            .as_ref()
            .and_then(|_| self.claim_file(path));
        if let Some(file) = claim {
            let _ = fs::write(file, format!("{} {}", self.key, nanoseconds(written)));
        }
    }

    /// Forgets the start of an agent that is done.
    pub(super) fn end(&self) {
        if let Some(file) = self.start_file() {
            // There may be none.
            let _ = fs::remove_file(file);
        }
    }

    fn start_file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.start", self.key)))
    }

    fn claim_file(&self, path: &Path) -> Option<PathBuf> {
        let path = path.canonicalize().ok()?;
        Some(self.folder.as_ref()?.join(format!("{}.file", hash(path))))
    }
}

fn hash(value: impl std::hash::Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
