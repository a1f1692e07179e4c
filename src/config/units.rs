//! Values of options that are read from a text: a time, a span of time (`24h`), or a number of bytes
//! (`16MiB`).

use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A span of time in one unit: `90s`, `30m`, `24h` or `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Age(pub(crate) Duration);

/// A number of bytes, such as `16777216`, `1MB` or `16MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByteSize(pub(crate) u64);

/// A time: RFC 3339 (`2026-01-28T10:30:00Z`), `@` and seconds since 1970, or a duration before now such as
/// `90s`, `15m`, `2h`, `1d` or `1h30m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimePoint(pub(crate) SystemTime);

const AGE: &str = "expected a number and one of s, m, h, d, such as 24h";
const BYTE_SIZE: &str = "expected a number of bytes, such as 16777216, 1MB or 16MiB";
const TIME_POINT: &str =
    "expected a time such as 2026-01-28T10:30:00Z or @1769596200, or how long ago, such as 2h";

/// The name of each unit and its size, the largest first.
type Units = [(&'static str, u64)];

const DAY: u64 = 24 * 60 * 60;
const OF_AGO: [(&str, u64); 5] = [("w", 7 * DAY), ("d", DAY), ("h", 3600), ("m", 60), ("s", 1)];
const OF_AGE: &Units = OF_AGO.split_at(1).1;
const OF_BYTES: &Units = &[
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("kB", 1_000),
    ("", 1),
    ("B", 1),
];

impl FromStr for Age {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let seconds = multiple(text, OF_AGE).ok_or(AGE)?;
        Ok(Self(Duration::from_secs(seconds)))
    }
}

impl FromStr for ByteSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        multiple(text, OF_BYTES).map(Self).ok_or(BYTE_SIZE)
    }
}

impl FromStr for TimePoint {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let stamp = || text.parse::<jiff::Timestamp>().ok().map(SystemTime::from);
        let time = match text.strip_prefix('@') {
            Some(seconds) => epoch(seconds),
            None => ago(text).or_else(stamp),
        };
        time.map(Self).ok_or(TIME_POINT)
    }
}

/// A number and its unit, in any case. None if it is neither, or too large.
fn multiple(text: &str, units: &Units) -> Option<u64> {
    let end = text.find(|it: char| !it.is_ascii_digit());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let mut units = units.iter();
    let (_, size) = units.find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    number.parse::<u64>().ok()?.checked_mul(*size)
}

/// Parses seconds since 1970, with or without a fraction.
fn epoch(seconds: &str) -> Option<SystemTime> {
    let mut bytes = seconds.bytes();
    let is_number = bytes.all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = seconds.parse().ok().filter(|_| is_number)?;
    UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

/// Parses a duration, such as `1h30m`, and subtracts it from the current time.
fn ago(text: &str) -> Option<SystemTime> {
    let parts = text.split_inclusive(|it: char| !it.is_ascii_digit());
    let seconds = parts.map(|part| multiple(part, &OF_AGO));
    let seconds = seconds.reduce(|all, one| all?.checked_add(one?))??;
    SystemTime::now().checked_sub(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800)] {
            let age: Age = text.parse().expect("a span");
            assert_eq!(age.0.as_secs(), seconds, "{text}");
        }
        for text in ["", "h", "24", "-1h", "+1h", "1.5h", "1w", "1 h", "99999999999999999999d"] {
            assert_eq!(text.parse::<Age>(), Err(AGE), "{text}");
        }
        let most = format!("{}d", u64::MAX);
        assert_eq!(most.parse::<Age>(), Err(AGE));
    }

    #[test]
    fn a_size_is_a_number_and_may_have_a_unit() {
        for (text, bytes) in [
            ("17", 17),
            ("1MB", 1_000_000),
            ("16MiB", 16_777_216),
            ("16mib", 16_777_216),
            ("1500kb", 1_500_000),
            ("2GiB", 1 << 31),
            ("5B", 5),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        for text in ["", "MB", "-1MB", "+1", "1 MB", "1.5MB", "1M", "1TB", "99999999999GiB"] {
            assert_eq!(text.parse::<ByteSize>(), Err(BYTE_SIZE), "{text}");
        }
    }

    #[test]
    fn times_are_read_in_three_forms() {
        let millis = |text: &str| {
            let time: TimePoint = text.parse().expect("a time");
            let since = time.0.duration_since(UNIX_EPOCH).expect("after 1970");
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
            assert_eq!(text.parse::<TimePoint>(), Err(TIME_POINT), "{text}");
        }
    }
}
