//! The outcome of a run.

/// The run failed, and the error has already been printed.
#[derive(Debug, thiserror::Error)]
#[error("the run failed")]
pub(crate) struct Reported;

/// The outcome of a run; the worst one counts. The value is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every return is valid.
    Valid = 0,
    /// At least one return is invalid.
    Invalid = 1,
    /// Something could not be checked.
    Unchecked = 2,
}
