//! The report as one page for a browser: no script, no request, light and dark as the reader prefers.
//! Every text of a transcript is escaped twice: hidden characters by the escaper, then for HTML.

use std::fmt::Write as _;
use std::time::SystemTime;

use quick_xml::escape::escape as html;

use crate::audit::{AuditReport, AuditedRun};
use crate::cli::audit::report::{
    ReportSection, agents, cost, head, held, number, outcomes, recorded, share,
};
use crate::text::escape;

/// The most lost runs that stand open on the page.
const OPEN: usize = 20;

/// The page: what made it, the lost runs, the figures that a reader looks for first, and the others folded.
/// Nothing in it is loaded or runs.
pub(super) fn render(report: &AuditReport, runs: &[AuditedRun]) -> String {
    let lines = head(report);
    let mut parts = String::new();
    if report.runs > 0 {
        lost(report, runs, &mut parts);
        for section in [outcomes(report), agents(report), cost(report)] {
            let _ = writeln!(parts, "<h2>{}</h2>", html(section.title));
            body(&section, &mut parts);
        }
        let held = held(report);
        folded(held.title, &mut parts, |page| body(&held, page));
    }
    if lines.len() > 1 {
        let title = "What was read, and what is not counted";
        folded(title, &mut parts, |page| list(&lines[1..], page));
    }
    let words = std::env::args_os().skip(1);
    let command = command(words.map(|it| it.to_string_lossy().into_owned()));
    format!(
        include_str!("page.html"),
        style = include_str!("page.css"),
        version = env!("CARGO_PKG_VERSION"),
        made = minute(SystemTime::now()),
        command = html(&command),
        lead = html(&lines[0]),
        parts = parts,
    )
}

/// The runs whose caller got no answer, each with its place and the reason, the latest first.
fn lost(report: &AuditReport, runs: &[AuditedRun], page: &mut String) {
    let lost = runs.iter().rev().filter(|run| run.outcome.is_lost());
    let rows = lost.map(|run| {
        let when = recorded(run.began().map(minute).as_deref());
        let why = run.outcome.label().to_owned();
        vec![recorded(run.agent.as_deref()), recorded(run.session.as_deref()), when, why]
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    let earlier = rows.split_off(rows.len().min(OPEN));
    let columns = "agent|session|when|why";
    let _ = writeln!(
        page,
        "<h2>Lost</h2>\n<p>The caller got no answer: {}.</p>",
        html(share(report.lost))
    );
    table("words", columns, &rows, page);
    if !earlier.is_empty() {
        let more = format!("{} before these", number(earlier.len() as u64));
        folded(&more, page, |page| table("words", columns, &earlier, page));
    }
}

/// The command, with the last part of each path: the folders around it are nobody's business.
fn command(words: impl Iterator<Item = String>) -> String {
    let words = words.map(|word| {
        let word = match word.trim_end_matches(['/', '\\']).rsplit_once(['/', '\\']) {
            Some((_, last)) => format!("…/{last}"),
            None => word,
        };
        format!(" {}", escape::full(&word))
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
    table("numbers", section.columns, &section.rows, page);
    list(&section.notes, page);
}

fn table(class: &str, columns: &str, rows: &[Vec<String>], page: &mut String) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(page, "<div class=\"scroll\"><table class=\"{class}\">\n<thead><tr>");
    for column in columns.split('|') {
        let _ = write!(page, "<th scope=\"col\">{}</th>", html(column));
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

fn list(items: &[String], page: &mut String) {
    if items.is_empty() {
        return;
    }
    page.push_str("<ul>\n");
    for item in items {
        let _ = writeln!(page, "<li>{}</li>", html(item));
    }
    page.push_str("</ul>\n");
}
