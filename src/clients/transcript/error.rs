//! Why a transcript could not be read.

use thiserror::Error;

/// The size of the largest transcript that is one JSON document, in bytes. Transcripts in lines may be
/// larger.
pub(crate) const DOCUMENT_AT_MOST: usize = 6 << 20;

/// Why a transcript could not be read.
#[derive(Debug, Error)]
pub(crate) enum TranscriptError {
    /// The reader failed.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The text is not a transcript of a known client.
    #[error("not a transcript of a known client")]
    Unknown,
    /// The transcript is empty or only white space.
    #[error("the transcript is empty")]
    Empty,
    /// The transcript ends within its first record.
    #[error("the transcript ends within its first record")]
    Cut,
    /// A transcript that is one JSON document is too large.
    #[error("the transcript is one JSON document of more than {} MiB", DOCUMENT_AT_MOST >> 20)]
    TooLarge,
}
