//! How a text report looks: what it shows, how much, and in which colours.

use std::borrow::Cow;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};

use crate::check::rules::Level;
use crate::format::{RuleUrl, Totals, common};

/// Options of the text format (lines for people and for scripts that grep), and of other formats.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReportOptions {
    /// Whether there are colours.
    pub colored: bool,
    /// The most columns of an excerpt of the source. None shows no excerpts.
    pub excerpts: Option<usize>,
    /// Whether there are several returns. Then each one gets a heading, valid ones are left out, a blank
    /// line separates them, and the totals are the last line.
    pub many: bool,
    /// How much is written.
    pub detail: Detail,
    /// The address of each rule's explanation.
    pub rule_url: Option<RuleUrl>,
    /// Whether rule ids are hyperlinks to their explanation, as some terminals show them.
    pub hyperlinks: bool,
    /// The absolute paths of the folder of the run: two if it was entered through a symlink. In GitLab's
    /// report, absolute paths inside this folder become relative, because GitLab takes only relative
    /// paths. Empty if they are to stay absolute.
    pub folders: Vec<PathBuf>,
}

/// How much a text report contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Detail {
    /// Only failures.
    Quiet,
    /// Only failures and warnings.
    Findings,
    /// Every step.
    #[default]
    Normal,
    /// Also valid returns if there are many, the profile, and the reason behind each rule.
    Verbose,
}

impl ReportOptions {
    /// Sets the most columns of an excerpt of the source below a finding. Only sources [with
    /// bytes](crate::format::Source::with_bytes) have excerpts.
    #[must_use]
    pub fn excerpts(mut self, columns: impl Into<Option<usize>>) -> Self {
        self.excerpts = columns.into();
        self
    }

    /// Sets whether there are colours.
    #[must_use]
    pub fn colored(mut self, colored: bool) -> Self {
        self.colored = colored;
        self
    }

    /// Sets whether there are several returns.
    #[must_use]
    pub fn many(mut self, many: bool) -> Self {
        self.many = many;
        self
    }

    /// Sets how much is written.
    #[must_use]
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Sets the address of each rule's explanation, to which Markdown and SARIF link.
    #[must_use]
    pub fn rule_url(mut self, url: impl Into<Option<RuleUrl>>) -> Self {
        self.rule_url = url.into();
        self
    }

    /// Sets whether the text is for a terminal that shows hyperlinks.
    #[must_use]
    pub fn hyperlinks(mut self, hyperlinks: bool) -> Self {
        self.hyperlinks = hyperlinks;
        self
    }

    /// Sets the paths of the folder that GitLab's report is relative to.
    #[must_use]
    pub fn folders(mut self, names: impl IntoIterator<Item = PathBuf>) -> Self {
        self.folders = names.into_iter().collect();
        self
    }

    /// Returns the id of a rule, as a hyperlink if hyperlinks are on and there is an address.
    pub(in crate::format) fn rule_link(&self, rule: &'static str) -> Cow<'static, str> {
        match self.rule_url.as_ref().filter(|_| self.hyperlinks) {
            Some(url) => Cow::Owned(url.link(rule, rule)),
            None => Cow::Borrowed(rule),
        }
    }

    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.detail, Detail::Quiet | Detail::Findings)
    }

    pub(super) fn hides_clean(&self) -> bool {
        self.many && !self.is_verbose()
    }

    /// Whether anything is written about any of many returns.
    pub(super) fn shows_any(&self, totals: &Totals) -> bool {
        match self.detail {
            Detail::Quiet => totals.invalid > 0,
            Detail::Findings | Detail::Normal => {
                totals.invalid + totals.warnings + totals.unchecked > 0
            }
            Detail::Verbose => totals.returns > 0,
        }
    }

    pub(super) fn hides(&self, tag: Tag) -> bool {
        match self.detail {
            Detail::Quiet => !matches!(tag, Tag::Fail),
            Detail::Findings => !matches!(tag, Tag::Fail | Tag::Warn),
            Detail::Normal | Detail::Verbose => false,
        }
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.detail == Detail::Verbose
    }
}

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
    /// Returns the text of the tag, with the space after it, and its style.
    pub(super) fn look(self) -> (&'static str, Style) {
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
