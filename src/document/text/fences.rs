//! Finds fenced code: at the beginning of a line, or behind the marks of the list items that it stands in.

use std::mem::replace;

use memchr::memchr;

use super::lines::{CODE, Fence, TextLine, after_number, column_behind, span_of};
use super::span;
use crate::text::Span;

/// How deep list items may be nested. No one writes deeper ones.
const DEPTH: usize = 100;

pub(in crate::document) fn line_end(text: &str, at: usize) -> usize {
    memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |it| at + it)
}

/// Fenced code. Without an end it runs to that of the text, or of the list item that it stands in.
#[derive(Debug, Clone, Copy)]
pub(in crate::document) struct FencedCode {
    pub(in crate::document) place: Span,
    /// The first word after its opening fence.
    pub(in crate::document) word: Span,
    pub(in crate::document) content: Span,
    pub(in crate::document) is_closed: bool,
}

/// The content of the fence around all of a text from a byte on. None if there is no such fence.
pub(crate) fn fence_around(text: &str, start: usize) -> Option<Span> {
    let start = text.len() - text[start..].trim_start().len();
    let code = Containers::default().fence(text, start)?;
    let is_all = code.is_closed && text[code.place.end..].trim().is_empty();
    let is_bare = text[start..].starts_with(['`', '~']);
    let content = &text[code.content.start..code.content.end];
    let content = content.strip_suffix('\n').unwrap_or(content);
    (is_all && is_bare).then(|| span_of(text, content))
}

/// The list items that are open.
#[derive(Debug, Default)]
pub(in crate::document) struct Containers {
    /// The columns where their contents begin, the outermost first.
    columns: Vec<usize>,
    /// Whether the last line is of a paragraph, which goes on with a line of text wherever that begins.
    is_text: bool,
}

impl Containers {
    /// Goes on to the line at a byte. Returns the fenced code that begins with it.
    pub(in crate::document) fn fence(&mut self, text: &str, start: usize) -> Option<FencedCode> {
        let first = &text[start..line_end(text, start)];
        let (mut column, mut rest) = indented(first, 0);
        let was_text = replace(&mut self.is_text, false);
        if rest.is_empty() {
            return None;
        }
        let depth = self.columns.partition_point(|base| column >= *base);
        let mut base = depth.checked_sub(1).map_or(0, |last| self.columns[last]);
        self.is_text = was_text && (column >= base + CODE || is_text(rest));
        if self.is_text {
            return None;
        }
        self.columns.truncate(depth);
        loop {
            if column >= base + CODE {
                return None;
            }
            let Some(after) = after_mark(rest).filter(|_| self.columns.len() < DEPTH) else {
                break;
            };
            let end = column + rest.len() - after.len();
            (column, rest) = indented(after, end);
            let is_deep = rest.is_empty() || column > end + CODE;
            base = if is_deep { end + 1 } else { column };
            self.columns.push(base);
        }
        self.is_text = is_text(rest.trim_start_matches(['>', ' ']));
        let Fence { mark, count, info } = Fence::read(rest)?;
        let content = (start + first.len() + 1).min(text.len());
        let (mut end, mut closing) = (content, None);
        for line in text[content..].split_inclusive('\n') {
            let (column, rest) = indented(line, 0);
            let is_end = |it: Fence<'_>| it.mark == mark && it.count >= count && it.info.is_empty();
            if column < base && !rest.is_empty() {
                break;
            }
            if column < base + CODE && Fence::read(rest).is_some_and(is_end) {
                closing = Some(end + line.trim_end().len());
                break;
            }
            end += line.len();
        }
        let open_end = end - usize::from(text[..end].ends_with('\n'));
        Some(FencedCode {
            place: span(start, closing.unwrap_or(open_end)),
            word: span_of(text, info.split_whitespace().next().unwrap_or(info)),
            content: span(content, end),
            is_closed: closing.is_some(),
        })
    }
}

/// What stands behind the white space that begins at a column, and at which column.
fn indented(line: &str, column: usize) -> (usize, &str) {
    let rest = line.trim_start_matches([' ', '\t']);
    let space = &line[..line.len() - rest.len()];
    (column_behind(space, column), rest.trim_end())
}

/// Whether a line is of a paragraph.
fn is_text(rest: &str) -> bool {
    let line = TextLine::alone(rest);
    let is_other = rest.is_empty() || line.is_rule() || line.is_quote() || line.is_tag();
    let has_mark = || after_mark(rest).is_some() || Fence::read(rest).is_some();
    !is_other && line.heading().is_none() && !has_mark()
}

/// What follows the mark of a list item.
fn after_mark(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*', '+']);
    let rest = rest.or_else(|| after_number(text))?;
    let is_item = rest.is_empty() || rest.starts_with([' ', '\t']);
    (is_item && !TextLine::alone(text).is_rule()).then_some(rest)
}
