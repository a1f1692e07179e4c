//! Messages on standard error.

use std::io::Write as _;

/// Prints a note, which does not change the exit code, to standard error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "note: {text}");
}

/// Prints an error to standard error. A failure to print it is ignored, because it cannot be
/// reported.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
}
