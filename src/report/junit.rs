//! `junit`: XML that CI servers show as test reports. A suite with one case for each return.
//!
//! Texts are escaped, so they contain no character that XML 1.0 forbids.

use std::fmt::Write as _;
use std::io::Write as _;

use quick_xml::escape::escape;

use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
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

/// Returns a name that does not depend on how the path was typed, because CI servers track a test case
/// by its name.
fn name(source: &Source<'_>) -> String {
    escape(full(&source.file()).to_string()).into_owned()
}

/// Writes a suite with the case of a return.
pub(super) fn report(source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
    let (class, content, [failures, errors]) = match checked {
        Checked::Report(report) => {
            let class = format!(".{}", escape(truncated(&report.profile).to_string()));
            let failures = usize::from(!report.is_valid());
            (class, outcome(source, report), [failures, 0])
        }
        Checked::Unreadable(why) => {
            let content = fault("error", NotChecked::ID, why, why);
            (String::new(), content, [0, 1])
        }
    };
    let file = name(source);
    let name = source.at(&file);
    let _ = writeln!(
        out,
        "<testsuite name=\"{name}\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\">"
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

/// An element with a message, a type and a text.
fn fault(element: &str, kind: &str, message: &str, text: &str) -> String {
    let (message, text) = (escape(message), escape(text));
    format!("<{element} message=\"{message}\" type=\"{kind}\">{text}</{element}>")
}

/// The first failure with the text of all, and the warnings. Empty if there are none.
fn outcome(source: &Source<'_>, report: &Report) -> String {
    let mut failures = findings(source, report, Level::Error, "[FAIL]");
    let mut warnings = findings(source, report, Level::Warning, "[WARN]");
    if let Some(omitted) = omitted(report) {
        let last = if report.is_valid() {
            &mut warnings
        } else {
            &mut failures
        };
        *last += &(omitted + "\n");
    }
    let mut content = String::new();
    let mut broken = report.counts.iter();
    if let Some(failing) = broken.find(|it| it.level == Level::Error) {
        let first = report.findings.iter().find(|it| it.level == Level::Error);
        // No failure was kept if there were many warnings before it.
        let mut message = first.map_or_else(|| failing.rule.title(), Finding::message);
        if report.failures > 1 {
            let _ = write!(message, " (and {} more)", report.failures - 1);
        }
        content += &fault("failure", failing.rule.id, &message, &failures);
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
