//! Every format reports the same facts, and its output is safe to print.

use crate::profile::{Action, RETURN};
use crate::report::{Checked, Detail, Format, Profiles, ReportOptions, RunSummary, Source, Totals};
use crate::text::is_blank;
use crate::{Checker, Report};

use super::demands::Demands;
use super::{clean, error_log, machine, root};

/// The most characters of feedback for a model.
const FEEDBACK_AT_MOST: usize = 4_000;

/// The whole output for one return. For SARIF, it is only the part after the long constant start.
pub(crate) fn whole(
    format: Format,
    look: &ReportOptions,
    demands: Demands,
    report: &Report,
) -> String {
    let (source, checked) = (demands.source(), Checked::Report(report));
    let reporter = format.reporter(look, &Profiles::default());
    let mut out = Vec::new();
    let mut totals = Totals::default();
    totals.add(checked);
    if format != Format::Sarif {
        reporter.begin(&mut out);
    }
    reporter.report(&source, checked, &mut out);
    let end = RunSummary { totals: &totals, exit_code: u8::from(!report.is_valid()) };
    reporter.finish(&end, &mut out);
    String::from_utf8(out).expect("UTF-8")
}

/// Checks the output of every format against the laws of that format.
pub(crate) fn hold(demands: Demands, report: &Report) {
    let look = ReportOptions::default();
    for format in Format::ALL {
        let out = whole(format, &look, demands, report);
        // It is the return as it was found.
        if format != Format::Return {
            clean::text(&out);
        }
        match format {
            Format::Text => text(&out, demands, report),
            Format::Concise => {
                clean::silent(&out);
                let omitted = usize::from(report.findings_omitted() > 0);
                assert_eq!(out.lines().count(), report.findings.len() + omitted, "{out}");
            }
            Format::Json => machine::json(&out, demands, report),
            Format::Jsonl => machine::record(&out, demands, report),
            Format::Github => machine::github(&out, demands, report),
            Format::Sarif => machine::sarif(&out, report),
            Format::Junit => machine::junit(&out, report),
            Format::Markdown => markdown(&out),
            Format::FailedReturn => verdict(&out, report),
            Format::Feedback => {
                clean::silent(&out);
                assert_eq!(out.is_empty(), report.is_valid());
                assert!(out.chars().count() <= FEEDBACK_AT_MOST, "{out}");
            }
            // A return that was checked as a whole is in the output as a whole, if it is valid.
            Format::Return => {
                clean::text(&out.replace(['\t', '\r'], " "));
                assert_eq!(out.is_empty(), !report.is_valid());
            }
            Format::Next => {
                let words = Action::ALL.map(|action| format!("{}\n", action.as_str()));
                assert!(words.contains(&out), "{out}");
                // After a failure of the client, its kind decides.
                let is_free = report.is_valid() || report.failure.is_some();
                assert!(is_free || out == "retry\n", "{out}");
            }
        }
    }
    error_log::record(demands, report);
}

/// Excerpts are safe to print, no wider than they may be, and only added to the text.
pub(crate) fn excerpts(bytes: &[u8], report: &Report) {
    const COLUMNS: usize = 60;
    let text = |excerpts: Option<usize>, colored: bool| {
        let look = ReportOptions { colored, excerpts, ..ReportOptions::default() };
        let mut out = Vec::new();
        let source = Source::new("a.json").with_bytes(bytes, 0);
        let reporter = Format::Text.reporter(&look, &Profiles::default());
        reporter.report(&source, Checked::Report(report), &mut out);
        String::from_utf8(out).expect("UTF-8")
    };
    let with = text(Some(COLUMNS), false);
    clean::silent(&with);
    // What stands before the bar: the number of the line, or blanks before a mark.
    let number = |line: &str| {
        let line = line.strip_prefix("       ")?;
        let (number, _) = line.split_once(" |")?;
        let is_number = number.bytes().all(|it| it.is_ascii_digit() || it == b' ');
        is_number.then(|| number.trim().to_owned())
    };
    let is_mark = |line: &&str| number(line).is_some_and(|number| number.is_empty());
    let is_excerpt = |line: &&str| number(line).is_some();
    let marks = with.lines().filter(is_mark).count();
    let excerpts = with.lines().filter(is_excerpt).count();
    assert_eq!(excerpts, 2 * marks, "{with}");
    // Of a blank line there is none.
    assert!(marks <= report.findings.len(), "{with}");
    let rest = with.lines().filter(|line| !is_excerpt(line));
    assert!(rest.eq(text(None, false).lines()), "{with}");
    let colored = text(Some(COLUMNS), true);
    assert_eq!(without_colors(&colored), with);
}

/// Outside of code spans there are only words of retval.
fn markdown(out: &str) {
    clean::silent(out);
    for line in out.lines() {
        let mut rest = line;
        while let Some(start) = rest.find('`') {
            let from = &rest[start..];
            let ticks = from.len() - from.trim_start_matches('`').len();
            let (mut at, mut end) = (ticks, None);
            while let Some(next) = from[at..].find('`') {
                let run = &from[at + next..];
                let length = run.len() - run.trim_start_matches('`').len();
                at += next + length;
                if length == ticks {
                    end = Some(at);
                    break;
                }
            }
            plain(&rest[..start], line);
            rest = &from[end.unwrap_or_else(|| panic!("no end: {line}"))..];
        }
        plain(rest, line);
    }
}

fn plain(text: &str, line: &str) {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " -*:,()".contains(it);
    assert!(text.chars().all(is_plain), "{line}");
}

/// The text is consistent at every level of detail, with and without colors.
fn text(normal: &str, demands: Demands, report: &Report) {
    let lines = || normal.lines();
    let says_valid = lines().any(|line| line == "[PASS] Return validation succeeded");
    let says_invalid = lines().any(|line| line == "Error: Subagent return validation failed");
    assert_eq!((says_valid, says_invalid), (report.is_valid(), !report.is_valid()), "{normal}");
    let failures = lines().filter(|line| line.starts_with("[FAIL]")).count();
    let warnings = lines().filter(|line| line.starts_with("[WARN]")).count();
    assert_eq!(failures + warnings, report.findings.len(), "{normal}");
    let many = demands.source().line.is_some();
    for detail in [Detail::Quiet, Detail::Findings, Detail::Normal, Detail::Verbose] {
        let [plain, colored] = [false, true].map(|colored| {
            let look = ReportOptions { colored, many, detail, ..ReportOptions::default() };
            whole(Format::Text, &look, demands, report)
        });
        clean::silent(&plain);
        assert_eq!(without_colors(&colored), plain);
    }
}

/// The text without the escape sequences for colors.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('m').expect("the end of a colour");
        assert!(code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'));
        plain += rest;
    }
    plain
}

/// The most characters of a name in a verdict. A longer one, if only the return has it, is truncated.
const NAME: usize = 4_096;

/// The verdict that replaces an invalid return is a valid return of the profile `return`.
fn verdict(out: &str, report: &Report) {
    assert_eq!(out.is_empty(), report.is_valid());
    if report.is_valid() {
        return;
    }
    assert_eq!(out.find('\n'), Some(out.len() - 1), "{out}");
    let is_whole = |name: &&str| name.chars().count() <= NAME && !is_blank(name);
    let session = report.session.as_deref().filter(is_whole);
    let agent = Some(report.subagent.as_ref()).filter(is_whole);
    let checker = Checker::new(&RETURN, root()).agent(agent).session(session);
    let report = checker.check(out);
    assert!(report.is_valid(), "{out} {:?}", report.findings);
}
