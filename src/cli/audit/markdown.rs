//! The report as Markdown, for the summary of a CI job or a comment.

use std::fmt::Write as _;

use crate::audit::AuditReport;

use super::head::head;
use super::section::ReportSection;
use super::table::sections;

pub(super) fn render(report: &AuditReport) -> String {
    let mut text = String::new();
    for (at, line) in head(report).iter().enumerate() {
        let (mark, end) = if at == 0 { ("##", "\n") } else { ("-", "") };
        let _ = writeln!(text, "{mark} {}{end}", plain(line));
    }
    for section in sections(report) {
        let _ = writeln!(text, "\n### {}\n", section.title);
        if !section.rows.is_empty() {
            table(&section, &mut text);
        }
        for note in &section.notes {
            let _ = writeln!(text, "- {}", plain(note));
        }
    }
    text
}

fn table(section: &ReportSection, text: &mut String) {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text.push_str(&line(
        section.columns.iter().map(|it| (*it).to_owned()).collect(),
    ));
    let rules = (0..section.columns.len()).map(|at| if at == 0 { "---" } else { "---:" });
    text.push_str(&line(rules.map(str::to_owned).collect()));
    for row in &section.rows {
        text.push_str(&line(row.iter().map(|cell| plain(cell)).collect()));
    }
    text.push('\n');
}

/// A text in which nothing is Markdown or HTML: every sign that could be is escaped.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '<'
                | '>'
                | '|'
                | '#'
                | '~'
                | '!'
                | '&'
                | '@'
                | '$'
        ) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}
