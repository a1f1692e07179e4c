//! `junit`: XML that CI servers show as test reports. A suite with one case for each return.
//!
//! Texts are escaped, so they contain no character that XML 1.0 forbids.

use std::fmt::Write as _;
use std::io::Write as _;

use quick_xml::escape::escape;

use crate::check::explain::NotChecked;
use crate::check::report::Report;
use crate::check::rules::Level;
use crate::report::{Checked, ReportOptions, Source, omitted};
use crate::text::escape::{full, truncated};

pub(super) fn begin(out: &mut Vec<u8>) {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"retval\">\n";
    out.extend_from_slice(head.as_bytes());
}

pub(super) fn finish(out: &mut Vec<u8>) {
    out.extend_from_slice(b"</testsuites>\n");
}

/// A name that does not depend on how the path was typed: CI servers track a case by its name.
fn name(source: &Source<'_>) -> String {
    escape(full(&source.file()).to_string()).into_owned()
}

pub(super) fn report(source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
    let (class, content, [failures, errors, skipped]) = match checked {
        Checked::Report(report) => {
            let class = format!(".{}", escape(truncated(&report.profile).to_string()));
            let failures = usize::from(report.failures > 0);
            let skipped = usize::from(report.is_accepted());
            (class, outcome(source, report), [failures, 0, skipped])
        }
        Checked::Unreadable(why) => {
            let content = fault("error", NotChecked::ID, why, why);
            (String::new(), content, [0, 1, 0])
        }
    };
    let file = name(source);
    let name = source.at(&file);
    let _ = writeln!(
        out,
        "<testsuite name=\"{name}\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">"
    );
    let _ = write!(out, "<testcase classname=\"retval{class}\" name=\"{name}\"");
    if !source.is_stdin() {
        let _ = write!(out, " file=\"{file}\"");
    }
    let _ = if content.is_empty() {
        writeln!(out, "/>\n</testsuite>")
    } else {
        writeln!(out, ">{content}</testcase>\n</testsuite>")
    };
}

fn fault(element: &str, kind: &str, message: &str, text: &str) -> String {
    let (message, text) = (escape(message), escape(text));
    format!("<{element} message=\"{message}\" type=\"{kind}\">{text}</{element}>")
}

/// The first failure with the text of all, whether the baseline accepts the return, and the warnings.
fn outcome(source: &Source<'_>, report: &Report) -> String {
    let mut failures = findings(source, report, Level::Error, "[FAIL]");
    let mut warnings = findings(source, report, Level::Warning, "[WARN]");
    if let Some(omitted) = omitted(report) {
        let last = if report.failures == 0 { &mut warnings } else { &mut failures };
        *last += &(omitted + "\n");
    }
    let mut content = String::new();
    if report.is_accepted() {
        content += "<skipped message=\"Invalid, and accepted by the baseline\"/>";
    }
    let mut findings = report.failures_first();
    if let Some(first) = findings.next().filter(|_| report.failures > 0) {
        let mut message = first.message();
        if report.failures > 1 {
            let _ = write!(message, " (and {} more)", report.failures - 1);
        }
        content += &fault("failure", first.rule.id, &message, &failures);
    }
    if !warnings.is_empty() {
        let _ = write!(content, "<system-out>{}</system-out>", escape(&warnings));
    }
    content
}

/// Returns the findings of one level as the text format shows them.
fn findings(source: &Source<'_>, report: &Report, level: Level, tag: &str) -> String {
    let mut all = Vec::new();
    for finding in report.findings.iter().filter(|it| it.level == level) {
        let _ = writeln!(all, "{tag} {}", finding.head);
        ReportOptions::default().below(source, finding, &mut all);
    }
    String::from_utf8_lossy(&all).into_owned()
}
