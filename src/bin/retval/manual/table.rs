//! Renders a table as text in columns.

use super::markdown::Inline;
use super::wrap::{plain, words, wrap};

/// The number of spaces between two columns.
const GAP: usize = 2;

/// The lines of a table, with a line below the header.
pub(super) fn lines(rows: &[Vec<Vec<Inline<'_>>>], width: usize) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| cell_text(cell)).collect())
        .collect();
    let widths = widths(&rows, width);
    let mut lines = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        lines.extend(row_lines(row, &widths));
        if number == 0 {
            let rules: Vec<_> = widths.iter().map(|width| "-".repeat(*width)).collect();
            lines.push(rules.join(&" ".repeat(GAP)));
        }
    }
    lines
}

/// The text of a cell. Code is shown without backticks if it is the whole cell, or if only a remark in
/// parentheses follows.
fn cell_text(cell: &[Inline<'_>]) -> String {
    match cell {
        [Inline::Code(text)] => (*text).to_owned(),
        [Inline::Code(text), Inline::Text(remark)] if remark.starts_with(" (") => {
            format!("{text}{remark}")
        }
        _ => plain(cell),
    }
}

fn row_lines(row: &[String], widths: &[usize]) -> Vec<String> {
    let cells: Vec<_> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| wrap(cell, *width))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    let line = |number: usize| {
        let parts = cells.iter().zip(widths).map(|(cell, width)| {
            let part = cell.get(number).map_or("", String::as_str);
            format!("{part:width$}")
        });
        let line = parts.collect::<Vec<_>>().join(&" ".repeat(GAP));
        line.trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

/// The width of each column, which is that of its widest cell. If the table is too wide, the wide
/// columns share equally what the narrow ones leave. No column is narrower than its longest word.
fn widths(rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let count = rows.first().map_or(0, Vec::len);
    let most = |measure: fn(&str) -> usize| -> Vec<usize> {
        let column = |number| {
            let cells = rows.iter().filter_map(|row: &Vec<String>| row.get(number));
            cells.map(|cell: &String| measure(cell)).max().unwrap_or(0)
        };
        (0..count).map(column).collect()
    };
    let (wanted, least) = (most(|cell| cell.chars().count()), most(longest_word));
    let mut left = width.saturating_sub(GAP * count.saturating_sub(1));
    let mut widths = vec![0; count];
    let mut order: Vec<_> = (0..count).collect();
    order.sort_by_key(|column| wanted[*column]);
    for (done, column) in order.into_iter().enumerate() {
        let share = left / (count - done);
        widths[column] = wanted[column].min(share).max(least[column]);
        left = left.saturating_sub(widths[column]);
    }
    widths
}

fn longest_word(cell: &str) -> usize {
    let lengths = words(cell).map(|word| word.chars().count());
    lengths.max().unwrap_or(0)
}
