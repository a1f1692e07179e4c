//! Times of records, which are parsed only when they are needed.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

const LONGEST: usize = 36;

/// The time of a record.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::clients) enum Stamp {
    #[default]
    None,
    /// The text in the record, padded with spaces.
    Text([u8; LONGEST]),
    Time(SystemTime),
}

impl Stamp {
    pub(in crate::clients) fn new(text: &str) -> Self {
        let mut bytes = [b' '; LONGEST];
        match bytes.get_mut(..text.len()) {
            Some(start) if !text.is_empty() => {
                start.copy_from_slice(text.as_bytes());
                Self::Text(bytes)
            }
            _ => Self::None,
        }
    }

    /// The time that is this many milliseconds after the Unix epoch.
    pub(in crate::clients) fn from_milliseconds(milliseconds: Option<u64>) -> Self {
        let since = milliseconds.map(Duration::from_millis);
        let time = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        time.map_or(Self::None, Self::Time)
    }

    pub(in crate::clients) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }

    /// The time. None if the text is not a timestamp with an offset (RFC 3339).
    pub(in crate::clients) fn time(self) -> Option<SystemTime> {
        match self {
            Self::None => None,
            Self::Time(time) => Some(time),
            Self::Text(bytes) => {
                if let Some(time) = as_clients_write(&bytes) {
                    return Some(time.into());
                }
                in_any_form(&bytes)
            }
        }
    }
}

/// A timestamp in any form of RFC 3339.
// Kept apart from the form that nearly all records have, so that the code for those fits into the
// instruction cache.
#[cold]
fn in_any_form(bytes: &[u8; LONGEST]) -> Option<SystemTime> {
    let text = std::str::from_utf8(bytes).ok()?;
    let time: Timestamp = text.trim_end().parse().ok()?;
    Some(time.into())
}

/// A timestamp in the form that nearly all records have, `2026-11-22T10:13:13.618Z`. Reading it takes a
/// tenth of the time of [`in_any_form`].
fn as_clients_write(text: &[u8; LONGEST]) -> Option<Timestamp> {
    #[rustfmt::skip]
    let [
        y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2,
        b'T', h1, h2, b':', n1, n2, b':', s1, s2, b'.', f1, f2, f3, b'Z',
        b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ',
    ] = *text else {
        return None;
    };
    let year = i16::from(pair(y1, y2)?) * 100 + i16::from(pair(y3, y4)?);
    let millisecond = i32::from(pair(f1, f2)?) * 10 + i32::from(digit(f3)?);
    let time = DateTime::new(
        year,
        pair(m1, m2)?,
        pair(d1, d2)?,
        pair(h1, h2)?,
        pair(n1, n2)?,
        pair(s1, s2)?,
        millisecond * 1_000_000,
    );
    Offset::UTC.to_timestamp(time.ok()?).ok()
}

/// The number that two digits form.
fn pair(tens: u8, ones: u8) -> Option<i8> {
    Some(digit(tens)? * 10 + digit(ones)?)
}

fn digit(byte: u8) -> Option<i8> {
    i8::try_from(byte.wrapping_sub(b'0'))
        .ok()
        .filter(|digit| *digit <= 9)
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
