//! Walks over the pieces of a text and puts together what is in it: labels, lists, tables, sections, tags and blocks.

use std::collections::HashSet;
use std::mem::replace;

use self::ValueKind::{Awaited, Below, Entries, Paragraph, Rest};
use super::fences::line_end;
use super::lines::{TextLabel, TextLine, cells, span_of, trimmed};
use super::pieces::{PieceKind, TextPiece, TextPieces};
use super::scan::{Element, Scanned};
use super::span;
use super::write::{DraftKind, TextDraft};
use crate::document::error::{Budget, FormError};
use crate::document::name;
use crate::text::Span;

/// How many values a section is counted as.
const SECTION: usize = 5;

const TAGS_DEEP: usize = 24;

struct TextWalk<'t, 's> {
    found: &'s Scanned<'t>,
    budget: &'s mut Budget,
    /// The first and the last line with something on it, and how many there are.
    first: Option<Span>,
    last: Option<Span>,
    lines: usize,
}

/// A section that is open: a heading with what stands below it. A body of text is one of level 0.
#[derive(Debug, Default)]
struct TextSection {
    name: Span,
    place: Span,
    level: usize,
    is_bold: bool,
    /// Whether its heading is no bold line, has no value, and has nothing below it so far.
    is_empty: bool,
    /// Where its own text begins and, at its first subsection, ends.
    start: usize,
    end: Option<usize>,
    labels: Vec<TextDraft>,
    list: Vec<TextDraft>,
    table: Option<Vec<TextDraft>>,
    sections: Vec<TextDraft>,
    outer: Option<Box<Self>>,
}

/// What the value of a label is so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    /// The rest of its line, with the lines that continue it.
    Rest,
    Awaited,
    Paragraph,
    /// All that stands below, from a paragraph behind a blank line on.
    Below,
    Entries,
}

/// Reads all lines of a text from `start` on. Returns the members of the document.
pub(super) fn walk(
    found: &Scanned<'_>,
    start: usize,
    budget: &mut Budget,
) -> Result<Vec<TextDraft>, FormError> {
    let (first, last, lines) = (None, None, 0);
    let mut walk = TextWalk { found, budget, first, last, lines };
    let mut members = walk.body(span(start, found.text.len()), 0)?;
    let edge = |line: Option<Span>| {
        let core = line.map(|it| span_of(found.text, TextLine::new(found.text, it).core()));
        TextDraft::text(core.unwrap_or(span(start, start)), line)
    };
    let all = [
        edge(walk.first).fixed("first"),
        edge(walk.last).fixed("last"),
        TextDraft::new(DraftKind::Number(walk.lines), None, None).fixed("lines"),
    ];
    members.splice(0..0, all);
    Ok(members)
}

impl TextSection {
    fn new(start: usize) -> Self {
        Self { start, ..Self::default() }
    }

    /// Its members, if it ends at `at`.
    fn members(self, text: &str, at: usize) -> Vec<TextDraft> {
        let end = self.end.unwrap_or(at).max(self.start);
        let own = trimmed(text, span(self.start, end));
        vec![
            TextDraft::text(own, Some(own)).fixed("text"),
            TextDraft::group(DraftKind::Named, self.labels).fixed("labels"),
            TextDraft::group(DraftKind::List, self.list).fixed("list"),
            TextDraft::group(DraftKind::List, self.table.unwrap_or_default()).fixed("table"),
            TextDraft::group(DraftKind::Named, self.sections).fixed("sections"),
        ]
    }

    /// Ends the sections that are open and have at least this level. Returns the one that is open then.
    fn ended(mut self, level: usize, text: &str, at: usize) -> Self {
        while self.level >= level
            && let Some(outer) = self.outer.take()
        {
            let (name, place) = (self.name, self.place);
            let value = TextDraft::group(DraftKind::Object, self.members(text, at)).at(place);
            self = *outer;
            self.sections.push(value.named(name));
        }
        self
    }
}

impl<'t, 's> TextWalk<'t, 's> {
    /// Notes the lines of a part that have something on them. Several parts of one line are one.
    fn note(&mut self, part: Span) {
        let text = self.found.text;
        let mut at = part.start;
        for line in text[part.start..part.end].split_inclusive('\n') {
            let place = TextLine::new(text, Span::new(at, line.len())).span;
            at += line.len();
            if place.start == place.end {
                continue;
            }
            // What stands in a row of a table was noted with it.
            let between = |last: Span| text.get(last.end..place.start).unwrap_or_default();
            let is_new = self.last.is_none_or(|last| between(last).contains('\n'));
            self.lines += usize::from(is_new);
            self.first.get_or_insert(place);
            self.last = Some(place);
        }
    }

    /// Reads a text of its own: the whole return, or the content of a tag so many levels deep.
    fn body(&mut self, content: Span, depth: usize) -> Result<Vec<TextDraft>, FormError> {
        let text = self.found.text;
        let mut pieces = TextPieces::new(self.found, content, depth > 0);
        let (mut tags, mut blocks) = (Vec::new(), Vec::new());
        let mut section = TextSection::new(content.start);
        // Where the last item and the value of the last label end.
        let (mut item_end, mut label_end) = (0, 0);
        let mut is_alone = true;
        while let Some(piece) = pieces.next() {
            let TextPiece { line, kind, end } = piece;
            let was_alone = is_alone;
            if !matches!(kind, PieceKind::Inline(_)) {
                is_alone = !matches!(kind, PieceKind::Text);
            }
            let was_empty = section.is_empty;
            section.is_empty &= matches!(kind, PieceKind::Blank | PieceKind::Comment);
            match kind {
                PieceKind::Blank | PieceKind::Rule | PieceKind::Tag | PieceKind::Comment => {}
                PieceKind::Indented | PieceKind::Quote => self.note(line.span),
                PieceKind::Element(element) | PieceKind::Inline(element) => {
                    tags.push(self.element(element, depth + 1)?);
                }
                PieceKind::Fence(code) => {
                    self.note(code.content);
                    if code.is_closed {
                        self.budget.take(1, code.place)?;
                        let (code, word) = (code.content, code.word);
                        let block = TextDraft::new(DraftKind::Block, Some(code), Some(line.span));
                        blocks.push(block.named(word));
                    }
                }
                PieceKind::Table(ruler) => {
                    self.note(line.span);
                    self.note(span(ruler.end, end));
                    if section.table.is_none() {
                        section.table = Some(self.rows(&line, ruler, end)?);
                    }
                }
                PieceKind::Heading(level, title) => {
                    self.note(line.span);
                    section = self.heading(section, &piece, level, false, title)?;
                }
                PieceKind::Text => {
                    self.note(line.span);
                    if line.span.start < item_end {
                        continue;
                    }
                    if line.is_item {
                        self.budget.take(1, line.span)?;
                        item_end = self.item_end(&line, pieces.clone());
                        let item = TextDraft::text(line.item(item_end), Some(line.span));
                        section.list.push(item);
                    }
                    if line.span.start < label_end {
                        continue;
                    }
                    if let Some(label) = line.label(text) {
                        let (value, end) = self.label(&line, label, was_alone, pieces.clone())?;
                        section.labels.push(value.named(label.name));
                        label_end = end;
                    } else if let Some(title) = line.bold().filter(|_| !line.is_item)
                        && !(was_empty && self.is_only_bold(pieces.clone()))
                    {
                        // One level deeper than the heading that it stands under.
                        let level = section.level + usize::from(!section.is_bold);
                        section = self.heading(section, &piece, level, true, title)?;
                    }
                }
            }
        }
        section = section.ended(1, text, content.end);
        let mut members = section.members(text, content.end);
        members.push(TextDraft::group(DraftKind::Named, tags).fixed("tags"));
        members.push(TextDraft::group(DraftKind::Named, blocks).fixed("blocks"));
        Ok(members)
    }

    /// Whether a bold line is a text by itself: nothing but paragraphs follows it up to the next heading.
    fn is_only_bold(&self, mut pieces: TextPieces<'t, 's>) -> bool {
        let next = pieces.find(|it| match it.kind {
            PieceKind::Text => !it.line.is_paragraph(self.found.text),
            PieceKind::Blank | PieceKind::Rule | PieceKind::Comment => false,
            _ => true,
        });
        next.is_none_or(|it| matches!(it.kind, PieceKind::Heading(..)))
    }

    /// Opens a section in the one that is open, or in one around it.
    fn heading(
        &mut self,
        open: TextSection,
        piece: &TextPiece<'t>,
        level: usize,
        is_bold: bool,
        title: &'t str,
    ) -> Result<TextSection, FormError> {
        let (text, place) = (self.found.text, piece.line.span);
        self.budget.take(SECTION, place)?;
        let mut outer = open.ended(level, text, place.start);
        outer.end.get_or_insert(place.start);
        let label = TextLabel::read(text, title, false);
        let label = label.filter(|it| it.value.start < it.value.end);
        let name = label.map_or(span_of(text, title), |it| it.name);
        if let Some(label) = label {
            let value = TextDraft::text(label.value, Some(place));
            outer.labels.push(value.named(name));
        }
        Ok(TextSection {
            name,
            place,
            level,
            is_bold,
            is_empty: label.is_none() && !is_bold,
            outer: Some(Box::new(outer)),
            ..TextSection::new(piece.end)
        })
    }

    /// Reads a tag. Where it is part of a line, its content is nothing but a text.
    fn element(&mut self, element: Element<'t>, depth: usize) -> Result<TextDraft, FormError> {
        if depth > TAGS_DEEP {
            let what = format!("has tags nested deeper than {TAGS_DEEP} levels");
            return Err(FormError::limit(what, element.open));
        }
        self.budget.take(SECTION, element.open)?;
        let content = element.content();
        let members = if element.is_block {
            self.body(content, depth)?
        } else {
            TextSection::new(content.start).members(self.found.text, content.end)
        };
        let tag = TextDraft::group(DraftKind::Object, members).at(element.open);
        Ok(tag.named(span_of(self.found.text, element.name)))
    }

    fn rows(
        &mut self,
        head: &TextLine<'t>,
        ruler: Span,
        end: usize,
    ) -> Result<Vec<TextDraft>, FormError> {
        let text = self.found.text;
        let names: Vec<_> = cells(text, head.span).collect();
        let mut rows = Vec::new();
        let mut at = (line_end(text, ruler.end) + 1).min(end);
        for line in text[at..end].split_inclusive('\n') {
            let row = TextLine::new(text, Span::new(at, line.len())).span;
            at += line.len();
            let cells: Vec<_> = cells(text, row).take(names.len()).collect();
            self.budget.take(cells.len(), row)?;
            let ends = cells.first().zip(cells.last());
            let place = ends.map_or(row, |(first, last)| span(first.start, last.end));
            let cell = |(cell, name): (Span, &Span)| TextDraft::text(cell, Some(cell)).named(*name);
            let cells = cells.into_iter().zip(&names).map(cell).collect();
            rows.push(TextDraft::group(DraftKind::Named, cells).at(place));
        }
        Ok(rows)
    }

    fn item_end(&self, item: &TextLine<'t>, pieces: TextPieces<'t, 's>) -> usize {
        let mut end = item.span.end;
        let mut is_after_blank = false;
        for piece in pieces {
            let line = &piece.line;
            let is_lazy = !is_after_blank && line.is_paragraph(self.found.text);
            match piece.kind {
                PieceKind::Inline(_) => continue,
                PieceKind::Blank => {
                    is_after_blank = true;
                    continue;
                }
                PieceKind::Heading(..) | PieceKind::Rule | PieceKind::Element(_) => break,
                PieceKind::Text if is_lazy => {}
                _ if line.is_inside(item.indent) => {}
                _ => break,
            }
            (end, is_after_blank) = (piece.end, false);
        }
        end
    }

    /// The value of a label with what belongs to it, and its end. It is alone if no text is directly above it.
    fn label(
        &mut self,
        line: &TextLine<'t>,
        label: TextLabel,
        is_alone: bool,
        mut pieces: TextPieces<'t, 's>,
    ) -> Result<(TextDraft, usize), FormError> {
        let text = self.found.text;
        self.budget.take(1, line.span)?;
        let is_alone = (is_alone || label.is_bold) && !line.is_item;
        let is_empty = label.value.start == label.value.end;
        let mut kind = if is_empty { Awaited } else { Rest };
        let mut value = label.value;
        let mut end = line.span.end;
        // The lines below it, what they begin with as labels, and where each ends.
        let mut entries: Vec<(TextLine<'t>, Option<TextLabel>, usize)> = Vec::new();
        let mut is_after_blank = false;
        while let Some(piece) = pieces.next() {
            let below = piece.line;
            let is_deeper = if line.is_item {
                below.is_inside(line.indent)
            } else {
                below.indent > line.indent || below.indent == line.indent && below.is_item
            };
            let inner = below.label(text);
            let is_plain = !below.is_item && inner.is_none();
            let is_text = matches!(piece.kind, PieceKind::Text);
            let is_direct = !replace(&mut is_after_blank, false);
            let next = match (piece.kind, kind) {
                (PieceKind::Inline(_), _) => {
                    is_after_blank = !is_direct;
                    continue;
                }
                (PieceKind::Blank, _) => {
                    is_after_blank = true;
                    continue;
                }
                (PieceKind::Table(ruler), Awaited) => {
                    let rows = self.rows(&below, ruler, piece.end)?;
                    if !rows.is_empty() {
                        let table = TextDraft::group(DraftKind::List, rows).at(line.span);
                        return Ok((table, end));
                    }
                    Paragraph
                }
                (PieceKind::Text, Rest) if is_plain && is_deeper && is_direct => Rest,
                (PieceKind::Text, Paragraph) if is_plain && is_direct => Paragraph,
                (PieceKind::Text, Below) if inner.is_none() && below.bold().is_none() => Below,
                (PieceKind::Text, Awaited) if is_deeper && !is_plain => Entries,
                (PieceKind::Text, Awaited) if is_deeper => Paragraph,
                (PieceKind::Text, Awaited) if !line.is_item && is_plain && is_direct => Paragraph,
                (PieceKind::Text, Awaited)
                    if is_alone
                        && is_plain
                        && (below.bold().is_none() || self.is_only_bold(pieces.clone())) =>
                {
                    Below
                }
                (PieceKind::Indented, Awaited) => Below,
                (kind, Below) if kind.is_no_text() => Below,
                (kind, Entries) if is_deeper && (kind.is_no_text() || is_text) => Entries,
                _ => break,
            };
            if next == Entries {
                let first = entries.first().map(|it| it.0);
                let is_nested = first.is_some_and(|it| below.is_inside(it.indent));
                // Items with another kind of mark behind a blank line are another list.
                let is_other = first.is_some_and(|it| below.is_numbered() != it.is_numbered());
                if below.is_item && is_other && !is_nested && !is_direct {
                    break;
                }
                let is_part = is_nested || is_plain || !is_text;
                match entries.last_mut().filter(|_| is_part) {
                    Some(last) => last.2 = piece.end,
                    None => entries.push((below, inner, piece.end)),
                }
                self.budget.take(usize::from(!is_part), below.span)?;
            }
            if kind == Awaited {
                value.start = below.span.start;
            }
            (kind, end, value.end) = (next, piece.end, piece.end);
        }
        if entries.is_empty() {
            return Ok((TextDraft::text(value, Some(line.span)), end));
        }
        // An object if each has a name of its own, else a list.
        let names = entries.iter().map(|(_, label, _)| label.map(|it| it.name));
        let names: Option<Vec<_>> = names.collect();
        let mut keys = HashSet::new();
        let is_new = |it: &Span| keys.insert(name::key(&self.found.plain(*it)));
        let names = names.filter(|names| names.iter().all(is_new));
        let kind = names.map_or(DraftKind::List, |_| DraftKind::Named);
        let all = entries.into_iter().map(|(line, label, end)| {
            let value = match label.filter(|_| kind == DraftKind::Named) {
                None => line.item(end),
                Some(label) if end > line.span.end => span(label.value.start, end),
                Some(label) => label.value,
            };
            let name = label.map_or(Span::default(), |it| it.name);
            TextDraft::text(value, Some(line.span)).named(name)
        });
        let all = TextDraft::group(kind, all.collect()).from(value);
        Ok((all.at(line.span), end))
    }
}
