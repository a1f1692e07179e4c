//! The formats with an item for each finding and none for what passes: `concise`, `github` and `markdown`.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::Style;

use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::check::rules::Level;
use crate::report::{Checked, Detail, ReportOptions, Source, omitted};
use crate::text::backticks;
use crate::text::escape::full;

/// Returns the findings that are shown, and the line about the others. Quiet formats show only failures.
fn shown(report: &Report, detail: Detail) -> (impl Iterator<Item = &Finding>, Option<String>) {
    let is_quiet = detail <= Detail::Quiet;
    let is_shown = move |finding: &&Finding| finding.level == Level::Error || !is_quiet;
    let omitted = omitted(report).filter(|_| report.failures > 0 || !is_quiet);
    (report.findings.iter().filter(is_shown), omitted)
}

impl ReportOptions {
    /// `concise`: `PATH:LINE:COLUMN: LEVEL[RULE] MESSAGE` for each finding.
    pub(super) fn concise(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let (file, bold) = (full(source.name), self.style(Style::new().bold()));
        let mut line = |line: usize, column: usize, level: Level, rule: &str, message: &str| {
            let mark = self.style_of(level);
            let _ = writeln!(
                out,
                "{bold}{file}{bold:#}:{line}:{column}: {mark}{}[{rule}]{mark:#} {message}",
                level.as_str()
            );
        };
        match checked {
            Checked::Report(report) => {
                let (findings, omitted) = shown(report, self.detail);
                let has_value = self.detail > Detail::Reason || !report.is_accepted();
                let accepted = report.accepted.iter().filter(|_| !has_value);
                for finding in findings.chain(accepted.filter(|it| it.level == Level::Error)) {
                    let ([at, _], mut message) = (source.place(finding), finding.message());
                    if let Some(hint) = &finding.hint {
                        let _ = write!(message, "; {hint}");
                    }
                    line(at.line, at.column, finding.level, finding.rule.id, &message);
                }
                let accepted =
                    || "invalid, and accepted by the baseline: it has no value".to_owned();
                for note in omitted.into_iter().chain((!has_value).then(accepted)) {
                    let _ = writeln!(out, "{}: {note}", source.shown());
                }
            }
            Checked::Unreadable(why) => {
                let at = source.line.unwrap_or(1);
                line(at, 1, Level::Error, NotChecked::ID, why);
            }
        }
    }

    /// `github`: workflow commands that annotate files in a GitHub workflow, one for each finding.
    ///
    /// Every line begins with a fixed text, so a return cannot start a command. Text of a return or a path
    /// is escaped for terminals, and inside a command for workflow commands, too.
    pub(super) fn github(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let file = || format!("file={},", property(&full(&source.file()).to_string()));
        let file = (!source.is_stdin()).then(file).unwrap_or_default();
        let mut annotate = |level: Level, place: &str, title: &str, message: &str| {
            let (level, title, message) = (level.as_str(), property(title), data(message));
            let _ = writeln!(out, "::{level} {file}{place}title={title}::{message}");
        };
        let report = match checked {
            Checked::Report(report) => report,
            Checked::Unreadable(why) => {
                let message = format!("Not checked: {why}");
                return annotate(Level::Error, "", NotChecked::ID, &message);
            }
        };
        let (findings, omitted) = shown(report, self.detail);
        for finding in findings {
            let ([start, end], mut place) = (source.place(finding), String::new());
            let mut message = format!("{}\nRecommendation: {}", finding.message(), finding.help);
            if source.is_stdin() {
                let _ = write!(message, "\nat -:{}:{}", start.line, start.column);
            } else {
                place = format!("line={},col={},", start.line, start.column);
                // The runner ignores columns of a range over several lines.
                if start.line == end.line {
                    let _ = write!(place, "endColumn={},", end.column);
                }
            }
            annotate(finding.level, &place, finding.rule.id, &message);
        }
        if let Some(omitted) = omitted {
            // The findings that are not shown may include a failure.
            let level = if report.failures == 0 { Level::Warning } else { Level::Error };
            annotate(level, "", &source.shown(), &omitted);
        }
    }

    /// `markdown`: findings under the names of their returns, for the summary of a CI job or a comment, as GitHub
    /// and GitLab read it.
    ///
    /// All text that a return can influence is inside a code span. There, nothing is a link, a mention, an
    /// image or HTML.
    pub(super) fn markdown(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let mut list = String::new();
        match checked {
            Checked::Report(report) => {
                let (findings, omitted) = shown(report, self.detail);
                for finding in findings {
                    let (level, id) = (finding.level.as_str(), finding.rule.id);
                    let rule = match &self.rule_url {
                        // An address contains no brackets, so it cannot end the link early.
                        Some(url) => format!("[`{id}`](<{}>)", url.of(id)),
                        None => format!("`{id}`"),
                    };
                    let (at, message) = (finding.position, code(&finding.message()));
                    let place = format!("{}:{}", at.line, at.column);
                    let _ = writeln!(list, "- **{level}** {rule} at {place}: {message}");
                    let _ = writeln!(list, "  - {}", code(&finding.help));
                }
                if let Some(omitted) = omitted {
                    let _ = writeln!(list, "- {omitted}");
                }
            }
            Checked::Unreadable(why) => {
                let _ = writeln!(list, "- **error** `{}`: {}", NotChecked::ID, code(why));
            }
        }
        if !list.is_empty() {
            let _ = writeln!(out, "**{}**\n\n{list}", code(&source.shown()));
        }
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A text of one line as a code span, in more backticks than it has in a row.
fn code(text: &str) -> String {
    let ticks = backticks(text, 1);
    // Markdown drops one space at each end if both ends have one.
    let space = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_property_or_a_message() {
        let message = data("50 %\r\n::stop-commands::x");
        assert_eq!(message, "50 %25%0D%0A::stop-commands::x");
        let property = property("a,line=1::b%.json");
        assert_eq!(property, "a%2Cline=1%3A%3Ab%25.json");
    }

    #[test]
    fn no_text_ends_its_code_span() {
        for (text, span) in
            [("a", "`a`"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```"), ("", "`  `")]
        {
            assert_eq!(code(text), span);
        }
    }
}
