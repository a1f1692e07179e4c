//! `github`: workflow commands that annotate files in a GitHub workflow, one for each finding.
//!
//! Every line begins with a fixed text, so a return cannot start a command. Text of a return or a path
//! is escaped for terminals, and inside a command for workflow commands, too.

use std::fmt::Write as _;

use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::format::{Checked, Detail, Reporter, RunSummary, Source, common};
use crate::text::escape::full;

/// Annotations of a GitHub workflow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Github {
    /// Whether warnings and totals are written, too.
    pub(super) detail: Detail,
}

const ERROR: &str = "error";

impl Reporter for Github {
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        match checked {
            Checked::Report(report) => self.findings(source, report, out),
            Checked::Unreadable(why) => {
                let mut command = Command::new(ERROR, &format!("Not checked: {why}"));
                command.file(source);
                command.property("title", NotChecked::ID);
                command.write(out);
            }
        }
    }

    /// GitHub shows only the first annotations of a step, so the totals are a plain line.
    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        common::finish(end, self.detail != Detail::Quiet, out);
    }
}

impl Github {
    fn findings(self, source: &Source<'_>, report: &Report<'_>, out: &mut Vec<u8>) {
        let (findings, omitted) = common::shown(report, self.detail);
        for finding in findings {
            self.annotation(source, finding).write(out);
        }
        if let Some(omitted) = omitted {
            // The findings that are not shown may include a failure.
            let name = if report.is_valid() { "warning" } else { ERROR };
            let mut command = Command::new(name, &omitted);
            command.file(source);
            command.property("title", &common::name(source));
            command.write(out);
        }
    }

    fn annotation(self, source: &Source<'_>, finding: &Finding) -> Command {
        let [start, end] = source.place(finding);
        let mut message = format!("{}\nRecommendation: {}", finding.message(), finding.help());
        if self.detail == Detail::Verbose {
            let (why, source) = (finding.rule.explanation(), finding.rule.source);
            let _ = write!(message, "\nWhy: {why} ({source})");
        }
        if common::is_stdin(source.name) {
            let _ = write!(message, "\nat -:{}:{}", start.line, start.column);
        }
        let mut command = Command::new(finding.level.as_str(), &message);
        if command.file(source) {
            command.property("line", &start.line.to_string());
            command.property("col", &start.column.to_string());
            // The runner ignores columns of a range over several lines.
            if start.line == end.line {
                command.property("endColumn", &end.column.to_string());
            }
        }
        command.property("title", finding.rule.id);
        command
    }
}

/// `::name key=value,…::message`.
struct Command {
    name: &'static str,
    properties: String,
    message: String,
}

impl Command {
    fn new(name: &'static str, message: &str) -> Self {
        Self {
            name,
            properties: String::new(),
            message: data(message),
        }
    }

    fn property(&mut self, key: &str, value: &str) {
        let before = if self.properties.is_empty() { ' ' } else { ',' };
        let value = data(value).replace(':', "%3A").replace(',', "%2C");
        let _ = write!(self.properties, "{before}{key}={value}");
    }

    fn file(&mut self, source: &Source<'_>) -> bool {
        let is_file = !common::is_stdin(source.name);
        if is_file {
            self.property("file", &full(&common::file(source.name)).to_string());
        }
        is_file
    }

    fn write(self, out: &mut Vec<u8>) {
        let Self {
            name,
            properties,
            message,
        } = self;
        out.extend_from_slice(format!("::{name}{properties}::{message}\n").as_bytes());
    }
}

/// Escapes a text for a message. Properties need two more escapes.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_a_property_or_a_message() {
        let mut command = Command::new("error", "50 %\r\n::stop-commands::x");
        command.property("file", "a,line=1::b%.json");
        command.property("title", "x");
        let mut out = Vec::new();
        command.write(&mut out);
        assert_eq!(
            String::from_utf8_lossy(&out),
            "::error file=a%2Cline=1%3A%3Ab%25.json,title=x::50 %25%0D%0A::stop-commands::x\n"
        );
    }
}
