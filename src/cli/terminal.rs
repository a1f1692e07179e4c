//! Whether an output is a terminal, and how wide it is.

use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
    File,
}

/// Whether a stream is a terminal. Makes at most one system call per stream.
pub(crate) fn is_watched(stream: Stream) -> bool {
    static STDOUT: OnceLock<bool> = OnceLock::new();
    static STDERR: OnceLock<bool> = OnceLock::new();
    match stream {
        Stream::Stdout => *STDOUT.get_or_init(|| io::stdout().is_terminal()),
        Stream::Stderr => *STDERR.get_or_init(|| io::stderr().is_terminal()),
        Stream::File => false,
    }
}

/// Whether a person would type the input. A program that starts another one passes input through a pipe
/// or a file, not through a terminal.
pub(crate) fn is_input_typed() -> bool {
    io::stdin().is_terminal()
}

/// Whether standard input is a pipe or a file, so that somebody passes something on.
#[cfg(unix)]
pub(crate) fn is_input_passed() -> bool {
    use rustix::fs::{FileType, fstat};
    let kind = fstat(io::stdin()).map(|found| FileType::from_raw_mode(found.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::RegularFile))
}

// The standard library can only tell whether it is a terminal.
#[cfg(not(unix))]
pub(crate) fn is_input_passed() -> bool {
    !is_input_typed()
}

pub(crate) fn shows_hyperlinks(stream: Stream) -> bool {
    use supports_hyperlinks::{Stream as Known, on};
    match stream {
        Stream::Stdout => on(Known::Stdout),
        Stream::Stderr => on(Known::Stderr),
        Stream::File => false,
    }
}

/// Whether standard output and standard error lead to the same file or terminal, so that a reader sees
/// both.
#[cfg(unix)]
pub(crate) fn is_one_place() -> bool {
    let place = |found: rustix::io::Result<rustix::fs::Stat>| {
        let found = found.ok()?;
        Some((found.st_dev, found.st_ino))
    };
    let stdout = place(rustix::fs::fstat(io::stdout()));
    stdout.is_some() && stdout == place(rustix::fs::fstat(io::stderr()))
}

// The standard library can only tell whether both are terminals.
#[cfg(not(unix))]
pub(crate) fn is_one_place() -> bool {
    is_watched(Stream::Stdout) && is_watched(Stream::Stderr)
}

/// The width of the terminal on standard output, in columns. None if it is not a terminal.
#[cfg(unix)]
pub(crate) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

// The standard library cannot tell the width. Callers have a default.
#[cfg(not(unix))]
pub(crate) fn columns() -> Option<usize> {
    None
}
