//! The errors of a conversion.

use crate::check::report::Report;
use crate::convert::pairs;

/// Why a return could not be converted. The texts are safe to print.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConvertError {
    /// There is no such conversion.
    #[error("cannot convert {from} to {to}; possible conversions: {}", pairs())]
    NoSuchConversion {
        /// The source's profile.
        from: String,
        /// The target's profile.
        to: String,
    },
    /// The input is not a JSON object. The report says why.
    #[error("the input is not a JSON object")]
    Source(Box<Report<'static>>),
    /// The requested status is not a status of the target.
    #[error("--status {word} is not a status of {target}; use {words}")]
    NoSuchStatus {
        /// The requested status.
        word: String,
        /// The target's profile.
        target: &'static str,
        /// The statuses of the target.
        words: String,
    },
    /// The requested status contradicts the status of the source.
    #[error("--status {requested} contradicts the status of the return, {word}")]
    Contradiction {
        /// The source's status.
        word: String,
        /// The requested status.
        requested: &'static str,
    },
    /// Several statuses of the target are possible.
    #[error(
        "the agent and the artifacts do not show whether {word} means {words}; set it with --status"
    )]
    StatusUnclear {
        /// The source's status.
        word: String,
        /// The possible statuses.
        words: String,
    },
    /// The output could not be written as JSON.
    #[error("the return cannot be written as JSON")]
    Write(#[from] serde_json::Error),
}
