//! A span of time as the value of an option, such as `24h`.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

/// A span of time in one unit: `90s`, `30m`, `24h` or `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age(Duration);

/// The error for a text that is not a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgeError;

/// Seconds of each unit, the largest first.
const UNITS: [(char, u64); 4] = [('d', 24 * 60 * 60), ('h', 60 * 60), ('m', 60), ('s', 1)];

impl Age {
    /// The length of the span.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.0
    }

    /// A regular expression for the text of a span.
    pub(super) fn pattern() -> String {
        let units: String = UNITS.iter().map(|(letter, _)| letter).collect();
        format!("^[0-9]+[{units}]$")
    }
}

impl FromStr for Age {
    type Err = AgeError;

    fn from_str(text: &str) -> Result<Self, AgeError> {
        let of_unit = |(letter, size): &(char, u64)| {
            let number = text.strip_suffix(*letter)?;
            let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
            let number: u64 = number.parse().ok().filter(|_| is_plain)?;
            number.checked_mul(*size).map(Duration::from_secs)
        };
        UNITS.iter().find_map(of_unit).map(Self).ok_or(AgeError)
    }
}

impl Display for Age {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let mut units = UNITS.iter();
        let whole = units.find(|(_, size)| seconds >= *size && seconds.is_multiple_of(*size));
        let (letter, size) = whole.copied().unwrap_or(('s', 1));
        write!(out, "{}{letter}", seconds / size)
    }
}

impl Display for AgeError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("expected a number and one of s, m, h, d, such as 24h")
    }
}

impl Error for AgeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_unit() {
        for (text, seconds) in [
            ("90s", 90),
            ("30m", 1_800),
            ("24h", 86_400),
            ("7d", 604_800),
        ] {
            let age: Age = text.parse().expect("a span");
            assert_eq!(age.duration().as_secs(), seconds, "{text}");
        }
        for text in [
            "",
            "h",
            "24",
            "-1h",
            "+1h",
            "1.5h",
            "1w",
            "1 h",
            "99999999999999999999d",
        ] {
            assert_eq!(text.parse::<Age>(), Err(AgeError), "{text}");
        }
        let most = format!("{}d", u64::MAX);
        assert_eq!(most.parse::<Age>(), Err(AgeError));
    }

    #[test]
    fn a_span_is_shown_in_its_largest_whole_unit() {
        for (text, shown) in [("24h", "1d"), ("90m", "90m"), ("120s", "2m"), ("0s", "0s")] {
            let age: Age = text.parse().expect("a span");
            assert_eq!(age.to_string(), shown);
        }
    }
}
