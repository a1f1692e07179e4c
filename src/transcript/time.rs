//! Times of records, which are only parsed when somebody wants them.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

const LONGEST: usize = 36;

/// The time of a record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Stamp {
    #[default]
    None,
    /// As it stands in the record, filled up with spaces.
    Text([u8; LONGEST]),
    Time(SystemTime),
}

impl Stamp {
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [b' '; LONGEST];
        match bytes.get_mut(..text.len()) {
            Some(start) if !text.is_empty() => {
                start.copy_from_slice(text.as_bytes());
                Self::Text(bytes)
            }
            _ => Self::None,
        }
    }

    /// The time so many milliseconds after 1970.
    pub(super) fn from_milliseconds(milliseconds: Option<u64>) -> Self {
        let since = milliseconds.map(Duration::from_millis);
        let time = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        time.map_or(Self::None, Self::Time)
    }

    pub(super) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    /// The time, if the text is a timestamp with an offset (RFC 3339).
    pub(super) fn time(self) -> Option<SystemTime> {
        match self {
            Self::None => None,
            Self::Time(time) => Some(time),
            Self::Text(bytes) => {
                if let Some(time) = as_clients_write(&bytes) {
                    return Some(time.into());
                }
                let text = std::str::from_utf8(&bytes).ok()?;
                let time: Timestamp = text.trim_end().parse().ok()?;
                Some(time.into())
            }
        }
    }
}

/// A timestamp in the form of nearly all records, `2026-11-22T10:13:13.618Z`: it is read in a tenth of
/// the time that any form takes.
fn as_clients_write(text: &[u8; LONGEST]) -> Option<Timestamp> {
    const FORM: &[u8] = b"0000-00-00T00:00:00.000Z";
    let (stamp, rest) = text.split_at(FORM.len());
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        mark => byte == mark,
    };
    if !stamp.iter().zip(FORM).all(fits) || rest.iter().any(|byte| *byte != b' ') {
        return None;
    }
    let digits = |from: usize, count: usize| {
        let digits = stamp[from..from + count].iter();
        digits.fold(0, |value, digit| value * 10 + i16::from(digit - b'0'))
    };
    let part = |from: usize| i8::try_from(digits(from, 2)).ok();
    let nanosecond = i32::from(digits(20, 3)) * 1_000_000;
    let time = DateTime::new(
        digits(0, 4),
        part(5)?,
        part(8)?,
        part(11)?,
        part(14)?,
        part(17)?,
        nanosecond,
    );
    Offset::UTC.to_timestamp(time.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_read_a_time_give_the_same() {
        let texts = [
            "2026-11-22T10:13:13.618Z",
            "2024-02-29T23:59:59.999Z",
            "2023-02-29T10:13:13.618Z",
            "1969-12-31T23:59:59.001Z",
            "0001-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
            "2026-06-30T23:59:60.000Z",
            "2026-11-22T24:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-11-22T10:13:13.618Z x",
            "2026-11-22T10:13:13.618+01:00",
            "2026-11-22T10:13:13Z",
            "2026-11-22 10:13:13.618Z",
        ];
        for text in texts {
            let expected = text.parse::<Timestamp>().ok().map(SystemTime::from);
            assert_eq!(Stamp::new(text).time(), expected, "{text}");
        }
        let quick = Stamp::new(texts[0]).time();
        assert_eq!(
            quick,
            Some(SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_342_393_618))
        );
    }
}
