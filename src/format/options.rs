//! The options of reports: what they show, how much, in which colours, and with which addresses.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};

use crate::check::rules::Level;
use crate::format::Totals;

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

/// Returns the style of each part of a text. All styles are empty if the text has no colours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    is_colored: bool,
}

impl Paint {
    pub(super) fn new(is_colored: bool) -> Self {
        Self { is_colored }
    }

    fn pick(self, style: Style) -> Style {
        if self.is_colored { style } else { Style::new() }
    }

    pub(super) fn strong(self) -> Style {
        self.pick(Style::new().bold())
    }

    pub(super) fn faint(self) -> Style {
        self.pick(Style::new().dimmed())
    }

    pub(super) fn gutter(self) -> Style {
        self.pick(AnsiColor::Blue.on_default().bold())
    }

    /// The style of a level and of what is marked with it.
    pub(super) fn mark(self, level: Level) -> Style {
        self.pick(match level {
            Level::Error => AnsiColor::Red.on_default().bold(),
            Level::Warning | Level::Off => AnsiColor::Yellow.on_default().bold(),
        })
    }

    /// Returns the lines under the head of a finding with styles for labels, places and rule ids.
    pub(super) fn below(self, lines: &str, indent: &str) -> String {
        if !self.is_colored {
            return lines.to_owned();
        }
        let (strong, faint) = (self.strong(), self.faint());
        let line = |line: &str| match line.strip_prefix(indent) {
            Some(rest) if rest.starts_with("at ") || rest.starts_with("rule: ") => {
                format!("{indent}{faint}{rest}{faint:#}\n")
            }
            Some(_) => format!("{line}\n"),
            None => match line.split_once(": ") {
                Some((label, rest)) => format!("{strong}{label}:{strong:#} {rest}\n"),
                None => format!("{line}\n"),
            },
        };
        lines.lines().map(line).collect()
    }
}

/// The placeholder for the id of a rule.
const PLACE: &str = "{rule}";

/// The schemes of pages that a person can open.
const SCHEMES: [&str; 3] = ["https://", "http://", "file://"];

/// The characters that an address may have besides letters and digits: those of RFC 3986, section 2,
/// without the brackets, which have a meaning in Markdown.
const OTHERS: &str = "-._~:/?#@!$&'*+,;=%";

/// The address of the page that explains a rule, with `{rule}` in place of its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleUrl(Arc<str>);

/// Why a text is not an address of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidRuleUrl {
    /// The text does not begin with a scheme that can be opened.
    #[error(
        "expected a URL that begins with https://, http:// or file:// and has {{rule}} in place of the rule's id, such as https://example.org/rules/{{rule}}"
    )]
    NoAddress,
    /// The text has a character that URLs do not have, which a terminal or Markdown could interpret.
    #[error("{0:?} must be percent-encoded in a URL")]
    Character(char),
    /// The placeholder for the rule's id is missing.
    #[error(
        "expected {{rule}} in place of the rule's id, such as https://example.org/rules/{{rule}}"
    )]
    NoRule,
}

impl RuleUrl {
    /// Returns the address of one rule's page.
    #[must_use]
    pub(crate) fn of(&self, rule: &str) -> String {
        self.0.replace(PLACE, rule)
    }

    /// Returns a regular expression for the text of an address.
    pub(crate) fn pattern() -> String {
        let any = format!("[A-Za-z0-9{}]*", OTHERS.replace('-', "\\-"));
        format!("^({})({any}\\{{rule\\}})+{any}$", SCHEMES.join("|"))
    }

    /// Returns `text` as a hyperlink to the page of the rule, for terminals (escape sequence OSC 8).
    fn link(&self, rule: &str, text: &str) -> String {
        format!("\x1b]8;;{}\x1b\\{text}\x1b]8;;\x1b\\", self.of(rule))
    }
}

impl FromStr for RuleUrl {
    type Err = InvalidRuleUrl;

    fn from_str(text: &str) -> Result<Self, InvalidRuleUrl> {
        if !SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
            return Err(InvalidRuleUrl::NoAddress);
        }
        let rest = text.replace(PLACE, "");
        let is_valid = |it: &char| it.is_ascii_alphanumeric() || OTHERS.contains(*it);
        if let Some(wrong) = rest.chars().find(|it| !is_valid(it)) {
            Err(InvalidRuleUrl::Character(wrong))
        } else if rest.len() == text.len() {
            Err(InvalidRuleUrl::NoRule)
        } else {
            Ok(Self(text.into()))
        }
    }
}

impl Display for RuleUrl {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
