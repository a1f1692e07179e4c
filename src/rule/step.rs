//! The six steps of a check.

use crate::text::names;

/// The six steps, in the order they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The return is one JSON object.
    Json,
    /// It has the fields of its standard.
    Fields,
    /// Its status is one of the standard's.
    Status,
    /// It answers the delegation that was made.
    Session,
    /// Its summary is short.
    Summary,
    /// The files it claims are there.
    Artifacts,
}

names! { pub Step, "step" {
    Json = "json",
    Fields = "fields",
    Status = "status",
    Session = "session",
    Summary = "summary",
    Artifacts = "artifacts",
} }

impl Step {
    /// Its place among the six, from 1.
    #[doc(hidden)]
    #[must_use]
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Json => "Valid JSON",
            Self::Fields => "Required fields",
            Self::Status => "Status",
            Self::Session => "Session ID",
            Self::Summary => "Summary length",
            Self::Artifacts => "Artifacts",
        }
    }
}
