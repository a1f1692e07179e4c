//! The outcome of a run.

/// The run failed, and the error has already been printed.
#[derive(Debug, thiserror::Error)]
#[error("the run failed")]
pub(crate) struct Reported;

/// The outcome of a run; the worst one counts. The value is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Valid = 0,
    Invalid = 1,
    Unchecked = 2,
}
