//! Finds fenced code where Markdown has it: in the quotations and list items that a line stands in.

use memchr::memchr;

use super::lines::{CODE, Fence, TextLine, after_number, column_behind, span_of};
use super::span;
use crate::text::Span;

/// How deep quotations and list items may be nested. No one writes deeper ones.
const DEPTH: usize = 100;

pub(in crate::document) fn line_end(text: &str, at: usize) -> usize {
    memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |it| at + it)
}

/// Fenced code. Without an end it runs to that of the text, or of what it stands in.
#[derive(Debug, Clone, Copy)]
pub(in crate::document) struct FencedCode {
    pub(in crate::document) place: Span,
    /// The first word after its opening fence.
    pub(in crate::document) word: Span,
    pub(in crate::document) content: Span,
    pub(in crate::document) is_closed: bool,
    pub(in crate::document) is_quoted: bool,
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

/// A line behind the marks of what it stands in.
struct InnerLine<'t> {
    text: &'t str,
    column: usize,
    /// The column where the content of what it stands in begins.
    base: usize,
}

impl<'t> InnerLine<'t> {
    fn new(line: &'t str) -> Self {
        let mut new = Self {
            text: line.trim_end(),
            column: 0,
            base: 0,
        };
        new.skip(0);
        new
    }

    /// Goes on behind a mark and white space.
    fn skip(&mut self, width: usize) {
        let rest = &self.text[width..];
        self.text = rest.trim_start_matches([' ', '\t']);
        let space = &rest[..rest.len() - self.text.len()];
        self.column = column_behind(space, self.column + width);
    }

    fn is_code(&self) -> bool {
        self.column >= self.base + CODE
    }

    fn fence(&self) -> Option<Fence<'t>> {
        Fence::read(self.text).filter(|_| !self.is_code())
    }

    /// Goes on behind the mark of a quotation, to which a space belongs. Whether there is one.
    fn quote(&mut self) -> bool {
        let is_quote = self.text.starts_with('>') && !self.is_code();
        if is_quote {
            let end = self.column + 1;
            self.skip(1);
            self.base = self.column.min(end + 1);
        }
        is_quote
    }

    /// Goes on behind the mark of a list item. Returns the column where its content begins. In a paragraph, only an
    /// item with something on it and no other number than 1 begins a list.
    fn item(&mut self, is_paragraph: bool) -> Option<usize> {
        let bullet = self.text.strip_prefix(['-', '*', '+']);
        let rest = bullet.or_else(|| after_number(self.text))?;
        let width = self.text.len() - rest.len();
        let can_begin = !rest.is_empty() && matches!(&self.text[..width - 1], "" | "1");
        let is_item = rest.is_empty() || rest.starts_with([' ', '\t']);
        if !is_item || is_paragraph && !can_begin || self.is_code() || self.is_rule() {
            return None;
        }
        let end = self.column + width;
        self.skip(width);
        let is_deep = self.text.is_empty() || self.column > end + CODE;
        self.base = if is_deep { end + 1 } else { self.column };
        Some(self.base)
    }

    fn is_rule(&self) -> bool {
        TextLine::alone(self.text).is_rule()
    }

    /// Whether it is a line of a paragraph, or goes on with one.
    fn is_paragraph(&self, goes_on: bool) -> bool {
        let is_text = !self.text.is_empty() && !self.text.starts_with('<');
        let is_code = self.is_code() && !goes_on;
        let is_heading = || TextLine::alone(self.text).heading().is_some();
        is_text && !is_code && self.fence().is_none() && !self.is_rule() && !is_heading()
    }
}

/// The quotations and list items that are open.
#[derive(Debug, Default)]
pub(in crate::document) struct Containers {
    /// The column where the content of an item begins, or None for a quotation.
    open: Vec<Option<usize>>,
    /// Whether a paragraph is open, which goes on without their marks.
    is_paragraph: bool,
}

impl Containers {
    /// What stands on a line behind the marks of what it is in, and in how many it is.
    fn inside<'t>(&self, line: &'t str) -> (usize, InnerLine<'t>) {
        let mut line = InnerLine::new(line);
        for (depth, container) in self.open.iter().enumerate() {
            let goes_on = match container {
                Some(base) if line.column >= *base || line.text.is_empty() => {
                    line.base = *base;
                    true
                }
                Some(_) => false,
                None => line.quote(),
            };
            if !goes_on {
                return (depth, line);
            }
        }
        (self.open.len(), line)
    }

    /// Goes on to the line at a byte. Returns the fenced code that begins with it.
    pub(in crate::document) fn fence(&mut self, text: &str, start: usize) -> Option<FencedCode> {
        let first = &text[start..line_end(text, start)];
        let (mut depth, mut line) = self.inside(first);
        while depth < DEPTH {
            let is_paragraph = self.is_paragraph && depth == self.open.len();
            let item = line.item(is_paragraph);
            if item.is_none() && !line.quote() {
                break;
            }
            self.open.truncate(depth);
            self.open.push(item);
            self.is_paragraph = false;
            depth += 1;
        }
        let goes_on = self.is_paragraph;
        self.is_paragraph = line.is_paragraph(goes_on);
        if !(goes_on && self.is_paragraph) {
            self.open.truncate(depth);
        }
        let Fence { mark, count, info } = line.fence()?;
        let content = (start + first.len() + 1).min(text.len());
        let (mut end, mut closing) = (content, None);
        for line in text[content..].split_inclusive('\n') {
            let (depth, inner) = self.inside(line);
            if depth < self.open.len() {
                break;
            }
            let is_end = |it: Fence<'_>| it.mark == mark && it.count >= count && it.info.is_empty();
            if inner.fence().is_some_and(is_end) {
                closing = Some(end + line.trim_end().len());
                break;
            }
            end += line.len();
        }
        Some(FencedCode {
            place: span(
                start,
                closing.unwrap_or(end - usize::from(text[..end].ends_with('\n'))),
            ),
            word: span_of(text, info.split_whitespace().next().unwrap_or(info)),
            content: span(content, end),
            is_closed: closing.is_some(),
            is_quoted: self.open.contains(&None),
        })
    }
}
