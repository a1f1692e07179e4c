//! A page as plain text.

use std::fmt::Write as _;

use super::markdown::{Block, Inline, Item, Target, parse};
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
        self.blocks(&parse(markdown), "", &mut text);
        text
    }

    fn blocks(self, blocks: &[Block], indent: &str, text: &mut String) {
        for (number, block) in blocks.iter().enumerate() {
            let follows = number > 0;
            if follows {
                text.push('\n');
            }
            match block {
                Block::Heading(level, inlines) => self.heading(*level, &plain(inlines), text),
                Block::Paragraph(inlines) => {
                    let width = self.width.saturating_sub(indent.len());
                    for line in wrap(&plain(inlines), width) {
                        let _ = writeln!(text, "{indent}{line}");
                    }
                }
                Block::Code(code) => {
                    for line in code.lines() {
                        let line = format!("{indent}{INDENT}{line}");
                        let _ = writeln!(text, "{}", line.trim_end());
                    }
                }
                Block::List(items) => self.list(items, indent, text),
                Block::Table(rows) => {
                    let width = self.width.saturating_sub(indent.len());
                    for line in table::lines(rows, width) {
                        let _ = writeln!(text, "{indent}{line}");
                    }
                }
            }
        }
    }

    fn heading(self, level: u8, title: &str, text: &mut String) {
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

    fn list(self, items: &[Item], indent: &str, text: &mut String) {
        for item in items {
            let inner = format!("{indent}{}", " ".repeat(item.mark.len() + 1));
            let start = text.len();
            self.blocks(&item.blocks, &inner, text);
            // The mark stands in the indent of the first line.
            let place = start + indent.len()..start + indent.len() + item.mark.len();
            if text.get(place.clone()).is_some() {
                text.replace_range(place, &item.mark);
            }
        }
    }
}

/// Running text with the signs that show what is code.
pub(super) fn plain(inlines: &[Inline]) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(part) | Inline::Strong(part) | Inline::Emphasis(part) => {
                text.push_str(part);
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
