//! How much a rule counts.

use serde::Serialize;

/// How much a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The rule is not checked.
    Off,
    /// It is reported, and the return can be valid.
    Warning,
    /// The return is not valid.
    Error,
}

impl Level {
    /// Every level, with its name in configurations and reports.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("off", Self::Off),
        ("warning", Self::Warning),
        ("error", Self::Error),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}
