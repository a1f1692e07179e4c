//! Finds fenced code.

use memchr::memchr;

use super::lines::{Fence, after_list_mark, span_of};
use super::span;
use crate::text::Span;

pub(in crate::document) fn line_end(text: &str, at: usize) -> usize {
    memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |it| at + it)
}

/// Fenced code. Without an end it runs to that of the text.
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
    let code = fence(text, start)?;
    let is_all = code.is_closed && text[code.place.end..].trim().is_empty();
    let is_bare = text[start..].starts_with(['`', '~']);
    let content = &text[code.content.start..code.content.end];
    let content = content.strip_suffix('\n').unwrap_or(content);
    (is_all && is_bare).then(|| span_of(text, content))
}

/// The fenced code that begins with the line at a byte, also behind the marks of list items.
pub(in crate::document) fn fence(text: &str, start: usize) -> Option<FencedCode> {
    let first = &text[start..line_end(text, start)];
    let mut rest = first.trim();
    while let Some(inner) = after_list_mark(rest) {
        rest = inner;
    }
    let Fence { mark, count, info } = Fence::read(rest)?;
    let content = (start + first.len() + 1).min(text.len());
    let (mut end, mut closing) = (content, None);
    for line in text[content..].split_inclusive('\n') {
        let is_end = |it: Fence<'_>| it.mark == mark && it.count >= count && it.info.is_empty();
        if Fence::read(line.trim()).is_some_and(is_end) {
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
