//! When the agent started, by sources that the agent itself does not write.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::root::FileTimes;

/// How far two clocks may differ.
const TOLERANCE: Duration = Duration::from_secs(2);

/// The largest difference allowed between the time in a session id and the agent's start.
const SESSION_TOLERANCE: Duration = Duration::from_mins(5);

/// The oldest time in a session id that is trusted. Models make up ids with older times.
const SESSION_AT_MOST: Duration = Duration::from_hours(24);

/// The prefix of session ids that contain a Unix time in seconds.
const SESSION: &str = "sess_";

#[derive(Debug, Clone, Copy)]
pub(crate) struct TrustedStart {
    time: SystemTime,
    /// What it is, to follow "before".
    pub(super) name: &'static str,
    /// How much earlier something may be that is not before it.
    tolerance: Duration,
}

impl TrustedStart {
    pub(super) fn new(time: SystemTime, name: &'static str) -> Self {
        Self {
            time,
            name,
            tolerance: TOLERANCE,
        }
    }

    /// The time in a session id. None if it has no time, or one that is not within the last day.
    pub(super) fn of_session(id: &str, now: SystemTime) -> Option<Self> {
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
