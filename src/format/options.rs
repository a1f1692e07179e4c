//! The options of reports: what they show, how much, and in which colours.

use std::borrow::Cow;

use crate::format::{RuleUrl, Totals};

/// What the caller chooses. Most of it is for the text format.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(crate) struct ReportOptions {
    /// Whether there are colours.
    pub colored: bool,
    /// The most columns of an excerpt of the source below a finding. None shows no excerpts, and so does
    /// a source without [bytes](crate::format::Source::with_bytes).
    pub excerpts: Option<usize>,
    /// Whether there are several returns. Then each one gets a heading, valid ones are left out, a blank
    /// line separates them, and the totals are the last line.
    pub many: bool,
    /// How much is written.
    pub detail: Detail,
    /// The address of each rule's explanation, to which Markdown and SARIF link.
    pub rule_url: Option<RuleUrl>,
    /// Whether rule ids are hyperlinks to their explanation, as some terminals show them.
    pub hyperlinks: bool,
    /// Whether returns and their values are written as they are. Otherwise they are escaped for a terminal.
    pub raw: bool,
}

/// How much a text report contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Detail {
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
    /// Returns the id of a rule, as a hyperlink if hyperlinks are on and there is an address.
    pub(super) fn rule_link(&self, rule: &'static str) -> Cow<'static, str> {
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

    pub(super) fn is_verbose(&self) -> bool {
        self.detail == Detail::Verbose
    }
}
