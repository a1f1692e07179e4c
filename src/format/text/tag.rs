//! The tags at the beginning of the lines of a text report.

use anstyle::{AnsiColor, Style};

use crate::check::rules::Level;
use crate::format::{Detail, ReportOptions, common};

/// The tag at the beginning of a line.
#[derive(Clone, Copy)]
pub(super) enum Tag {
    Pass,
    Fail,
    Warn,
    Info,
    Skip,
}

impl Tag {
    /// Its text, with the space after it, and its style.
    pub(super) fn text_and_style(self) -> (&'static str, Style) {
        match self {
            Self::Pass => ("[PASS] ", AnsiColor::Green.on_default()),
            Self::Fail => (
                common::tag(Level::Error),
                AnsiColor::Red.on_default().bold(),
            ),
            Self::Warn => (common::tag(Level::Warning), AnsiColor::Yellow.on_default()),
            Self::Info => ("[INFO] ", AnsiColor::Cyan.on_default()),
            Self::Skip => ("[SKIP] ", Style::new().dimmed()),
        }
    }
}

impl ReportOptions {
    pub(super) fn hides(&self, tag: Tag) -> bool {
        match self.detail {
            Detail::Quiet => !matches!(tag, Tag::Fail),
            Detail::Findings => !matches!(tag, Tag::Fail | Tag::Warn),
            Detail::Normal | Detail::Verbose => false,
        }
    }
}
