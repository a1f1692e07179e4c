//! Statistics as tables for people.

use std::fmt::Write as _;

use crate::format::Tables;
use crate::text::escape::truncated;

/// Returns the tables one after the other, with names escaped.
pub(super) fn text(tables: &Tables) -> String {
    let rules = tables.rules.iter().map(|row| {
        [
            row.rule.to_owned(),
            row.findings.to_string(),
            row.returns.to_string(),
        ]
    });
    let agents = tables.agents.iter().map(|row| {
        let commonest = row.commonest_failure.unwrap_or("-").to_owned();
        let share = share(row.valid, row.returns);
        [
            name(row.agent_type.as_deref()),
            row.returns.to_string(),
            share,
            commonest,
        ]
    });
    let statuses = tables
        .statuses
        .iter()
        .map(|row| [name(row.status.as_deref()), row.returns.to_string()]);
    let mut text = table(["rule", "findings", "returns"], rules);
    text += &table(["agent", "returns", "valid", "most common failure"], agents);
    text += &table(["status", "returns"], statuses);
    text
}

fn name(name: Option<&str>) -> String {
    name.map_or_else(|| "(none)".to_owned(), |name| truncated(name).to_string())
}

/// Returns rows under their titles, in columns. The text is empty if there are no rows.
fn table<const N: usize>(titles: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<_> = std::iter::once(titles.map(str::to_owned))
        .chain(rows)
        .collect();
    if rows.len() == 1 {
        return String::new();
    }
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let is_number = |column: usize| {
        let mut cells = rows[1..].iter().map(|row| &row[column]);
        cells.all(|cell| cell.starts_with(|first: char| first.is_ascii_digit()))
    };
    let mut text = "\n".to_owned();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Numbers stand below each other, by their last digits.
            let _ = if is_number(column) {
                write!(line, "{cell:>width$}  ")
            } else {
                write!(line, "{cell:<width$}  ")
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Returns a percentage, with one decimal if it is not a whole number.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts of returns are far below 2^52"
)]
fn share(part: usize, whole: usize) -> String {
    let share = part as f64 * 100.0 / whole.max(1) as f64;
    if share.fract() == 0.0 {
        format!("{share} %")
    } else {
        format!("{share:.1} %")
    }
}
