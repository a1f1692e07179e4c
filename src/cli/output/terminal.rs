//! Whether inputs and outputs are terminals, what those show, and a progress line on them.

use std::io::{self, IsTerminal as _, Write as _, stderr};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::cli::output::OutputPlace;
use crate::config::ColorChoice;

impl OutputPlace {
    /// Whether it is a terminal. Makes at most one system call per stream.
    pub(crate) fn is_watched(&self) -> bool {
        static STDOUT: OnceLock<bool> = OnceLock::new();
        static STDERR: OnceLock<bool> = OnceLock::new();
        match self {
            Self::Stdout => *STDOUT.get_or_init(|| io::stdout().is_terminal()),
            Self::Stderr => *STDERR.get_or_init(|| io::stderr().is_terminal()),
            Self::File(_) => false,
        }
    }

    pub(crate) fn is_colored(&self, choice: ColorChoice) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if anstyle_query::no_color() || self.file().is_some() => false,
            ColorChoice::Auto if is_color_forced() => true,
            ColorChoice::Auto if anstyle_query::clicolor() == Some(false) => false,
            ColorChoice::Auto => self.is_watched() && anstyle_query::term_supports_color(),
        }
    }
}

/// The choice of the configuration file. None if it has none, or if an environment variable for colors
/// takes precedence.
pub(crate) fn color_setting(choice: Option<ColorChoice>) -> Option<ColorChoice> {
    choice.filter(|_| !anstyle_query::no_color() && !is_color_forced())
}

/// Whether `FORCE_COLOR` or `CLICOLOR_FORCE` forces colors. Neither `0` nor an empty value does.
fn is_color_forced() -> bool {
    let is_on =
        |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR")
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

/// Whether standard output was closed when the program began, or is not open for writing. Before `main`, the null
/// device is opened for reading and writing in the place of what is closed; a shell opens it for writing alone.
#[cfg(unix)]
pub(crate) fn is_stdout_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let (out, null) = (fstat(io::stdout()), stat("/dev/null"));
    let is_null = || out.is_ok_and(|out| null.is_ok_and(|null| out.st_rdev == null.st_rdev));
    match fcntl_getfl(io::stdout()).map(|flags| flags & OFlags::ACCMODE) {
        Ok(OFlags::RDWR) => is_null(),
        Ok(mode) => mode == OFlags::RDONLY,
        Err(_) => true,
    }
}

// Only Unix has descriptors that a shell can close.
#[cfg(not(unix))]
pub(crate) fn is_stdout_closed() -> bool {
    false
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

/// Shows on standard error how many returns were checked: only on a terminal, and not in CI.
pub(crate) struct ProgressLine {
    done: usize,
    /// When it was last looked at, or the run began.
    last: Instant,
    is_shown: bool,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { done: 0, last: Instant::now(), is_shown: false }
    }

    pub(crate) fn advance(&mut self, more: usize) {
        /// Shorter runs show no progress. They would end before anyone could read the line.
        const EACH: Duration = Duration::from_millis(500);
        self.done += more;
        if self.last.elapsed() < EACH {
            return;
        }
        self.last = Instant::now();
        if OutputPlace::Stderr.is_watched() && std::env::var_os("CI").is_none() {
            let _ = write!(stderr(), "\r\x1b[2K{} returns", self.done);
            self.is_shown = true;
        }
    }

    /// Removes the line, before something else is written to the same terminal.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(stderr(), "\r\x1b[2K");
        }
    }
}
