//! The report as one page for a browser: no script, no request, light and dark as the reader prefers.
//! Every text of a transcript is escaped twice: hidden characters by the escaper, then for HTML.

use std::fmt::Write as _;
use std::time::SystemTime;

use quick_xml::escape::escape as html;

use super::table::{ReportSection, cost, coverage, groups, head, held, number, outcomes, share};
use crate::audit::{AuditReport, AuditedRun};
use crate::text::escape;

/// Nothing is loaded, and nothing runs.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The most lost runs that stand open on the page.
const OPEN: usize = 20;

/// What the page cannot say.
const LIMITS: [&str; 5] = [
    "A run is counted once, however many files have it: by the client's id of the agent, else by the caller's call.",
    "No end recorded is not lost: the run may have returned, into a file that was not read.",
    "Tokens of messages and tokens in the context at the end are two figures, and are never added.",
    "Intervals are those of Wilson for 95 %: a share of few runs says little.",
    "Prose is not judged. Typed claims are compared with the record of the agent's calls, never with the files of today.",
];

/// The page: what made it, the lost runs, the figures that a reader looks for first, and the others folded.
pub(super) fn render(report: &AuditReport, runs: &[AuditedRun]) -> String {
    let style = include_str!("page.css");
    let (version, made) = (env!("CARGO_PKG_VERSION"), minute(SystemTime::now()));
    let command = command(
        std::env::args_os()
            .skip(1)
            .map(|it| it.to_string_lossy().into_owned()),
    );
    let lines = head(report);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"referrer\" content=\"no-referrer\"/>\n\
         <title>retval audit, {made}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
         <h1>retval audit</h1>\n\
         <p>Made by retval {version} on {made}: <code>{}</code></p>\n<p class=\"lead\">{}</p>\n",
        html(&command),
        html(&lines[0])
    );
    if report.runs > 0 {
        lost(report, runs, &mut page);
        for section in [outcomes(report), groups(&report.groups), cost(report)] {
            let _ = writeln!(page, "<h2>{}</h2>", html(section.title));
            body(&section, &mut page);
        }
        for section in [coverage(report)].into_iter().chain(held(report)) {
            folded(section.title, &mut page, |page| body(&section, page));
        }
    }
    if lines.len() > 1 {
        folded(
            "What was read, and what is not counted",
            &mut page,
            |page| list(&lines[1..], page),
        );
    }
    folded("Method and limits", &mut page, |page| list(&LIMITS, page));
    page + "</main>\n</body>\n</html>\n"
}

/// The runs whose caller got no answer, each with its place and the reason, the latest first.
fn lost(report: &AuditReport, runs: &[AuditedRun], page: &mut String) {
    let lost = runs.iter().rev().filter(|run| run.outcome.is_lost());
    let text = |text: &Option<String>| match text {
        Some(text) => escape::truncated(text).to_string(),
        None => "(not recorded)".to_owned(),
    };
    let rows = lost.map(|run| {
        let when = run
            .began()
            .map_or_else(|| "(not recorded)".to_owned(), minute);
        let why = run.outcome.label().to_owned();
        vec![text(&run.agent), text(&run.session), when, why]
    });
    let mut rows: Vec<_> = rows.collect();
    let earlier = rows.split_off(rows.len().min(OPEN));
    let columns = || vec!["agent", "session", "when", "why"];
    let _ = writeln!(
        page,
        "<h2>Lost</h2>\n<p>Delegations whose caller certainly got no answer: {}.</p>",
        html(share(report.lost))
    );
    table("words", &columns(), &rows, page);
    if !earlier.is_empty() {
        let more = format!("{} before these", number(earlier.len() as u64));
        folded(&more, page, |page| {
            table("words", &columns(), &earlier, page);
        });
    }
}

/// The command, with the last part of each path: the folders around it are nobody's business.
fn command(words: impl Iterator<Item = String>) -> String {
    let words = words.map(|word| {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if option.starts_with('-') => (format!("{option}="), value),
            _ => (String::new(), &*word),
        };
        let value = match value.trim_end_matches(['/', '\\']).rsplit_once(['/', '\\']) {
            Some((_, last)) => format!("…/{last}"),
            None => value.to_owned(),
        };
        let quote = if value.contains(char::is_whitespace) {
            "'"
        } else {
            ""
        };
        format!(" {option}{quote}{}{quote}", escape::full(&value))
    });
    format!("retval{}", words.collect::<String>())
}

/// A time as a person reads it, to the minute.
fn minute(time: SystemTime) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

fn folded(title: &str, page: &mut String, content: impl FnOnce(&mut String)) {
    let _ = writeln!(page, "<details>\n<summary>{}</summary>", html(title));
    content(page);
    page.push_str("</details>\n");
}

fn body(section: &ReportSection, page: &mut String) {
    table("numbers", &section.columns, &section.rows, page);
    list(&section.notes, page);
}

fn table(class: &str, columns: &[&str], rows: &[Vec<String>], page: &mut String) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(
        page,
        "<div class=\"scroll\"><table class=\"{class}\">\n<thead><tr>"
    );
    for column in columns {
        let _ = write!(page, "<th scope=\"col\">{}</th>", html(*column));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", html(&row[0]));
        for cell in &row[1..] {
            let _ = write!(page, "<td>{}</td>", html(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
}

fn list(items: &[impl AsRef<str>], page: &mut String) {
    if items.is_empty() {
        return;
    }
    page.push_str("<ul>\n");
    for item in items {
        let _ = writeln!(page, "<li>{}</li>", html(item.as_ref()));
    }
    page.push_str("</ul>\n");
}
