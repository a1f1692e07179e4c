//! A progress line on standard error during long work.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

/// Shorter runs show no progress. They would end before anyone could read the line.
const LONG: Duration = Duration::from_millis(500);

/// How often the line is written anew.
const EACH: Duration = Duration::from_millis(100);

/// What the progress line counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProgressUnit {
    Returns,
    Bytes,
}

impl ProgressUnit {
    fn shown(self, done: u64, a_second: u64) -> String {
        match self {
            Self::Returns => format!("{done} returns, {a_second} a second"),
            Self::Bytes => {
                let [done, a_second] = [done, a_second].map(|bytes| bytes >> 20);
                format!("{done} MiB read, {a_second} MiB a second")
            }
        }
    }
}

/// Shows how much has been done and how fast: only on a terminal, and not in CI.
pub(crate) struct ProgressLine {
    since: Instant,
    unit: ProgressUnit,
    done: u64,
    /// Whether it may be shown. None as long as nobody has looked.
    is_watched: Option<bool>,
    /// When the line was last written. None if it is not there.
    shown: Option<Instant>,
}

impl ProgressLine {
    pub(crate) fn new(unit: ProgressUnit) -> Self {
        Self {
            since: Instant::now(),
            unit,
            done: 0,
            is_watched: None,
            shown: None,
        }
    }

    pub(crate) fn advance(&mut self, more: usize) {
        self.done += more as u64;
        let is_new = self.shown.is_none_or(|shown| shown.elapsed() >= EACH);
        if self.is_watched == Some(false) || !is_new || self.since.elapsed() < LONG {
            return;
        }
        let is_watched = || stderr().is_terminal() && std::env::var_os("CI").is_none();
        if *self.is_watched.get_or_insert_with(is_watched) {
            let seconds = self.since.elapsed().as_secs().max(1);
            let text = self.unit.shown(self.done, self.done / seconds);
            let _ = write!(stderr(), "\r\x1b[2K{text}");
            self.shown = Some(Instant::now());
        }
    }

    /// Removes the line, before something else is written to the same terminal.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[2K");
        }
    }
}
