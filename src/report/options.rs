//! What a reporter is given: the options of the caller, and the source of each return.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};

use crate::check::finding::Finding;
use crate::check::rules::Level;
use crate::text::Position;
use crate::text::escape::full;

/// What the caller chooses. Most of it is for the text format.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReportOptions {
    /// Whether there are colours.
    pub colored: bool,
    /// The most columns of an excerpt of the source below a finding. None shows no excerpts.
    pub excerpts: Option<usize>,
    /// Whether there are several returns. Then each one gets a heading, valid ones are left out, a blank
    /// line separates them, and the totals are the last line.
    pub many: bool,
    /// How much is written.
    pub detail: Detail,
    /// The address of each rule's explanation, to which Markdown and SARIF link.
    pub rule_url: Option<RuleUrl>,
    /// Whether returns and their values are written as they are. Otherwise they are escaped for a terminal.
    pub raw: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Default)]
pub(crate) enum Detail {
    /// Only why another output has nothing of a return: its failures, also those that the baseline accepts.
    Reason,
    Quiet,
    Findings,
    #[default]
    Normal,
    /// Also valid returns if there are many, the profile, and the reason behind each rule.
    Verbose,
}

impl ReportOptions {
    pub(super) fn style(&self, style: Style) -> Style {
        if self.colored { style } else { Style::new() }
    }

    pub(super) fn style_of(&self, level: Level) -> Style {
        let color = match level {
            Level::Error => AnsiColor::Red,
            Level::Warning | Level::Off => AnsiColor::Yellow,
        };
        self.style(color.on_default().bold())
    }
}

/// Where a return came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Source<'s> {
    /// The file's path, or `-` for standard input without a name; as given, not safe to print.
    pub name: &'s str,
    /// The line number, from 1, if the source is a stream with one return on each line.
    pub line: Option<usize>,
    /// The caller's name for the return, if the stream gives it one: not safe to print.
    pub(crate) id: Option<&'s str>,
    /// Whether the line holds the return as a text, so that a place in the return is no place in the file.
    pub(super) holds_text: bool,
    /// The bytes that were checked, and the offset of the first one in the file.
    pub(super) bytes: Option<(&'s [u8], usize)>,
}

impl<'s> From<&'s str> for Source<'s> {
    fn from(name: &'s str) -> Self {
        Self::new(name)
    }
}

impl<'s> Source<'s> {
    /// Creates a source by its name: a file's path, or `-` for standard input.
    #[must_use]
    pub fn new(name: &'s str) -> Self {
        Self { name, ..Self::default() }
    }

    /// The bytes that were checked, for excerpts, and where in the file they begin.
    pub(crate) fn with_bytes(mut self, bytes: &'s [u8], offset: usize) -> Self {
        self.bytes = Some((bytes, offset));
        self
    }

    /// Returns the source at a line, from 1.
    #[must_use]
    pub fn at_line(mut self, line: impl Into<Option<usize>>) -> Self {
        self.line = line.into();
        self
    }

    /// Returns the source of a return that its line holds as a text, with the caller's name for it.
    pub(crate) fn with_text(mut self, id: Option<&'s str>) -> Self {
        self.id = id;
        self.holds_text = true;
        self
    }

    /// Where a finding starts and ends in the file: at the beginning of a line that holds the return as a text.
    pub(super) fn place(&self, finding: &Finding) -> [Position; 2] {
        let line = self.line.filter(|_| self.holds_text);
        let start = line.map(|line| Position { line, ..Position::START });
        start.map_or([finding.position, finding.end], |start| [start; 2])
    }

    /// Returns what `name` names, with the line in a stream.
    pub(super) fn at(&self, name: impl Display) -> String {
        match self.line {
            Some(line) => format!("{name}:{line}"),
            None => name.to_string(),
        }
    }

    /// Returns the name of the return: its source and, in a stream, its line. It is safe to print.
    pub(super) fn shown(&self) -> String {
        self.at(full(self.name))
    }

    pub(super) fn is_stdin(&self) -> bool {
        self.name == "-"
    }

    /// The path as in a repository: with `/`, without a leading `./`. Not safe to print.
    pub(super) fn file(&self) -> Cow<'s, str> {
        let mut path = self.name;
        while let Some(rest) = path.strip_prefix("./") {
            path = rest.trim_start_matches('/');
        }
        // Windows separates names with backslashes.
        if cfg!(windows) { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) }
    }
}

const PLACE: &str = "{rule}";
const SCHEMES: [&str; 3] = ["https://", "http://", "file://"];

/// What else an address may have: RFC 3986, section 2, without brackets, which mean something in Markdown.
const OTHERS: &str = "-._~:/?#@!$&'*+,;=%";

/// The address of the page that explains a rule, with `{rule}` in place of its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleUrl(Arc<str>);

impl RuleUrl {
    pub(crate) fn of(&self, rule: &str) -> String {
        self.0.replace(PLACE, rule)
    }
}

impl FromStr for RuleUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text.replace(PLACE, "");
        let is_valid = |it: &char| it.is_ascii_alphanumeric() || OTHERS.contains(*it);
        if !SCHEMES.iter().any(|it| text.starts_with(it)) || rest.len() == text.len() {
            return Err("expected a URL that begins with https://, http:// or file:// and has {rule} in place of the \
                        rule's id, such as https://example.org/rules/{rule}"
                .to_owned());
        }
        // A terminal or Markdown could interpret a character that URLs do not have.
        match rest.chars().find(|it| !is_valid(it)) {
            Some(wrong) => Err(format!("{wrong:?} must be percent-encoded in a URL")),
            None => Ok(Self(text.into())),
        }
    }
}

impl Display for RuleUrl {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_in_a_repository() {
        for (source, path) in [
            ("a/b.json", "a/b.json"),
            ("./a/b.json", "a/b.json"),
            (".//././a.json", "a.json"),
            ("../a.json", "../a.json"),
            ("/a/./b.json", "/a/./b.json"),
            (".a.json", ".a.json"),
        ] {
            assert_eq!(Source::new(source).file(), path, "{source}");
        }
    }
}
