//! What more than one format shows: the source of a return, its names, and lines about the return.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};

use crate::check::finding::Finding;
use crate::check::report::{ArtifactState, Report};
use crate::check::rules::{Level, STATUS_UNKNOWN};
use crate::format::{Detail, RunSummary, Totals};
use crate::text::escape::{Untrusted, full, truncated};
use crate::text::{Position, count};

/// Where a return came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        Self {
            name,
            line: None,
            id: None,
            holds_text: false,
            bytes: None,
        }
    }

    /// Returns the source with the bytes that were checked. Excerpts are taken from them. `offset` is
    /// the position of the first of them in the file, in bytes.
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

    /// The place of a finding in the file, from its start to its end. It is the beginning of the line if
    /// the line holds the return as a text.
    pub(super) fn place(&self, finding: &Finding) -> [Position; 2] {
        match self.line.filter(|_| self.holds_text) {
            Some(line) => {
                [Position {
                    line,
                    ..Position::START
                }; 2]
            }
            None => [finding.position, finding.end],
        }
    }
}

/// Returns the name of a return: its source and, in a stream, its line. It is safe to print.
pub(super) fn name(source: &Source<'_>) -> String {
    match source.line {
        Some(line) => format!("{}:{line}", full(source.name)),
        None => full(source.name).to_string(),
    }
}

pub(super) fn is_stdin(source: &str) -> bool {
    source == "-"
}

/// Returns the path of a source as in a repository: with forward slashes and without a leading `./`. It
/// is not safe to print.
pub(super) fn file(source: &str) -> Cow<'_, str> {
    let mut path = source;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    // Windows separates names with backslashes.
    if cfg!(windows) {
        Cow::Owned(path.replace('\\', "/"))
    } else {
        Cow::Borrowed(path)
    }
}

/// The artifacts of a return whose status is not known that will be refused once it is, and why. Those that
/// a finding is about are left out.
pub(super) fn unusable<'r>(
    report: &'r Report<'_>,
) -> impl Iterator<Item = (Untrusted<'r>, &'static str)> {
    let is_unknown = report.found(STATUS_UNKNOWN.id) > 0;
    let is_reported = report.found("claimed-artifact-missing") > 0;
    let artifacts = report.artifacts.iter().filter(move |_| is_unknown);
    artifacts.filter_map(move |artifact| {
        let why = match artifact.state {
            ArtifactState::NotFound if !is_reported => "does not exist",
            ArtifactState::Empty => "is empty",
            ArtifactState::NotAFile => "is not a file",
            ArtifactState::OutsideRoot => "is outside the root",
            ArtifactState::InvalidPath => "has an invalid path",
            ArtifactState::Unreadable => "cannot be read",
            _ => return None,
        };
        Some((truncated(&artifact.path), why))
    })
}

/// The indentation of lines below a tagged line. It is as wide as a tag.
pub(super) const INDENT: &str = "       ";

/// The most recommendations of a return's errors that are shown. The JSON record has all of them.
const ERRORS_SHOWN: usize = 5;

pub(super) fn totals(totals: &Totals) -> String {
    let Totals {
        returns: _,
        valid,
        invalid,
        unchecked,
        warnings,
        accepted,
    } = totals;
    // It is unknown how many returns are in a source that could not be read.
    let unread = if *unchecked > 0 {
        format!("; {} not checked", count(*unchecked, "source"))
    } else {
        String::new()
    };
    let returns = count(valid + invalid, "return");
    let mut warnings = count(*warnings, "warning");
    if *accepted > 0 {
        let _ = write!(warnings, ", {accepted} accepted");
    }
    format!("{returns}: {valid} valid, {invalid} invalid ({warnings}){unread}\n")
}

/// Returns a line about the findings that are not shown, or None if all are shown.
pub(super) fn omitted(report: &Report<'_>) -> Option<String> {
    let omitted = report.findings_omitted();
    (omitted > 0).then(|| match omitted {
        1 => "1 more finding is not shown".to_owned(),
        _ => format!("{omitted} more findings are not shown"),
    })
}

/// The name of the agent. None if neither the caller nor the return names one.
pub(super) fn named_subagent<'r>(report: &'r Report<'_>) -> Option<&'r str> {
    Some(&*report.subagent).filter(|name| *name != "subagent")
}

/// Returns the findings that formats of one line each show, and the line about the others. Quiet formats
/// show only failures.
pub(super) fn shown<'r>(
    report: &'r Report<'_>,
    detail: Detail,
) -> (impl Iterator<Item = &'r Finding>, Option<String>) {
    let is_quiet = detail == Detail::Quiet;
    let is_shown = move |finding: &&Finding| finding.level == Level::Error || !is_quiet;
    let omitted = omitted(report).filter(|_| !(report.is_valid() && is_quiet));
    (report.findings.iter().filter(is_shown), omitted)
}

/// Appends the totals, if there is to be a line of them.
pub(super) fn finish(end: &RunSummary<'_>, has_totals: bool, out: &mut Vec<u8>) {
    if has_totals {
        out.extend_from_slice(totals(end.totals).as_bytes());
    }
}

/// Returns lines that say what the orchestrator should do, and what the return says about it: its
/// progress, its recommendations and its next steps.
pub(super) fn next(report: &Report<'_>) -> String {
    let next = report.next();
    let mut text = format!("Next: {}", next.action.as_str());
    if let Some(agent) = next.agent {
        let _ = write!(text, " ({})", truncated(agent));
    }
    text.push('\n');
    let follow_up = &report.follow_up;
    if let Some(progress) = &follow_up.partial_progress {
        let parts = [&progress.stage, &progress.details];
        for part in parts.into_iter().flatten() {
            let _ = writeln!(text, "{INDENT}progress: {}", truncated(part));
        }
    }
    for error in follow_up
        .errors
        .iter()
        .filter_map(|it| it.recommendation.as_deref())
        .take(ERRORS_SHOWN)
    {
        let _ = writeln!(text, "{INDENT}recommended: {}", truncated(error));
    }
    if let Some(steps) = &follow_up.next_steps {
        let _ = writeln!(text, "{INDENT}next steps: {}", truncated(steps));
    }
    text
}

/// The tag of a finding, with the space after it.
pub(super) fn tag(level: Level) -> &'static str {
    if level == Level::Error {
        "[FAIL] "
    } else {
        "[WARN] "
    }
}

/// Returns the lines under the head of a finding. Those that the document Subagent return validation
/// defines are not indented, those that retval adds are indented. `name` is the name of the source and
/// must be safe to print.
pub(super) fn below(
    (name, source): (&str, &Source<'_>),
    finding: &Finding,
    with_reason: bool,
) -> String {
    let mut text = String::new();
    for note in finding.notes() {
        let _ = writeln!(text, "{note}");
    }
    if let Some(error) = finding.error().filter(|_| finding.level == Level::Error) {
        let _ = writeln!(text, "Error: {error}");
    }
    if let Some(detail) = finding.detail() {
        let _ = writeln!(text, "{INDENT}{detail}");
    }
    let _ = writeln!(text, "Recommendation: {}", finding.recommendation());
    if let Some(suggestion) = finding.suggestion() {
        let _ = writeln!(text, "{INDENT}{suggestion}");
    }
    let [Position { line, column, .. }, _] = source.place(finding);
    let _ = write!(text, "{INDENT}at {name}:{line}:{column}");
    if let Some(pointer) = finding.pointer().filter(|it| !it.is_empty()) {
        let _ = write!(text, " ({})", truncated(pointer));
    }
    let rule = finding.rule;
    let _ = writeln!(text, "\n{INDENT}rule: {}", rule.id);
    if with_reason {
        let (why, source) = (rule.explanation(), rule.source);
        let _ = writeln!(text, "{INDENT}why: {why} ({source})");
    }
    text
}

/// One line, safe to print: `LINE:COLUMN: LEVEL[RULE] MESSAGE`.
impl Display for Finding {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.position.line, self.position.column);
        let (level, message, rule) = (self.level.as_str(), self.message(), self.rule.id);
        write!(out, "{line}:{column}: {level}[{rule}] {message}")
    }
}

/// A line for each finding and one for the result, safe to print, without a final line feed.
impl Display for Report<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(out, "{finding}")?;
        }
        if let Some(omitted) = omitted(self) {
            writeln!(out, "{omitted}")?;
        }
        let valid = if self.is_valid() { "valid" } else { "invalid" };
        let failures = count(self.failures, "failure");
        let warnings = count(self.warnings, "warning");
        write!(out, "Return is {valid}: {failures}, {warnings}")
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
            assert_eq!(file(source), path, "{source}");
        }
    }
}
