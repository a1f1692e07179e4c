//! The types of JSON values, found and expected.

use std::fmt;

/// The type of a JSON value for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number without a fraction, in any notation.
    Integer,
    /// A number with a fraction.
    Fraction,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    pub(crate) fn of_number(number: f64) -> Self {
        if number.fract() == 0.0 {
            Self::Integer
        } else {
            Self::Fraction
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "a number",
            Self::Fraction => "a number with a fraction",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// The type that a profile expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Any value.
    Anything,
    /// A boolean.
    Boolean,
    /// A number without a fraction, such as `1` and `1.0`.
    Integer,
    /// Any number.
    Number,
    /// A string.
    Text,
    /// A string with a number and its unit, or the number alone.
    Amount,
    /// An array.
    List,
    /// An object.
    Object,
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Anything => "any value",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::Amount => "a string or a number",
            Self::List => "an array",
            Self::Object => "an object",
        })
    }
}
