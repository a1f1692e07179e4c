//! Limits of the length of a text, and how messages describe them.

use crate::text::{count, names};

/// The limit of the length of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LengthLimit {
    pub of: Measured,
    pub unit: Unit,
    pub most: usize,
    /// Whether a text of exactly this length is allowed.
    pub inclusive: bool,
}

names! {
    /// The text that a [`LengthLimit`] measures.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Measured: "text" {
        Summary = "Summary",
        /// The whole return, without white space around it.
        Return = "Return",
    }
}

names! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Unit: "unit" {
        /// Characters / 4, unrounded: the estimate of both return formats.
        Tokens = "tokens",
        /// Runs of characters between white space.
        Words = "words",
        /// Unicode scalar values.
        Characters = "characters",
    }
}

/// The number of characters in a token, as both return formats estimate it ("100 tokens, about 400
/// characters").
pub(crate) const CHARACTERS_PER_TOKEN: usize = 4;

/// Returns the number of tokens in a text of `characters` Unicode scalar values, by the same estimate,
/// unrounded.
#[allow(clippy::cast_precision_loss, reason = "no text is 2^52 characters long")]
pub(crate) fn tokens(characters: usize) -> f64 {
    characters as f64 / CHARACTERS_PER_TOKEN as f64
}

impl LengthLimit {
    pub(crate) const fn at_most(most: usize, unit: Unit, of: Measured) -> Self {
        Self { of, unit, most, inclusive: true }
    }

    /// Returns the length of a text in the units that this limit compares: characters for a limit in
    /// tokens or characters, words for a limit in words.
    pub(crate) fn measure(&self, text: &str) -> usize {
        match self.unit {
            Unit::Tokens | Unit::Characters => text.chars().count(),
            Unit::Words => text.split_whitespace().count(),
        }
    }

    pub(crate) fn allows(&self, length: usize) -> bool {
        length <= self.longest()
    }

    /// Returns the greatest allowed length, as [measured](Self::measure) by this limit.
    pub(crate) fn longest(&self) -> usize {
        self.in_measured().saturating_sub(usize::from(!self.inclusive))
    }

    /// The limit itself, counted in characters if it is in tokens, so that nothing is rounded.
    fn in_measured(&self) -> usize {
        match self.unit {
            Unit::Tokens => self.most * CHARACTERS_PER_TOKEN,
            Unit::Words | Unit::Characters => self.most,
        }
    }

    /// Describes a length within its limit, as in `46 of 100 tokens (182 characters)`.
    pub(crate) fn describe(&self, length: usize) -> String {
        let (shown, unit) = (self.shown(length), self.unit.as_str());
        let shown = format!("{shown} of {} {unit}", self.most);
        match self.unit {
            Unit::Tokens => format!("{shown} ({})", count(length, "character")),
            Unit::Words | Unit::Characters => shown,
        }
    }

    /// Describes a length that exceeds the limit, as in `250 tokens (limit 100)`.
    pub(crate) fn exceeded(&self, length: usize) -> String {
        let is_exact = length == self.in_measured();
        let limit = if is_exact { "must be under" } else { "limit" };
        let (shown, unit) = (self.shown(length), self.unit.as_str());
        format!("{shown} {unit} ({limit} {})", self.most)
    }

    /// Returns a length in the unit of the limit. A number of tokens is rounded, unless that would hide on which
    /// side of the limit it is.
    fn shown(&self, length: usize) -> String {
        const PARTS: [&str; CHARACTERS_PER_TOKEN] = ["", ".25", ".5", ".75"];
        if self.unit != Unit::Tokens {
            return length.to_string();
        }
        let whole = length / CHARACTERS_PER_TOKEN;
        let part = length % CHARACTERS_PER_TOKEN;
        let rounded = whole + usize::from(part >= CHARACTERS_PER_TOKEN / 2);
        if rounded == self.most { format!("{whole}{}", PARTS[part]) } else { rounded.to_string() }
    }

    /// Describes the limit, as in `under 100 tokens (400 characters)`.
    pub(crate) fn bound(&self) -> String {
        let how = if self.inclusive { "within" } else { "under" };
        let bound = format!("{how} {} {}", self.most, self.unit.as_str());
        match self.unit {
            Unit::Tokens => format!("{bound} ({} characters)", self.in_measured()),
            Unit::Words | Unit::Characters => bound,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_limit_is_exact_to_the_character() {
        use crate::profile::{RETURN, RETURN_V1};
        let limit = RETURN.length.expect("it has one");
        assert!(limit.allows(399) && !limit.allows(400));
        let limit = RETURN_V1.length.expect("it has one");
        assert!(limit.allows(500) && !limit.allows(501));
        assert_eq!(limit.describe(401), "401 of 500 characters");
        assert_eq!(limit.exceeded(501), "501 characters (limit 500)");
        let limit = RETURN_V1.soft_length.expect("it has one");
        assert!(limit.allows(400) && !limit.allows(401));
        assert_eq!(limit.describe(401), "100.25 of 100 tokens (401 characters)");
        assert_eq!(limit.describe(182), "46 of 100 tokens (182 characters)");
        assert_eq!(limit.describe(1), "0 of 100 tokens (1 character)");
        assert_eq!(limit.describe(400), "100 of 100 tokens (400 characters)");
        let exceeded = RETURN.length.expect("it has one").exceeded(400);
        assert_eq!(exceeded, "100 tokens (must be under 100)");
        assert_eq!(limit.exceeded(1_000), "250 tokens (limit 100)");
        assert_eq!(limit.bound(), "within 100 tokens (400 characters)");
    }
}
