//! How much a rule counts.

use serde::Serialize;

/// How much a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It is not looked at.
    Off,
    /// It is reported, and the return may be valid all the same.
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

    /// What a rule of this level does, for people.
    #[must_use]
    pub fn verb(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warning => "warns",
            Self::Error => "fails",
        }
    }
}
