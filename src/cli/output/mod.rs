//! What a run writes: its reports, notes and errors, the error log, and its exit code.

pub(crate) mod error_log;
mod sink;
pub(crate) mod terminal;

use std::io::Write as _;

use anstyle::{AnsiColor, Style};

use crate::config::ColorChoice;

pub(crate) use sink::{Closed, OutputPlace, Sink, print_stdout, refuse_closed, write_output};

/// The outcome of a run; the worst one counts. The value is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Valid = 0,
    Invalid = 1,
    Unchecked = 2,
}

/// The run failed, and the error has already been printed.
#[derive(Debug, thiserror::Error)]
#[error("the run failed")]
pub(crate) struct Reported;

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
    let style = if OutputPlace::Stderr.is_colored(ColorChoice::Auto) {
        AnsiColor::Red.on_default().bold()
    } else {
        Style::new()
    };
    let _ = writeln!(std::io::stderr().lock(), "{style}error:{style:#} {error:#}");
}
