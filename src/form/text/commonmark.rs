//! Reads a text with a Markdown reader.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::marks::{LineRegion, Markup, RegionKind, Removal, Table, trimmed};
use super::plain::plain;
use super::scan::fence;
use super::tags::Elements;
use crate::form::error::FormError;
use crate::form::tree::Budget;
use crate::text::Span;

/// Reads `message` from `start` on.
pub(super) fn read(
    message: &str,
    start: usize,
    elements: &Elements<'_>,
    budget: &mut Budget,
) -> Result<Markup, FormError> {
    let masked = masked(message, elements);
    let mut reader = MarkReader::new(message, start, budget);
    let plain = plain(&masked);
    let masked = plain.as_deref().unwrap_or(&masked);
    let parser = Parser::new_ext(&masked[start..], Options::ENABLE_TABLES);
    for (event, range) in parser.into_offset_iter() {
        reader.event(&event, range)?;
    }
    let mut found = reader.found;
    for element in &elements.all {
        let whole = Span {
            start: element.open.start,
            end: element.close.end,
        };
        if element.is_block {
            found.remove(whole);
        } else {
            found.remove(element.open);
            found.remove(element.close);
        }
    }
    found.removals.sort_unstable_by_key(|it| it.span.start);
    Ok(found)
}

/// The message with spaces for the tags that would keep a Markdown reader from reading what is in
/// them. All offsets stay the same.
fn masked<'t>(message: &'t str, elements: &Elements<'_>) -> Cow<'t, str> {
    let blocks = elements.all.iter().filter(|it| it.is_block);
    let mut tags: Vec<_> = blocks.flat_map(|it| [it.open, it.close]).collect();
    tags.extend(&elements.html);
    if tags.is_empty() {
        return Cow::Borrowed(message);
    }
    tags.sort_unstable_by_key(|it| it.start);
    let mut text = String::with_capacity(message.len());
    for tag in tags {
        text.push_str(&message[text.len()..tag.start]);
        text.extend(std::iter::repeat_n(' ', tag.end - tag.start));
    }
    text.push_str(&message[text.len()..]);
    Cow::Owned(text)
}

/// Takes the events of a Markdown reader.
struct MarkReader<'m, 'b> {
    message: &'m str,
    start: usize,
    found: Markup,
    /// How many quotations are open.
    quotes: usize,
    /// The open links: where their text ends so far.
    links: Vec<usize>,
    budget: &'b mut Budget,
}

impl<'m, 'b> MarkReader<'m, 'b> {
    fn new(message: &'m str, start: usize, budget: &'b mut Budget) -> Self {
        Self {
            message,
            start,
            found: Markup::default(),
            quotes: 0,
            links: Vec::new(),
            budget,
        }
    }

    fn event(&mut self, event: &Event<'_>, range: Range<usize>) -> Result<(), FormError> {
        let span = Span {
            start: self.start + range.start,
            end: self.start + range.end,
        };
        if let Event::End(TagEnd::Link | TagEnd::Image) = event {
            self.link(span);
        }
        if let Some(end) = self.links.last_mut() {
            *end = span.end;
        }
        match event {
            Event::Start(Tag::BlockQuote(_)) => self.quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => self.quotes = self.quotes.saturating_sub(1),
            Event::Start(Tag::Emphasis) => self.emphasis(span, 1),
            Event::Start(Tag::Strong) => self.emphasis(span, 2),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => self.links.push(span.start + 1),
            Event::Code(_) => self.code(span),
            Event::InlineHtml(html) if html.starts_with("<!--") => self.found.remove(span),
            Event::Start(tag) if self.quotes == 0 => self.block(tag, span)?,
            _ => {}
        }
        Ok(())
    }

    /// The marks of a link or an image: all but its text.
    fn link(&mut self, whole: Span) {
        let Some(end) = self.links.pop() else { return };
        let text = &self.message[whole.start..whole.end];
        let width = if text.starts_with("![") { 2 } else { 1 };
        self.found.remove(Span::new(whole.start, width));
        let start = end.max(whole.start + width);
        self.found.remove(Span { start, ..whole });
    }

    fn block(&mut self, tag: &Tag<'_>, span: Span) -> Result<(), FormError> {
        match tag {
            Tag::CodeBlock(CodeBlockKind::Indented) => self.region(span, RegionKind::Indented),
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => {
                let kind = fenced(self.message, span);
                self.region(span, kind);
            }
            Tag::HtmlBlock if self.message[span.start..span.end].starts_with("<!--") => {
                self.region(span, RegionKind::Comment);
                self.found.remove(span);
            }
            Tag::Table(_) => {
                let number = self.found.tables.len();
                self.found.tables.push(Table::default());
                self.region(span, RegionKind::Table(number));
            }
            Tag::TableRow => {
                if let Some(table) = self.found.tables.last_mut() {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => {
                self.budget.take(1, span)?;
                let cell = trimmed(self.message, span);
                if let Some(table) = self.found.tables.last_mut() {
                    let row = table.rows.last_mut().unwrap_or(&mut table.head);
                    row.push(cell);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn region(&mut self, span: Span, kind: RegionKind) {
        let is_inside = self.found.regions.last();
        if is_inside.is_none_or(|it| it.span.end <= span.start) {
            self.found.regions.push(LineRegion { span, kind });
        }
    }

    /// Marks of `width` bytes around a text.
    fn emphasis(&mut self, whole: Span, width: usize) {
        let inner = &self.message[whole.start + width..whole.end - width];
        let is_free = self.is_free(whole) && !(inner.starts_with('/') || inner.ends_with('/'));
        self.around(whole, width, width, is_free);
    }

    fn code(&mut self, whole: Span) {
        let text = &self.message[whole.start..whole.end];
        let ticks = text.len() - text.trim_start_matches('`').len();
        let inner = &text[ticks..text.len() - ticks];
        let is_padded = inner.starts_with(' ') && inner.ends_with(' ') && inner.len() > 2;
        let width = ticks + usize::from(is_padded);
        self.around(whole, width, width, self.is_free(whole));
    }

    fn around(&mut self, whole: Span, before: usize, after: usize, is_free: bool) {
        let spans = [
            Span::new(whole.start, before),
            Span {
                start: whole.end - after,
                end: whole.end,
            },
        ];
        let whole = (!is_free).then_some(whole);
        let marks = spans.map(|span| Removal { span, whole });
        self.found.removals.extend(marks);
    }

    /// Whether a text with its marks is neither part of a word nor of a path.
    fn is_free(&self, whole: Span) -> bool {
        let is_free = |it: char| !(it == '/' || it.is_alphanumeric());
        let before = self.message[..whole.start].chars().next_back();
        let after = self.message[whole.end..].chars().next();
        before.is_none_or(is_free) && after.is_none_or(is_free)
    }
}

/// The content of fenced code.
fn fenced(message: &str, span: Span) -> RegionKind {
    let text = message[span.start..span.end].trim_end_matches(['\n', '\r']);
    let Some(first) = memchr::memchr(b'\n', text.as_bytes()) else {
        let content = Span::new(span.start + text.len(), 0);
        return RegionKind::Fenced {
            content,
            is_closed: false,
        };
    };
    let last = text.rfind('\n').unwrap_or(first);
    let opening = fence(&text[..first]);
    let closing = fence(&text[last..]);
    let is_closed = match (opening, closing) {
        (Some((mark, count, _)), Some((other, more, rest))) => {
            mark == other && more >= count && rest.is_empty()
        }
        _ => false,
    };
    let end = if is_closed { last + 1 } else { text.len() };
    RegionKind::Fenced {
        content: Span {
            start: span.start + first + 1,
            end: span.start + end.max(first + 1),
        },
        is_closed,
    }
}
