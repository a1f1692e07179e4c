//! `concise`: one line for each finding, for people, for `grep` and for the problem matchers of editors.

use std::io::Write as _;

use crate::check::explain::NotChecked;
use crate::check::report::Report;
use crate::check::rules::Level;
use crate::format::options::Paint;
use crate::format::{Checked, ReportOptions, Reporter, RunSummary, Source, common};
use crate::text::escape::full;

/// `PATH:LINE:COLUMN: LEVEL[RULE] MESSAGE` for each finding, and the totals of many returns.
#[derive(Debug, Clone)]
pub(super) struct Concise(pub(super) ReportOptions);

impl Reporter for Concise {
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        match checked {
            Checked::Report(report) => self.findings(source, report, out),
            Checked::Unreadable(why) => {
                let at = (source.line.unwrap_or(1), 1);
                self.line(source, at, (Level::Error, NotChecked::ID), why, out);
            }
        }
    }

    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        common::finish(end, self.0.many, out);
    }
}

impl Concise {
    fn findings(&self, source: &Source<'_>, report: &Report<'_>, text: &mut Vec<u8>) {
        let (findings, omitted) = common::shown(report, self.0.detail);
        for finding in findings {
            let [at, _] = source.place(finding);
            let at = (at.line, at.column);
            let kind = (finding.level, finding.rule.id);
            self.line(source, at, kind, &finding.message(), text);
        }
        if let Some(omitted) = omitted {
            let _ = writeln!(text, "{}: {omitted}", common::name(source));
        }
    }

    fn line(
        &self,
        source: &Source<'_>,
        (line, column): (usize, usize),
        (level, rule): (Level, &'static str),
        message: &str,
        text: &mut Vec<u8>,
    ) {
        let (file, severity) = (full(source.name), level.as_str());
        let rule = self.0.rule_link(rule);
        let paint = Paint::new(self.0.colored);
        let (name, kind) = (paint.strong(), paint.mark(level));
        let _ = writeln!(
            text,
            "{name}{file}{name:#}:{line}:{column}: {kind}{severity}[{rule}]{kind:#} {message}"
        );
    }
}
