//! The six steps of a check.

use crate::text::names;

names! {
    /// The six steps, in the order they run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Step: "step" {
        /// The return is one JSON object.
        Json = "json",
        /// It has the fields of its standard.
        Fields = "fields",
        /// Its status is one of the standard's.
        Status = "status",
        /// It answers the delegation that was made.
        Session = "session",
        /// Its summary is short.
        Summary = "summary",
        /// The files it claims are there.
        Artifacts = "artifacts",
    }
}

impl Step {
    /// Its place among the six, from 1.
    #[must_use]
    pub(crate) fn number(self) -> usize {
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
