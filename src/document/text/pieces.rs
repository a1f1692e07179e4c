//! Cuts a text into pieces: lines of text, and what is no text of its own, such as code and tables.

use super::fences::{FencedCode, line_end};
use super::lines::{CODE, TextLine, cells, is_ruler};
use super::scan::{Element, Scanned};
use super::span;
use crate::text::Span;

/// A line or several of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPiece<'t> {
    pub(super) kind: PieceKind<'t>,
    pub(super) line: TextLine<'t>,
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PieceKind<'t> {
    Blank,
    Text,
    Heading(usize, &'t str),
    Rule,
    Quote,
    Indented,
    Fence(FencedCode),
    Comment,
    /// A table, with the line below its head.
    Table(Span),
    /// A line with nothing on it but a tag that counts nowhere.
    Tag,
    Element(Element<'t>),
    /// The same as a part of a line, which follows.
    Inline(Element<'t>),
}

impl PieceKind<'_> {
    /// Whether it can be a part of what stands around it, and is no text by itself.
    pub(super) fn is_no_text(self) -> bool {
        use PieceKind::{Comment, Fence, Indented, Quote, Table, Tag};
        matches!(self, Quote | Indented | Fence(_) | Comment | Table(_) | Tag)
    }
}

#[derive(Clone)]
pub(super) struct TextPieces<'t, 's> {
    text: &'t str,
    /// What is not cut yet.
    rest: Span,
    fences: &'s [FencedCode],
    comments: &'s [Span],
    elements: &'s [Element<'t>],
    has_code: bool,
    before: Option<TextLine<'t>>,
    item: Option<usize>,
}

fn since<T>(all: &[T], start: usize, begin: impl Fn(&T) -> usize) -> &[T] {
    &all[all.partition_point(|it| begin(it) < start)..]
}

impl<'t, 's> TextPieces<'t, 's> {
    /// The pieces of a part, which is the whole or the content of a tag.
    pub(super) fn new(found: &'s Scanned<'t>, part: Span, is_tag: bool) -> Self {
        Self {
            text: found.text,
            rest: part,
            fences: since(&found.fences, part.start, |it| it.place.start),
            comments: since(&found.comments, part.start, |it| it.start),
            elements: since(&found.elements, part.start, |it| it.open.start),
            has_code: !is_tag,
            before: None,
            item: None,
        }
    }

    fn next_line(&self) -> TextLine<'t> {
        let Span { start, end } = self.rest;
        let start = start.min(end);
        TextLine::new(self.text, span(start, line_end(self.text, start).min(end)))
    }

    /// What begins on the line that comes next and is cut out of it.
    fn next_cut(&self, end: usize) -> Option<(Span, PieceKind<'t>)> {
        let fence = |it: &FencedCode| (it.place, PieceKind::Fence(*it));
        let fence = self.fences.first().map(fence);
        let comment = self.comments.first().map(|it| (*it, PieceKind::Comment));
        let of = |it: &Element<'t>| (span(it.open.start, it.close.end), PieceKind::Element(*it));
        let all = [fence, comment, self.elements.first().map(of)].into_iter();
        let first = all.flatten().min_by_key(|(place, _)| place.start);
        first.filter(|(place, _)| place.start < end)
    }

    fn is_in_item(&self, line: &TextLine<'_>) -> bool {
        self.item.is_some_and(|it| line.is_inside(it))
    }

    /// What a line is that has something on it, and where that ends: a table and a heading may have more lines.
    fn read(&mut self, line: &TextLine<'t>) -> (PieceKind<'t>, usize) {
        let is_first = self.before.is_none() && !self.is_in_item(line);
        let end = line.span.end;
        let kind = if line.indent >= CODE && is_first && self.has_code {
            PieceKind::Indented
        } else if line.is_tag() {
            PieceKind::Tag
        } else if let Some(table) = self.table(line) {
            return table;
        } else if line.is_rule() {
            PieceKind::Rule
        } else if line.is_quote() {
            PieceKind::Quote
        } else if let Some((level, title)) = line.heading() {
            PieceKind::Heading(level, title)
        } else {
            // The line of a label, or one that is bold as a whole, is no part of a paragraph.
            let goes_on = |it: &TextLine<'_>| it.is_item || it.is_paragraph(self.text);
            let is_title = || {
                let is_first = !self.is_in_item(line) && !self.before.as_ref().is_some_and(goes_on);
                is_first && line.is_paragraph(self.text)
            };
            let underline = self.next_line();
            if let Some(level) = underline.underline().filter(|_| is_title()) {
                self.rest.start = line_end(self.text, underline.span.end) + 1;
                return (PieceKind::Heading(level, line.text), underline.span.end);
            }
            PieceKind::Text
        };
        (kind, end)
    }

    fn table(&mut self, head: &TextLine<'t>) -> Option<(PieceKind<'t>, usize)> {
        if !head.text.contains('|') || head.is_item || head.is_quote() {
            return None;
        }
        let ruler = self.next_line();
        let columns = |line: &TextLine<'t>| cells(self.text, line.span).count();
        if !is_ruler(ruler.text) || columns(head) != columns(&ruler) {
            return None;
        }
        let (mut line, mut end) = (ruler, ruler.span.end);
        let fence = self.fences.first().map_or(usize::MAX, |it| it.place.start);
        while line.text.contains('|') && !line.is_quote() && line.span.end <= fence {
            end = line.span.end;
            self.rest.start = line_end(self.text, end) + 1;
            line = self.next_line();
        }
        Some((PieceKind::Table(ruler.span), end))
    }

    /// Notes what the following lines may be a part of.
    fn note(&mut self, kind: PieceKind<'t>, line: &TextLine<'t>) {
        let is_text = matches!(kind, PieceKind::Text);
        let is_lazy = is_text && self.before.is_some() && line.is_paragraph(self.text);
        match kind {
            PieceKind::Heading(..) | PieceKind::Rule => self.item = None,
            PieceKind::Blank => {}
            _ if is_lazy || self.is_in_item(line) => {}
            _ => self.item = Some(line.indent).filter(|_| is_text && line.is_item),
        }
        self.before = is_text.then_some(*line);
    }
}

impl<'t> Iterator for TextPieces<'t, '_> {
    type Item = TextPiece<'t>;

    fn next(&mut self) -> Option<TextPiece<'t>> {
        loop {
            let Span { start, end } = self.rest;
            if start >= end {
                return None;
            }
            let line_end = line_end(self.text, start).min(end);
            let cut = self.next_cut(line_end);
            if let Some((place, PieceKind::Element(element))) = cut
                && !element.is_block
            {
                self.elements = &self.elements[1..];
                let (line, end) = (TextLine::first(self.text, place), place.end);
                let kind = PieceKind::Inline(element);
                return Some(TextPiece { kind, line, end });
            }
            let before = cut.map_or(line_end, |(place, _)| place.start.max(start));
            let mut line = TextLine::new(self.text, span(start, before));
            let (kind, end) = if !line.text.is_empty() {
                self.rest.start = before + usize::from(cut.is_none());
                self.read(&line)
            } else if let Some((place, kind)) = cut {
                let end = place.end;
                self.rest.start = start.max(end);
                self.fences = since(self.fences, end, |it| it.place.start);
                self.comments = since(self.comments, end, |it| it.start);
                self.elements = since(self.elements, end, |it| it.open.start);
                line = TextLine::first(self.text, place);
                (kind, place.end)
            } else {
                self.rest.start = line_end + 1;
                let after = self.text[line_end..].chars().next();
                let is_whole = start == 0 || self.text[..start].ends_with('\n');
                if !is_whole || after.is_some_and(|it| it != '\n') {
                    continue;
                }
                (PieceKind::Blank, line_end)
            };
            self.note(kind, &line);
            return Some(TextPiece { kind, line, end });
        }
    }
}
