//! Messages on standard error.

use std::io::Write as _;

use crate::config::ColorChoice;
use anstyle::{AnsiColor, Style};

use crate::cli::color;
use crate::cli::terminal::Stream;

/// Prints a note, which does not change the exit code, to standard error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "note: {text}");
}

/// Prints a warning, which does not change the exit code, to standard error.
pub(crate) fn warning(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "warning: {text}");
}

/// Prints an error to standard error. A failure to print it is ignored, because it cannot be
/// reported.
pub(crate) fn error(error: &anyhow::Error) {
    let style = if color::is_used(ColorChoice::Auto, Stream::Stderr) {
        AnsiColor::Red.on_default().bold()
    } else {
        Style::new()
    };
    let _ = writeln!(std::io::stderr().lock(), "{style}error:{style:#} {error:#}");
}
