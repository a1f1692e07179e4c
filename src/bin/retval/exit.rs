//! How a run ends.

/// The run failed, and the error is printed already.
#[derive(Debug, thiserror::Error)]
#[error("the run failed")]
pub(crate) struct Reported;

/// How a run ended; the worst outcome counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every return is valid.
    Valid = 0,
    /// At least one is not.
    Invalid = 1,
    /// Something could not be checked.
    Unchecked = 2,
}
