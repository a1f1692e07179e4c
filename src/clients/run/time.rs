//! Times of records, which are parsed only when they are needed.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

const LONGEST: usize = 36;

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
                let time: Timestamp = std::str::from_utf8(&bytes).ok()?.trim_end().parse().ok()?;
                Some(time.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_whatever_the_form_of_its_offset() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_342_393_618);
        for (text, expected) in [
            ("2026-11-22T10:13:13.618Z", Some(time)),
            ("2026-11-22T11:13:13.618+01:00", Some(time)),
            ("2026-11-22T24:00:00.000Z", None),
            ("2026-11-22T10:13:13.618Z x", None),
            ("2026-11-22T10:13:13.618", None),
        ] {
            assert_eq!(Stamp::new(text).time(), expected, "{text}");
        }
    }
}
