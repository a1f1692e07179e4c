//! What a Markdown reader says of a text: which lines are code, a comment or a table, and which marks
//! there are inside of lines.

use std::borrow::Cow;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::draft::{Collected, TextDraft};
use super::lines::trimmed;
use super::scan::{Elements, Fence, fence};
use super::{PIECE, span};
use crate::document::error::{Budget, FormError};
use crate::text::Span;

/// The most marks of a message. No one writes that many.
const MARKS: usize = 500_000;

/// Lines that are not read one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region {
    pub(super) span: Span,
    pub(super) kind: RegionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionKind {
    /// Fenced code with its content. The content of an unclosed fence runs to the end.
    Fenced {
        content: Span,
        is_closed: bool,
    },
    /// Code by its indentation.
    Indented,
    Comment,
    /// A table, by its number.
    Table(usize),
}

/// Something that is no part of a value.
#[derive(Debug, Clone, Copy)]
struct Removal {
    span: Span,
    /// The whole that it is a mark of, if the mark counts only around a whole value.
    whole: Option<Span>,
}

/// What the Markdown reader found.
#[derive(Debug)]
pub(super) struct Markup<'t> {
    pub(super) message: &'t str,
    pub(super) regions: Vec<Region>,
    /// The cells of each table, by their rows. The first row is the head.
    tables: Vec<Vec<Vec<Span>>>,
    /// In their order.
    removals: Vec<Removal>,
    /// How many quotations are open.
    quotes: usize,
    /// The open links: where their text ends so far.
    links: Vec<usize>,
}

impl<'t> Markup<'t> {
    /// Reads `message` from `start` on.
    pub(super) fn read(
        message: &'t str,
        start: usize,
        elements: &Elements<'_>,
        budget: &mut Budget,
    ) -> Result<Self, FormError> {
        let mut found = Self {
            message,
            regions: Vec::new(),
            tables: Vec::new(),
            removals: Vec::new(),
            quotes: 0,
            links: Vec::new(),
        };
        // Spaces stand for the tags that would keep a Markdown reader from reading what is in them.
        let mut masked = Cow::Borrowed(message);
        let mut mask = |tag: Span| {
            let spaces = " ".repeat(tag.end - tag.start);
            masked.to_mut().replace_range(tag.start..tag.end, &spaces);
        };
        elements.html.iter().copied().for_each(&mut mask);
        for element in &elements.all {
            let (open, close) = (element.open, element.close);
            if element.is_block {
                mask(open);
                mask(close);
                found.remove([span(open.start, close.end)], None);
            } else {
                found.remove([open, close], None);
            }
        }
        let mut at = start;
        for piece in pieces(&masked[start..]) {
            let parser = Parser::new_ext(&piece, Options::ENABLE_TABLES);
            for (event, range) in parser.into_offset_iter() {
                let place = span(at + range.start, at + range.end);
                found.event(&event, place, budget)?;
            }
            at += piece.len();
        }
        found.removals.sort_unstable_by_key(|it| it.span.start);
        Ok(found)
    }

    /// The text of a part of the message, without marks and without white space around it.
    pub(super) fn text(&self, part: Span) -> Cow<'t, str> {
        let part = trimmed(self.message, part);
        let first = self
            .removals
            .partition_point(|it| it.span.start < part.start);
        let removals = self.removals[first..].iter();
        let inside = removals
            .take_while(|it| it.span.start < part.end)
            .filter(|it| it.whole.is_none_or(|whole| whole == part));
        let mut text = String::new();
        let mut at = part.start;
        for removal in inside {
            if removal.span.start >= at {
                text.push_str(&self.message[at..removal.span.start]);
                at = removal.span.end.min(part.end);
            }
        }
        if at == part.start {
            return Cow::Borrowed(&self.message[part.start..part.end]);
        }
        text.push_str(&self.message[at..part.end]);
        Cow::Owned(text.trim().to_owned())
    }

    /// The same as a value of its own. Reports point to `place`.
    pub(super) fn value(&self, part: Span, place: Span) -> TextDraft<'t> {
        let text = TextDraft::text(self.text(part)).at(Some(place));
        text.from(trimmed(self.message, part))
    }

    /// The rows of a table, by the names in its head.
    pub(super) fn rows(&self, table: usize) -> Vec<TextDraft<'t>> {
        let Some((head, rows)) = self.tables[table].split_first() else {
            return Vec::new();
        };
        let names: Vec<_> = head.iter().map(|it| self.text(*it)).collect();
        let are_distinct = Collected::are_distinct(&names);
        let row = |cells: &Vec<Span>| {
            let pairs = cells.iter().zip(names.iter().cloned());
            let members = pairs.map(|(cell, name)| self.value(*cell, *cell).named(name));
            let row = if are_distinct {
                TextDraft::object(members.collect())
            } else {
                let mut all = Collected::default();
                members.for_each(|it| all.add(it));
                all.object()
            };
            let ends = cells.first().zip(cells.last());
            row.at(ends.map(|(first, last)| span(first.start, last.end)))
        };
        rows.iter().map(row).collect()
    }

    fn remove<const N: usize>(&mut self, spans: [Span; N], whole: Option<Span>) {
        if self.removals.len() < MARKS {
            let marks = spans.map(|span| Removal { span, whole });
            self.removals.extend(marks);
        }
    }

    fn event(
        &mut self,
        event: &Event<'_>,
        span: Span,
        budget: &mut Budget,
    ) -> Result<(), FormError> {
        if let Event::End(TagEnd::Link | TagEnd::Image) = event {
            self.link(span);
        }
        if let Some(end) = self.links.last_mut() {
            *end = span.end;
        }
        match event {
            Event::Start(Tag::BlockQuote(_)) => self.quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => self.quotes -= 1,
            Event::Start(Tag::Emphasis) => self.emphasis(span, 1),
            Event::Start(Tag::Strong) => self.emphasis(span, 2),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => self.links.push(span.start + 1),
            Event::Code(_) => self.code(span),
            Event::InlineHtml(html) if html.starts_with("<!--") => self.remove([span], None),
            Event::Start(tag) if self.quotes == 0 => match (tag, self.tables.last_mut()) {
                (Tag::TableHead | Tag::TableRow, Some(rows)) => rows.push(Vec::new()),
                (Tag::TableCell, Some(rows)) => {
                    budget.take(1, span)?;
                    let cell = trimmed(self.message, span);
                    rows.last_mut().into_iter().for_each(|it| it.push(cell));
                }
                _ => self.block(tag, span),
            },
            _ => {}
        }
        Ok(())
    }

    /// The marks of a link or an image: all but its text.
    fn link(&mut self, whole: Span) {
        let Some(end) = self.links.pop() else { return };
        let is_image = self.source(whole).starts_with("![");
        let width = if is_image { 2 } else { 1 };
        let start = end.max(whole.start + width);
        let text = Span::new(whole.start, width);
        self.remove([text, Span { start, ..whole }], None);
    }

    fn block(&mut self, tag: &Tag<'_>, span: Span) {
        let kind = match tag {
            Tag::CodeBlock(CodeBlockKind::Indented) => RegionKind::Indented,
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => self.fenced(span),
            Tag::HtmlBlock if self.source(span).starts_with("<!--") => {
                self.remove([span], None);
                RegionKind::Comment
            }
            Tag::Table(_) => {
                self.tables.push(Vec::new());
                RegionKind::Table(self.tables.len() - 1)
            }
            _ => return,
        };
        self.regions.push(Region { span, kind });
    }

    /// What fenced code is.
    fn fenced(&self, span: Span) -> RegionKind {
        let text = self.source(span).trim_end_matches(['\n', '\r']);
        let first = text.find('\n').map_or(text.len(), |it| it + 1);
        let last = text.rfind('\n').map_or(text.len(), |it| it + 1);
        let opening = fence(&text[..first]);
        let is_closed = opening.is_some_and(|it| it.is_closed_by(&text[last..]));
        let end = if is_closed { last } else { text.len() };
        let content = Span::new(span.start + first, end - first);
        RegionKind::Fenced { content, is_closed }
    }

    fn emphasis(&mut self, whole: Span, width: usize) {
        let inner = &self.source(whole)[width..whole.end - whole.start - width];
        let is_path = inner.starts_with('/') || inner.ends_with('/');
        self.marks(whole, width, is_path);
    }

    fn code(&mut self, whole: Span) {
        let text = self.source(whole);
        let ticks = text.len() - text.trim_start_matches('`').len();
        let inner = &text[ticks..text.len() - ticks];
        let is_padded = inner.starts_with(' ') && inner.ends_with(' ') && inner.len() > 2;
        self.marks(whole, ticks + usize::from(is_padded), false);
    }

    /// Marks of `width` bytes around a text. If it is part of a word or of a path, they may be none.
    fn marks(&mut self, whole: Span, width: usize, is_path: bool) {
        let goes_on = |it: char| it == '/' || it.is_alphanumeric();
        let is_part = is_path
            || self.message[..whole.start].ends_with(goes_on)
            || self.message[whole.end..].starts_with(goes_on);
        let marks = [whole.start, whole.end - width].map(|start| Span::new(start, width));
        self.remove(marks, is_part.then_some(whole));
    }

    fn source(&self, span: Span) -> &str {
        &self.message[span.start..span.end]
    }
}

/// A text in pieces. A large one is cut between blocks, or where a block is larger than a piece, between
/// lines. Code in it is one line, and very long lines are plain. All offsets stay the same.
fn pieces(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.len() <= PIECE {
            let piece = std::mem::take(&mut rest);
            return (!piece.is_empty()).then_some(Cow::Borrowed(piece));
        }
        let mut piece = String::new();
        let mut open: Option<Fence<'_>> = None;
        let mut is_after_blank = false;
        for line in rest.split_inclusive('\n') {
            let is_block = is_after_blank && !line.starts_with(char::is_whitespace);
            let at_most = if is_block { PIECE / 2 } else { PIECE };
            if open.is_none() && piece.len() >= at_most {
                break;
            }
            is_after_blank = line.trim().is_empty();
            match open {
                Some(fence) if fence.is_closed_by(line) => {
                    open = None;
                    piece.pop();
                    piece.extend(["\n", line]);
                }
                Some(_) => piece.push_str(&line.replace('\n', " ")),
                None => {
                    open = fence(line);
                    piece.extend(line.char_indices().map(plain));
                }
            }
        }
        rest = &rest[piece.len()..];
        Some(Cow::Owned(piece))
    })
}

/// A character of a line without what is a mark to the Markdown reader, if it stands far behind.
fn plain((at, character): (usize, char)) -> char {
    let is_mark = at > PIECE && "*_`[]!<&\\".contains(character);
    if is_mark { '.' } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_text_is_cut_between_blocks_and_keeps_its_offsets() {
        let block = "*a*\n\n```\nb\n\nc\n```\n\n";
        let text = block.repeat(PIECE / block.len() + 1);
        let found: Vec<_> = pieces(&text).collect();
        assert_eq!(found.len(), 2);
        let (first, second) = text.split_at(found[0].len());
        assert_eq!(found[0], first.replace("b\n\nc", "b  c"));
        assert_eq!(found[1], second);
        assert!(found[1].starts_with("*a*\n") || found[1].starts_with("```\n"));
        assert_eq!(pieces(block).collect::<String>(), block);
    }

    #[test]
    fn a_very_long_line_is_plain_behind() {
        let line = format!("* *a*{}*b*", " ".repeat(PIECE));
        let expected = format!("* *a*{}.b.", " ".repeat(PIECE));
        assert_eq!(pieces(&line).collect::<String>(), expected);
    }
}
