//! Addresses of the pages that explain the rules.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

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
    pub(super) fn link(&self, rule: &str, text: &str) -> String {
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

impl fmt::Display for RuleUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
