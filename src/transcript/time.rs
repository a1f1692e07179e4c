//! Times of records, which are only parsed when somebody wants them.

use std::time::{Duration, SystemTime};

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
                let text = std::str::from_utf8(&bytes).ok()?;
                let time: jiff::Timestamp = text.trim_end().parse().ok()?;
                Some(time.into())
            }
        }
    }
}
