//! Messages on standard error.

use std::io::Write as _;

/// Says on standard error what should be known and fails nothing.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "note: {text}");
}

/// Says on standard error what went wrong. If even that fails there is nobody left to tell.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
}
