//! A time: a timestamp, seconds since 1970, or a duration before now.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time: RFC 3339 (`2026-01-28T10:30:00Z`), `@` and seconds since 1970, or a duration before now such as
/// `90s`, `15m`, `2h`, `1d` or `1h30m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimePoint(SystemTime);

/// The error for a text that is no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a time such as 2026-01-28T10:30:00Z or @1769596200, or how long ago, such as 2h")]
pub(crate) struct TimePointError;

impl TimePoint {
    /// The time as the system counts it.
    #[must_use]
    pub(crate) fn system(self) -> SystemTime {
        self.0
    }
}

impl FromStr for TimePoint {
    type Err = TimePointError;

    fn from_str(text: &str) -> Result<Self, TimePointError> {
        let time = match text.strip_prefix('@') {
            Some(seconds) => epoch(seconds),
            None => {
                ago(text).or_else(|| text.parse::<jiff::Timestamp>().ok().map(SystemTime::from))
            }
        };
        time.map(Self).ok_or(TimePointError)
    }
}

impl Display for TimePoint {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if let Ok(time) = jiff::Timestamp::try_from(self.0) {
            return time.fmt(out);
        }
        // Beyond the years that a timestamp can have.
        let seconds = self.0.duration_since(UNIX_EPOCH).unwrap_or_default();
        write!(out, "@{}", seconds.as_secs())
    }
}

/// Parses seconds since 1970, with or without a fraction.
fn epoch(seconds: &str) -> Option<SystemTime> {
    let is_number = seconds
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = seconds.parse().ok().filter(|_| is_number)?;
    UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

/// Parses a duration, such as `1h30m`, and subtracts it from the current time.
fn ago(text: &str) -> Option<SystemTime> {
    let mut rest = text;
    let mut seconds = 0_u64;
    while !rest.is_empty() {
        let end = rest.find(|byte: char| !byte.is_ascii_digit())?;
        let (number, unit) = rest.split_at(end);
        let each = match unit.chars().next()? {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            'd' => 24 * 60 * 60,
            'w' => 7 * 24 * 60 * 60,
            _ => return None,
        };
        let number: u64 = number.parse().ok()?;
        seconds = seconds.checked_add(number.checked_mul(each)?)?;
        rest = &unit[1..];
    }
    let seconds = Duration::from_secs(seconds);
    (!text.is_empty())
        .then(|| SystemTime::now().checked_sub(seconds))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_three_forms() {
        let millis = |text: &str| {
            let time: TimePoint = text.parse().expect("a time");
            let since = time
                .system()
                .duration_since(UNIX_EPOCH)
                .expect("after 1970");
            i128::try_from(since.as_millis()).expect("a number")
        };
        assert_eq!(millis("@1769596200.5"), 1_769_596_200_500);
        assert_eq!(millis("2026-01-28T10:30:00Z"), 1_769_596_200_000);
        assert_eq!(millis("2026-01-28T11:30:00+01:00"), 1_769_596_200_000);
        let now = millis("0s");
        for (text, seconds) in [("90s", 90), ("1h30m", 5400), ("1w1d", 691_200)] {
            let difference = now - seconds * 1000 - millis(text);
            assert!(difference.abs() < 5_000, "{text}: {difference}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "@",
            "@-1",
            "@1e3",
            "@inf",
            "@9999999999999999999999",
            "2",
            "h",
            "2y",
            "-2h",
            "2 h",
            "2h ",
            "99999999999999999999s",
            "99999999999999999w",
            "yesterday",
            "2026-01-28",
            "2026-13-01T00:00:00Z",
        ] {
            assert_eq!(text.parse::<TimePoint>(), Err(TimePointError), "{text}");
        }
    }
}
