//! The time that timestamps of a return are compared with.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long unfinished work may go on unless the caller says otherwise: a day.
const STALE_AFTER: Duration = Duration::from_hours(24);

/// The present, and the age at which unfinished work is stale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// The present; none is the time of the check.
    pub(crate) now: Option<SystemTime>,
    /// The age at which unfinished work counts as abandoned.
    pub(crate) stale_after: Duration,
}

impl Clock {
    /// The present. The system's clock is read only here.
    pub(crate) fn time(&self) -> SystemTime {
        self.now.unwrap_or_else(SystemTime::now)
    }

    /// The present, in seconds since 1970.
    pub(crate) fn seconds(&self) -> i64 {
        let now = self.time();
        let seconds = |since: Duration| i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        match now.duration_since(UNIX_EPOCH) {
            Ok(since) => seconds(since),
            Err(before) => -seconds(before.duration()),
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            now: None,
            stale_after: STALE_AFTER,
        }
    }
}
