//! A progress line on standard error during long work.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

/// Shorter runs show no progress. They would end before anyone could read the line.
const LONG: Duration = Duration::from_millis(500);

/// What the progress line counts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProgressUnit {
    Returns,
    Bytes,
}

impl ProgressUnit {
    fn shown(self, done: u64, a_second: u64) -> String {
        match self {
            Self::Returns => {
                let (done, a_second) = (HumanCount(done), HumanCount(a_second));
                format!("{done} returns, {a_second} a second")
            }
            Self::Bytes => {
                let (done, a_second) = (HumanBytes(done), HumanBytes(a_second));
                format!("{done} read, {a_second} a second")
            }
        }
    }
}

/// Shows how much has been done and how fast.
pub(crate) struct ProgressLine {
    since: Instant,
    is_enabled: bool,
    bar: Option<ProgressBar>,
    unit: ProgressUnit,
    done: u64,
}

impl ProgressLine {
    pub(crate) fn new(unit: ProgressUnit) -> Self {
        Self {
            since: Instant::now(),
            is_enabled: true,
            bar: None,
            unit,
            done: 0,
        }
    }

    pub(crate) fn advance(&mut self, more: usize) {
        if !self.is_enabled {
            return;
        }
        self.done += u64::try_from(more).unwrap_or(0);
        if self.bar.is_none() && self.since.elapsed() >= LONG {
            self.is_enabled = is_watched();
            if !self.is_enabled {
                return;
            }
            let style = ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            self.bar = Some(
                ProgressBar::new_spinner()
                    .with_style(style)
                    .with_elapsed(self.since.elapsed()),
            );
        }
        if let Some(bar) = &self.bar {
            let seconds = self.since.elapsed().as_secs().max(1);
            bar.set_message(self.unit.shown(self.done, self.done / seconds));
        }
    }

    /// Runs a function that may write to the same terminal. The progress line is hidden meanwhile.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(act),
            None => act(),
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Whether progress is shown: only on a terminal, and not in CI. Short runs do not call this.
fn is_watched() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("CI").is_none()
}
