//! Walks over the lines of a text and gathers its sections, labels, lists, tables, tags and blocks.

use std::borrow::Cow;
use std::mem::replace;

use memchr::memchr;

use super::draft::TextDraft;
use super::entries::{Entry, OpenLabel};
use super::lines::{TextLabel, TextLine, span_of};
use super::markdown::{Markup, Region, RegionKind};
use super::scan::{Element, fence};
use super::sections::{Body, TextSection};
use super::span;
use crate::document::error::{Budget, FormError};
use crate::document::json::{Refused, read};
use crate::document::tree::Tree;
use crate::document::{ITEMS_AT_MOST, yaml};
use crate::text::Span;

/// How many values a section is counted as.
const SECTION: usize = 5;

/// What ends the name of a heading that is no label.
const COLONS: [char; 2] = [':', '：'];

/// A walk over a text.
struct TextWalk<'t, 'w> {
    message: &'t str,
    markup: &'w Markup<'t>,
    /// The regions and the tags from here on.
    regions: &'w [Region],
    elements: &'w [Element<'t>],
    budget: &'w mut Budget,
    /// The innermost body that is open.
    body: Body<'t, 'w>,
    first: Option<Span>,
    last: Option<Span>,
    lines: usize,
}

/// Reads all lines of a text from `start` on. Returns the members of the document.
pub(super) fn walk<'t>(
    start: usize,
    markup: &Markup<'t>,
    elements: &[Element<'t>],
    budget: &mut Budget,
) -> Result<Vec<TextDraft<'t>>, FormError> {
    let mut walk = TextWalk {
        message: markup.message,
        markup,
        regions: &markup.regions,
        elements,
        budget,
        body: Body::new(markup, start, false),
        first: None,
        last: None,
        lines: 0,
    };
    let end = walk.message.len();
    walk.lines(span(start, end))?;
    let mut members = vec![
        walk.edge(walk.first).named("first"),
        walk.edge(walk.last).named("last"),
        TextDraft::number(walk.lines).named("lines"),
    ];
    members.extend(walk.body.members(end));
    Ok(members)
}

impl<'t> TextWalk<'t, '_> {
    fn edge(&self, line: Option<Span>) -> TextDraft<'t> {
        let Some(span) = line else {
            return TextDraft::text("");
        };
        let core = TextLine::new(self.message, span).core();
        self.markup.value(span_of(self.message, core), span)
    }

    /// Reads the lines of a body. They are cut at the tags that stand on lines of their own.
    fn lines(&mut self, content: Span) -> Result<(), FormError> {
        let mut at = content.start;
        while at < content.end {
            let rest = &self.message.as_bytes()[at..content.end];
            let end = memchr(b'\n', rest).map_or(content.end, |it| at + it);
            while at <= end
                && let Some((element, rest)) = self.elements.split_first()
                && element.open.start < end
            {
                self.elements = rest;
                if element.is_block {
                    self.line(at, element.open.start)?;
                    at = element.close.end;
                }
                self.element(element)?;
            }
            if at <= end {
                self.line(at, end)?;
                at = end + 1;
            }
        }
        self.body.end_open();
        Ok(())
    }

    /// Adds a tag, with the tags inside of it.
    fn element(&mut self, element: &Element<'t>) -> Result<(), FormError> {
        self.budget.take(SECTION, element.open)?;
        let content = element.content();
        if element.is_block {
            self.body.end_open();
        }
        let body = Body::new(self.markup, content.start, true);
        let outer = replace(&mut self.body, body);
        if element.is_block {
            self.lines(content)?;
        }
        while let Some((inner, rest)) = self.elements.split_first()
            && inner.open.start < content.end
        {
            self.elements = rest;
            self.element(inner)?;
        }
        let body = replace(&mut self.body, outer);
        let value = TextDraft::fixed(body.members(content.end)).at(Some(element.open));
        self.body.tags.add(value.named(element.name));
        Ok(())
    }

    /// Reads a line, or the part of it outside of tags.
    fn line(&mut self, start: usize, end: usize) -> Result<(), FormError> {
        let line = TextLine::new(self.message, span(start, end));
        let is_end = |it: Option<&u8>| it.is_none_or(|it| *it == b'\n');
        let bytes = self.message.as_bytes();
        let is_whole = is_end(bytes[..start].last()) && is_end(bytes.get(end));
        if line.text.is_empty() && !is_whole {
            return Ok(());
        }
        let regions = self.regions.iter();
        let before = regions.take_while(|it| it.span.end <= start).count();
        self.regions = &self.regions[before..];
        let is_here = |it: &Region| {
            it.span.start < end && !(self.body.is_tag && it.kind == RegionKind::Indented)
        };
        match self.regions.first().copied().filter(is_here) {
            Some(region) => self.in_region(&line, region, region.span.start >= start),
            None if line.text.is_empty() => {
                self.body.end_paragraph();
                self.body.is_after_blank = true;
                Ok(())
            }
            None => self.outside(&line),
        }
    }

    fn in_region(
        &mut self,
        line: &TextLine<'t>,
        region: Region,
        is_first: bool,
    ) -> Result<(), FormError> {
        if is_first {
            self.body.other(line, Some(region));
        } else if let Some(item) = &mut self.body.item {
            item.content.end = line.span.end.max(item.content.end);
        }
        let is_said = match region.kind {
            RegionKind::Fenced { content, is_closed } => {
                if is_first && is_closed {
                    self.budget.take(1, region.span)?;
                    self.block(line, content);
                }
                line.span.start >= content.start && line.span.end <= content.end
            }
            RegionKind::Indented => true,
            RegionKind::Comment => false,
            RegionKind::Table(number) => {
                if is_first {
                    let table = &mut self.body.section.table;
                    table.get_or_insert_with(|| self.markup.rows(number));
                }
                !line.text.trim_matches(['|', '-', ':', ' ']).is_empty()
            }
        };
        if is_said {
            self.count(line);
        }
        Ok(())
    }

    /// Adds fenced code: as data if it is JSON or says that it is YAML, else as a text.
    fn block(&mut self, line: &TextLine<'t>, content: Span) {
        let name = fence(line.text).map_or("", |it| it.word());
        let text = &self.message[content.start..content.end];
        let is = |word: &&str| name.eq_ignore_ascii_case(word);
        let data = if ["yaml", "yml"].iter().any(is) {
            yaml::read(text, self.budget).ok()
        } else if is(&"json") || text.trim_start().starts_with(['{', '[']) {
            self.json(text)
        } else {
            None
        };
        let text = text.trim_end_matches(['\n', '\r']);
        let value = if let Some(data) = data {
            TextDraft::data(data, content.start)
        } else {
            let source = Span::new(content.start, text.len());
            TextDraft::text(text).at(Some(line.span)).from(source)
        };
        self.body.blocks.add(value.named(name));
    }

    /// Reads JSON within the limits of the whole. None if it is none.
    fn json(&mut self, text: &'t str) -> Option<Tree<'t>> {
        let tree = read(text);
        let items = match &tree {
            Ok(tree) => tree.len(),
            Err(Refused::Items(_)) => ITEMS_AT_MOST + 1,
            Err(_) => 0,
        };
        self.budget.take(items, Span::default()).ok()?;
        tree.ok().filter(|it| !it.has_duplicate_key())
    }

    /// Counts a line with something on it. Several parts of one are one line.
    fn count(&mut self, line: &TextLine<'t>) {
        if line.text.is_empty() {
            return;
        }
        let between = self.last.map(|it| &self.message[it.end..line.span.start]);
        self.lines += usize::from(between.is_none_or(|it| it.contains('\n')));
        self.first.get_or_insert(line.span);
        self.last = Some(line.span);
    }

    /// Reads a line outside of code and tables.
    fn outside(&mut self, line: &TextLine<'t>) -> Result<(), FormError> {
        if line.is_tag() {
            self.body.other(line, None);
            return Ok(());
        }
        let is_one_line = |it: &Span| !self.message[it.start..it.end].contains('\n');
        if let Some(level) = line.underline()
            && let Some(place) = self.body.paragraph.filter(is_one_line)
        {
            if let Some(label) = &mut self.body.label {
                label.end_before(place.start);
            }
            let title = &self.message[place.start..place.end];
            return self.heading((place, line.span.end), level, false, title);
        }
        if line.is_rule() {
            self.body.end_open();
            return Ok(());
        }
        self.count(line);
        if line.is_quote() {
            self.body.other(line, None);
            return Ok(());
        }
        match line.heading() {
            Some((level, title)) => self.heading((line.span, line.span.end), level, false, title),
            None => self.content(line),
        }
    }

    /// Opens a section at a heading, whose text begins at `start`.
    fn heading(
        &mut self,
        (place, start): (Span, usize),
        level: usize,
        is_bold: bool,
        title: &'t str,
    ) -> Result<(), FormError> {
        self.budget.take(SECTION, place)?;
        let (message, markup, body) = (self.message, self.markup, &mut self.body);
        body.end_open();
        body.end_sections(level, place.start);
        let label = TextLabel::read(message, title, false);
        let label = label.filter(|it| it.value.start < it.value.end);
        let mut name = markup.text(label.map_or(span_of(message, title), |it| it.name));
        if name.ends_with(COLONS) {
            name = Cow::Owned(name.trim_end_matches(COLONS).to_owned());
        }
        body.section.end.get_or_insert(place.start);
        if let Some(label) = label {
            let value = markup.value(label.value, place);
            body.section.labels.add(value.named(name.clone()));
        }
        body.open(TextSection {
            name,
            place: Some(place),
            level,
            is_bold,
            start,
            ..TextSection::default()
        });
        Ok(())
    }

    /// Reads a line of text: of a label, a list item or a paragraph.
    fn content(&mut self, line: &TextLine<'t>) -> Result<(), FormError> {
        let label = TextLabel::read(self.message, line.content, line.is_item);
        let body = &mut self.body;
        let is_after_blank = std::mem::take(&mut body.is_after_blank);
        let is_alone = is_after_blank
            || body.paragraph.is_none() && body.item.is_none() && body.label.is_none();
        let mut is_taken = false;
        if let Some(open) = &mut body.label {
            let entries = open.entries.len();
            is_taken = open.take(line, label, is_after_blank);
            self.budget
                .take(open.entries.len() - entries, open.line.span)?;
        }
        if !is_taken {
            body.end_label();
        }
        if let Some(item) = &mut body.item
            && line.is_inside(&item.line)
        {
            item.content.end = line.span.end;
            return Ok(());
        }
        let is_plain = match &body.label {
            Some(open) if is_taken => open.is_open(),
            _ => label.is_none() && line.bold().is_none(),
        };
        if line.is_item {
            self.budget.take(1, line.span)?;
            body.end_item();
            body.end_paragraph();
            body.item = Some(Entry::new(line, label));
        } else if is_plain {
            body.plain(line, is_after_blank);
        } else {
            body.end_item();
            body.end_paragraph();
        }
        if is_taken {
            return Ok(());
        }
        if let Some(label) = label {
            self.budget.take(1, line.span)?;
            body.label = Some(OpenLabel::new(label, line, is_alone));
        } else if let Some(title) = line.bold().filter(|_| !line.is_item) {
            // One level deeper than the heading that it stands under.
            let level = body.section.level + usize::from(!body.section.is_bold);
            return self.heading((line.span, line.span.end), level, true, title);
        }
        Ok(())
    }
}
