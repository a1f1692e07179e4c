//! Renders a page as plain text.

use std::fmt::Write as _;

use super::markdown::{MarkdownBlock, parse};
use super::table;
use super::wrap::{plain, wrap};

/// The layout of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// The width in columns. Only code may exceed it.
    pub(crate) width: usize,
    /// Whether headings are bold, with escape sequences.
    pub(crate) bold: bool,
}

/// The indentation of code.
const INDENT: &str = "    ";

impl Layout {
    /// Renders a page.
    pub(crate) fn page(self, markdown: &str) -> String {
        let mut text = String::new();
        let mut in_list = false;
        for block in parse(markdown) {
            let is_item = matches!(block, MarkdownBlock::Item(..));
            let is_next_item = is_item && in_list;
            if !text.is_empty() && !is_next_item {
                text.push('\n');
            }
            in_list = is_item;
            self.block(&block, &mut text);
        }
        text
    }

    fn block(self, block: &MarkdownBlock<'_>, text: &mut String) {
        match block {
            MarkdownBlock::Heading(level, inlines) => self.heading(*level, &plain(inlines), text),
            MarkdownBlock::Paragraph(inlines) => lines(wrap(&plain(inlines), self.width), text),
            MarkdownBlock::Code(code) => {
                let code = code.iter().map(|line| format!("{INDENT}{line}"));
                lines(code.map(|line| line.trim_end().to_owned()), text);
            }
            MarkdownBlock::Item(mark, inlines) => self.item(mark, &plain(inlines), text),
            MarkdownBlock::Table(rows) => lines(table::lines(rows, self.width), text),
        }
    }

    fn heading(self, level: usize, title: &str, text: &mut String) {
        let title = wrap(title, self.width).join("\n");
        if self.bold {
            let bold = anstyle::Style::new().bold();
            let _ = writeln!(text, "{bold}{title}{bold:#}");
            return;
        }
        let line = match level {
            1 => "=",
            2 => "-",
            _ => "",
        };
        let longest = title.lines().map(|line| line.chars().count()).max();
        let _ = writeln!(text, "{title}");
        if !line.is_empty() {
            let _ = writeln!(text, "{}", line.repeat(longest.unwrap_or_default()));
        }
    }

    /// An item: its marker, and its text next to the marker.
    fn item(self, mark: &str, item: &str, text: &mut String) {
        let indent = mark.len() + 1;
        let wrapped = wrap(item, self.width.saturating_sub(indent));
        for (number, line) in wrapped.iter().enumerate() {
            let mark = if number == 0 { mark } else { "" };
            let _ = writeln!(text, "{mark:indent$}{line}");
        }
    }
}

fn lines(lines: impl IntoIterator<Item = String>, text: &mut String) {
    for line in lines {
        let _ = writeln!(text, "{line}");
    }
}
