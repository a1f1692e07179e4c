//! Wraps text into lines.

use std::fmt::Write as _;

use super::markdown::{Inline, LinkTarget};

/// Inline elements as plain text, with code in backticks.
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
                    LinkTarget::Page(page) => {
                        text.push_str(" (");
                        code(&format!("retval help {}", page.name), &mut text);
                        text.push(')');
                    }
                    LinkTarget::Web(url) if url != part => {
                        let _ = write!(text, " <{url}>");
                    }
                    LinkTarget::Web(_) | LinkTarget::Local => {}
                }
            }
        }
    }
    text
}

/// A space at which a line is not broken.
const HARD_SPACE: &str = "\u{a0}";

/// The longest code that is never broken at its spaces, in bytes.
const UNBROKEN: usize = 40;

fn code(part: &str, text: &mut String) {
    let _ = match part.len() {
        ..=UNBROKEN => write!(text, "`{}`", part.replace(' ', HARD_SPACE)),
        _ => write!(text, "`{part}`"),
    };
}

/// The words of a text; lines are broken between words.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Breaks a text into lines of at most `width` characters. A longer word gets a line of its own.
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
