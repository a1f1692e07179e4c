//! The report as one page for a browser: no script, no request, light and dark as the reader prefers.
//! Every text of a transcript is escaped twice: hidden characters by the escaper, then for HTML.

mod bars;
mod markup;

use std::fmt::Write as _;

use crate::audit::{AuditReport, GroupBy, Rate, RunOutcome};

use super::head::head;
use super::numbers::{interval, number, percent};
use super::section::ReportSection;
use super::table::sections;
use bars::{Bar, bars, legend, parts};
use markup::html;

const STYLE: &str = include_str!("page.css");

/// Nothing is loaded, and nothing runs.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// What the page cannot say.
const LIMITS: [&str; 5] = [
    "A run is counted once, however many files have it: by the client's id of the agent, else by the caller's call.",
    "No end recorded is not lost: the run may have returned, into a file that was not read.",
    "Tokens of messages and tokens in the context at the end are two figures, and are never added.",
    "Intervals are those of Wilson for 95 %. Groups of fewer than 20 runs are one row.",
    "Prose is not judged. Typed claims are compared with the record of the agent's calls, never with the files of today.",
];

pub(super) fn render(report: &AuditReport) -> String {
    let mut page = String::new();
    let lines = head(report);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"referrer\" content=\"no-referrer\"/>\n\
         <title>What the agents brought back</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         {}<main>\n<h1>What the agents brought back</h1>\n<p class=\"lead\">{}</p>\n",
        bars::PATTERNS,
        html(&lines[0])
    );
    list(&lines[1..], &mut page);
    if report.runs > 0 {
        cards(report, &mut page);
    }
    for section in sections(report) {
        part(report, &section, &mut page);
    }
    page.push_str("<h2>Method and limits</h2>\n");
    list(&LIMITS.map(str::to_owned), &mut page);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// The shares that a reader looks for first.
fn cards(report: &AuditReport, page: &mut String) {
    page.push_str("<dl class=\"cards\">\n");
    let mut card = |name: &str, rate: Rate| {
        let (count, of) = (number(rate.count), number(rate.of));
        let _ = writeln!(
            page,
            "<div><dt>{name}</dt><dd>{}<small>{count} of {of}</small><small>{}</small></dd></div>",
            percent(rate.share),
            interval(rate)
        );
    };
    card("returned", report.rate(RunOutcome::Returned));
    card("lost", report.lost);
    card("no end recorded", report.rate(RunOutcome::NoEnd));
    if report.invalid.of > 0 {
        card("invalid, where a profile says", report.invalid);
    }
    page.push_str("</dl>\n");
}

/// A section: its chart, if it has one, its table, and its notes.
fn part(report: &AuditReport, section: &ReportSection, page: &mut String) {
    let _ = writeln!(page, "<h2>{}</h2>", html(section.title));
    let groups = [&report.groups, &report.weeks];
    let group = groups.iter().find(|it| title(it.by) == section.title);
    if let Some(groups) = group {
        page.push_str(&legend());
        let rows = groups.rows.iter().zip(&section.rows);
        let folded = groups.folded.iter().zip(section.rows.last());
        let rows = rows.chain(folded).map(|(group, row)| Bar {
            name: row[0].clone(),
            parts: parts(group),
            says: format!("{} runs", number(group.runs)),
        });
        page.push_str(&bars(&rows.collect::<Vec<_>>()));
    } else if section.title == "Weight" {
        let most = report.weight.histogram.iter().map(|it| it.returns).max();
        let rows = report.weight.histogram.iter().map(|it| Bar {
            name: it.at_most.map_or_else(
                || "longer".to_owned(),
                |most| format!("to {} characters", number(most)),
            ),
            parts: vec![(
                "returned",
                Rate::new(it.returns, most.unwrap_or(1).max(1)).share,
            )],
            says: number(it.returns),
        });
        page.push_str(&bars(&rows.collect::<Vec<_>>()));
    } else if section.title == "Cost by outcome" {
        let all: u64 = report.outcomes.iter().map(|it| it.tokens).sum();
        let rows = report.outcomes.iter().filter(|it| it.tokens > 0).map(|it| {
            let share = Rate::new(it.tokens, all).share;
            Bar {
                name: it.outcome.label().to_owned(),
                parts: vec![(bars::class(it.outcome), share)],
                says: format!("{} of tokens", percent(share)),
            }
        });
        page.push_str(&bars(&rows.collect::<Vec<_>>()));
    }
    table(section, page);
    list(&section.notes, page);
}

fn title(by: GroupBy) -> &'static str {
    super::table::group_title(by)
}

fn table(section: &ReportSection, page: &mut String) {
    if section.rows.is_empty() {
        return;
    }
    page.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for column in &section.columns {
        let _ = write!(page, "<th scope=\"col\">{}</th>", html(column));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &section.rows {
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
