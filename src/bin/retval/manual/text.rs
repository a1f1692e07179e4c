//! A page as plain text.

use std::fmt::Write as _;

use super::markdown::{Block, Inline, Target, parse};
use super::table;

/// How a page is laid out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Columns. Only code goes beyond.
    pub(crate) width: usize,
    /// Whether headings are bold, with escape sequences.
    pub(crate) bold: bool,
}

/// Before a line of code.
const INDENT: &str = "    ";

impl Layout {
    /// Renders a page.
    pub(crate) fn page(self, markdown: &str) -> String {
        let mut text = String::new();
        let mut in_list = false;
        for block in parse(markdown) {
            let is_item = matches!(block, Block::Item(..));
            let is_next_item = is_item && in_list;
            if !text.is_empty() && !is_next_item {
                text.push('\n');
            }
            in_list = is_item;
            self.block(&block, &mut text);
        }
        text
    }

    fn block(self, block: &Block<'_>, text: &mut String) {
        match block {
            Block::Heading(level, inlines) => self.heading(*level, &plain(inlines), text),
            Block::Paragraph(inlines) => lines(wrap(&plain(inlines), self.width), text),
            Block::Code(code) => {
                let code = code.iter().map(|line| format!("{INDENT}{line}"));
                lines(code.map(|line| line.trim_end().to_owned()), text);
            }
            Block::Item(mark, inlines) => self.item(mark, &plain(inlines), text),
            Block::Table(rows) => lines(table::lines(rows, self.width), text),
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

    /// An item: its mark, and its text beside the mark.
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

/// Running text with the signs that show what is code.
pub(super) fn plain(inlines: &[Inline<'_>]) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(part) | Inline::Emphasis(part) => text.push_str(part),
            Inline::Strong(part) => {
                let _ = write!(text, "*{part}*");
            }
            Inline::Code(part) => code(part, &mut text),
            Inline::Link { text: part, target } => {
                text.push_str(part);
                match target {
                    Target::Page(page) => {
                        text.push_str(" (");
                        code(&format!("retval help {}", page.name), &mut text);
                        text.push(')');
                    }
                    Target::Web(url) if url != part => {
                        let _ = write!(text, " <{url}>");
                    }
                    Target::Web(_) | Target::Local => {}
                }
            }
        }
    }
    text
}

/// Stands for a space at which no line is broken.
const HARD_SPACE: &str = "\u{a0}";

/// Code that is longer than this may be broken at its spaces.
const UNBROKEN: usize = 40;

fn code(part: &str, text: &mut String) {
    let _ = match part.len() {
        ..=UNBROKEN => write!(text, "`{}`", part.replace(' ', HARD_SPACE)),
        _ => write!(text, "`{part}`"),
    };
}

/// The words of a text that a line may be broken between.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Lines of at most `width` characters, or of one word that is longer.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for word in words(text) {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&word.replace(HARD_SPACE, " "));
        used += length;
    }
    lines.push(line);
    lines
}
