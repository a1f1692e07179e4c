//! A progress line on standard error during long work.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

/// Shorter runs show no progress. They would end before anyone could read the line.
const LONG: Duration = Duration::from_millis(500);

/// Shows how many returns have been checked and how fast.
pub(crate) struct ProgressLine {
    since: Instant,
    is_enabled: bool,
    bar: Option<ProgressBar>,
    checked: u64,
}

impl ProgressLine {
    pub(crate) fn new(is_enabled: bool) -> Self {
        Self {
            since: Instant::now(),
            is_enabled,
            bar: None,
            checked: 0,
        }
    }

    pub(crate) fn advance(&mut self, returns: usize) {
        if !self.is_enabled {
            return;
        }
        self.checked += u64::try_from(returns).unwrap_or(0);
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
            let (checked, rate) = (HumanCount(self.checked), HumanCount(self.checked / seconds));
            bar.set_message(format!("{checked} returns, {rate} a second"));
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
