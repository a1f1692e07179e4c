//! A number of bytes as the value of an option, such as `16MiB`.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// A number of bytes, such as `16777216`, `1MB` or `16MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(u64);

/// The error for a text that is not a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of bytes, such as 16777216, 1MB or 16MiB")]
pub struct ByteSizeError;

/// Bytes of each unit, the largest first.
const UNITS: [(&str, u64); 7] = [
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("kB", 1_000),
    ("B", 1),
];

impl ByteSize {
    /// The number of bytes.
    #[must_use]
    pub fn bytes(self) -> u64 {
        self.0
    }

    /// A regular expression for the text of a size.
    pub(super) fn pattern() -> String {
        let either_case = |letter: char| {
            let (upper, lower) = (letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
            format!("[{upper}{lower}]")
        };
        let unit = |(name, _): &(&str, u64)| name.chars().map(either_case).collect::<String>();
        let units: Vec<_> = UNITS.iter().map(unit).collect();
        format!("^[0-9]+({})?$", units.join("|"))
    }
}

impl From<u64> for ByteSize {
    fn from(bytes: u64) -> Self {
        Self(bytes)
    }
}

impl FromStr for ByteSize {
    type Err = ByteSizeError;

    fn from_str(text: &str) -> Result<Self, ByteSizeError> {
        let end = text.find(|it: char| !it.is_ascii_digit());
        let (number, unit) = text.split_at(end.unwrap_or(text.len()));
        let mut units = UNITS.iter();
        let known = units.find(|(name, _)| name.eq_ignore_ascii_case(unit));
        let size = match known {
            Some((_, size)) => *size,
            None if unit.is_empty() => 1,
            None => return Err(ByteSizeError),
        };
        let number: u64 = number.parse().map_err(|_| ByteSizeError)?;
        number.checked_mul(size).map(Self).ok_or(ByteSizeError)
    }
}

impl Display for ByteSize {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut units = UNITS.iter().take(UNITS.len() - 1);
        let whole = units.find(|(_, size)| self.0 >= *size && self.0.is_multiple_of(*size));
        match whole {
            Some((name, size)) => write!(out, "{}{name}", self.0 / size),
            None => self.0.fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_and_may_have_a_unit() {
        for (text, bytes, shown) in [
            ("17", 17, "17"),
            ("1MB", 1_000_000, "1MB"),
            ("16MiB", 16_777_216, "16MiB"),
            ("16mib", 16_777_216, "16MiB"),
            ("1500kb", 1_500_000, "1500kB"),
            ("2GiB", 1 << 31, "2GiB"),
            ("5B", 5, "5"),
        ] {
            let size: ByteSize = text.parse().expect("a size");
            assert_eq!((size.bytes(), size.to_string()), (bytes, shown.to_owned()));
        }
        for text in [
            "",
            "MB",
            "-1MB",
            "+1",
            "1 MB",
            "1.5MB",
            "1M",
            "1TB",
            "99999999999GiB",
        ] {
            assert_eq!(text.parse::<ByteSize>(), Err(ByteSizeError), "{text}");
        }
    }
}
