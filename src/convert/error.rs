//! Why there is nothing to write.

use crate::convert::pairs;
use crate::report::Report;

/// Why a return could not be converted. The texts are safe to print.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// There is no such conversion.
    #[error("cannot convert {from} to {to}: the conversions are {}", pairs())]
    NoSuchConversion {
        /// The source's standard.
        from: String,
        /// The target's.
        to: String,
    },
    /// The source is not one JSON object.
    #[error("the source is not one JSON object")]
    Source(Box<Report<'static>>),
    /// The status that was asked for is none of the target's.
    #[error("--status {word} is no status of {target}: give {words}")]
    NoSuchStatus {
        /// What was asked for.
        word: String,
        /// The target's standard.
        target: &'static str,
        /// What could have been asked for.
        words: String,
    },
    /// The status that was asked for says something else than the source's.
    #[error("the return says {word}, which --status {asked} contradicts")]
    Contradiction {
        /// The source's status.
        word: String,
        /// What was asked for.
        asked: &'static str,
    },
    /// The status could mean several.
    #[error(
        "the agent and the artifacts do not tell whether {word} is {words}: give --status WORD"
    )]
    StatusUnclear {
        /// The source's status.
        word: String,
        /// What it could mean.
        words: String,
    },
    /// The output could not be written as JSON.
    #[error("the return cannot be written as JSON")]
    Write(#[from] serde_json::Error),
}
