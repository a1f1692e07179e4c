//! How much a rule counts.

use crate::text::names;

/// How much a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The rule is not checked.
    Off,
    /// It is reported, and the return can be valid.
    Warning,
    /// The return is not valid.
    Error,
}

names! { pub Level, "level" {
    Off = "off",
    Warning = "warning",
    Error = "error",
} }
