//! Whether a person watches an output, and how wide it is.

use std::io::{self, IsTerminal as _};

/// The destination of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
    File,
}

/// Whether a stream is a terminal.
pub(crate) fn is_watched(stream: Stream) -> bool {
    match stream {
        Stream::Stdout => io::stdout().is_terminal(),
        Stream::Stderr => io::stderr().is_terminal(),
        Stream::File => false,
    }
}

/// The width of the terminal behind standard output.
#[cfg(unix)]
pub(crate) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

// The standard library cannot ask. Whoever asks has a width of its own.
#[cfg(not(unix))]
pub(crate) fn columns() -> Option<usize> {
    None
}
