//! `junit`: XML that CI servers show as test reports. A suite for each source, a case for each return.
//!
//! Texts are escaped, so they contain no character that XML 1.0 forbids.

use std::fmt::Write as _;
use std::io;

use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::writer::{ElementWriter, Writer};

use crate::check::explain::NotChecked;
use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::check::rules::{Level, Rule};
use crate::format::{Checked, Reporter, RunSummary, Source, Totals, common};
use crate::text::escape::{full, truncated};

/// `JUnit` XML, for the test reports of CI servers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Junit;

const SUITES: &str = "testsuites";
const SUITE: &str = "testsuite";

/// The first part of the class of every case, before the profile.
const CLASS: &str = "retval";

type Xml<'o> = Writer<&'o mut Vec<u8>>;

impl Reporter for Junit {
    fn begin(&self, out: &mut Vec<u8>) {
        write_line(out, |xml| {
            xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
            xml.get_mut().push(b'\n');
            let suites = BytesStart::new(SUITES).with_attributes([("name", CLASS)]);
            xml.write_event(Event::Start(suites))
        });
    }

    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        write_line(out, |xml| case(xml, source, checked));
    }

    fn finish(&self, _: &RunSummary<'_>, out: &mut Vec<u8>) {
        write_line(out, |xml| close(xml, SUITES));
    }

    fn is_grouped(&self) -> bool {
        true
    }

    fn open(&self, source: &str, totals: &Totals, out: &mut Vec<u8>) {
        let name = name(source);
        let [tests, failures, errors] =
            [totals.returns, totals.invalid, totals.unchecked].map(|count| count.to_string());
        let suite = BytesStart::new(SUITE).with_attributes([
            ("name", name.as_str()),
            ("tests", &tests),
            ("failures", &failures),
            ("errors", &errors),
            ("skipped", "0"),
        ]);
        write_line(out, |xml| xml.write_event(Event::Start(suite)));
    }

    fn close(&self, out: &mut Vec<u8>) {
        write_line(out, |xml| close(xml, SUITE));
    }
}

fn write_line(out: &mut Vec<u8>, make: impl FnOnce(&mut Xml<'_>) -> io::Result<()>) {
    // Writing to memory does not fail.
    let _ = make(&mut Writer::new(out));
    out.push(b'\n');
}

fn close(xml: &mut Xml<'_>, element: &str) -> io::Result<()> {
    xml.write_event(Event::End(BytesEnd::new(element)))
}

/// Returns a name that does not depend on how the path was typed, because CI servers track a test case
/// by its name.
fn name(source: &str) -> String {
    full(&common::file(source)).to_string()
}

fn case(xml: &mut Xml<'_>, source: &Source<'_>, checked: Checked<'_>) -> io::Result<()> {
    let (class, is_silent) = match checked {
        Checked::Report(report) => (
            format!("{CLASS}.{}", truncated(&report.profile)),
            report.findings.is_empty(),
        ),
        Checked::Unreadable(_) => (CLASS.to_owned(), false),
    };
    let file = name(source.name);
    let name = match source.line {
        Some(line) => format!("{file}:{line}"),
        None => file.clone(),
    };
    let mut case = xml
        .create_element("testcase")
        .with_attributes([("classname", class.as_str()), ("name", &name)]);
    if !common::is_stdin(source.name) {
        case = case.with_attribute(("file", file.as_str()));
    }
    if is_silent {
        case.write_empty()?;
        return Ok(());
    }
    case.write_inner_content(|xml| match checked {
        Checked::Report(report) => outcome(xml, source, report),
        Checked::Unreadable(why) => text(fault(xml, "error", NotChecked::ID, why), why),
    })?;
    Ok(())
}

fn outcome(xml: &mut Xml<'_>, source: &Source<'_>, report: &Report<'_>) -> io::Result<()> {
    let mut failures = findings(source, report, Level::Error);
    let mut warnings = findings(source, report, Level::Warning);
    if let Some(omitted) = common::omitted(report) {
        let last = if report.is_valid() {
            &mut warnings
        } else {
            &mut failures
        };
        let _ = writeln!(last, "{omitted}");
    }
    if let Some((rule, message)) = first_failure(report) {
        text(fault(xml, "failure", rule.id, &message), &failures)?;
    }
    if !warnings.is_empty() {
        text(xml.create_element("system-out"), &warnings)?;
    }
    Ok(())
}

/// Returns the first rule that fails the return, and a message. None if no rule does. The message is the
/// title of the rule if no failure was kept, which happens after many warnings.
fn first_failure(report: &Report<'_>) -> Option<(&'static Rule, String)> {
    let failing = |level| level == Level::Error;
    let rule = report.counts.iter().find(|it| failing(it.level))?.rule;
    let first = report.findings.iter().find(|it| failing(it.level));
    let message = first.map_or_else(|| rule.title(), Finding::message);
    let more = match report.failures {
        1 => String::new(),
        all => format!(" (and {} more)", all - 1),
    };
    Some((rule, message + &more))
}

/// Returns the findings of one level as the text format shows them.
fn findings(source: &Source<'_>, report: &Report<'_>, level: Level) -> String {
    let mut all = String::new();
    let name = full(source.name).shown();
    for finding in report.findings.iter().filter(|it| it.level == level) {
        let _ = writeln!(all, "{}{}", common::tag(level), finding.head());
        all += &common::below((&name, source), finding, false);
    }
    all
}

fn fault<'x, 'o>(
    xml: &'x mut Xml<'o>,
    element: &'x str,
    kind: &str,
    message: &str,
) -> ElementWriter<'x, &'o mut Vec<u8>> {
    xml.create_element(element)
        .with_attributes([("message", message), ("type", kind)])
}

fn text(element: ElementWriter<'_, &mut Vec<u8>>, text: &str) -> io::Result<()> {
    element.write_text_content(BytesText::new(text))?;
    Ok(())
}
