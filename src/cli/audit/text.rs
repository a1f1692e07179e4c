//! The report as text for a terminal of 80 columns.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::audit::AuditReport;
use crate::cli::audit::table::{ReportSection, head, sections};

const WIDTH: usize = 80;
/// The space between columns.
const GAP: usize = 2;

pub(super) fn render(report: &AuditReport, is_colored: bool) -> String {
    let pick = |style: Style| if is_colored { style } else { Style::new() };
    let (strong, faint) = (pick(Style::new().bold()), pick(Style::new().dimmed()));
    let mut text = String::new();
    let lines = head(report);
    for (at, line) in lines.iter().enumerate() {
        let style = if at == 0 { strong } else { Style::new() };
        for line in wrapped(line, WIDTH) {
            let _ = writeln!(text, "{style}{line}{style:#}");
        }
    }
    for section in sections(report) {
        let _ = writeln!(text, "\n{strong}{}{strong:#}", section.title);
        if !section.rows.is_empty() {
            table(&section, faint, &mut text);
        }
        for note in &section.notes {
            for (at, line) in wrapped(note, WIDTH - 4).iter().enumerate() {
                let indent = if at == 0 { "  " } else { "    " };
                let _ = writeln!(text, "{indent}{line}");
            }
        }
    }
    text
}

/// Writes the rows of a table: the first column to the left, the others to the right.
fn table(section: &ReportSection, faint: Style, text: &mut String) {
    let heads: Vec<String> = section.columns.iter().map(|it| (*it).to_owned()).collect();
    let rows = || std::iter::once(&heads).chain(&section.rows);
    let width = |at: usize| rows().map(|row| row[at].width()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let others: usize = widths[1..].iter().map(|width| width + GAP).sum();
    let names = widths[0].min((WIDTH - 2).saturating_sub(others));
    for (at, row) in rows().enumerate() {
        let name = clipped(&row[0], names);
        let mut line = format!("  {name}{}", " ".repeat(names - name.width()));
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            line.push_str(&" ".repeat(GAP + width - cell.width()));
            line.push_str(cell);
        }
        let line = line.trim_end();
        let style = if at == 0 { faint } else { Style::new() };
        let _ = writeln!(text, "{style}{line}{style:#}");
    }
}

/// A text that is at most as wide.
fn clipped(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut width = 1;
    for character in text.chars() {
        width += character.width().unwrap_or_default();
        if width > most {
            break;
        }
        clipped.push(character);
    }
    clipped + "…"
}

/// The lines of a text that is wrapped at spaces.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if !line.is_empty() && line.width() + 1 + word.width() > most {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
