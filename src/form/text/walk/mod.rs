//! Walks over the lines of a text and gathers its sections, labels, lists, tables, tags and blocks.

mod close;
mod content;

use std::borrow::Cow;

use crate::form::document::{Content, PlacedValue};
use crate::form::error::FormError;
use crate::form::text::line::TextLine;
use crate::form::text::marks::{Markup, RegionKind};
use crate::form::text::section::Body;
use crate::form::text::tags::{Element, Elements};
use crate::form::tree::{Budget, Collected};
use crate::text::Span;

/// How many values a section is counted as.
const SECTION: usize = 5;

/// A walk over a text.
pub(super) struct TextWalk<'t, 'w> {
    message: &'t str,
    markup: &'w Markup,
    elements: &'w Elements<'t>,
    budget: &'w mut Budget,
    /// The bodies that are open, each in the one before it. Never empty.
    bodies: Vec<Body<'t>>,
    /// The next of the regions, and of the tags.
    region: usize,
    element: usize,
    /// The closing tags of the open bodies.
    closing: Vec<Span>,
    first: Option<Span>,
    last: Option<Span>,
    lines: usize,
}

impl<'t, 'w> TextWalk<'t, 'w> {
    pub(super) fn new(
        message: &'t str,
        start: usize,
        markup: &'w Markup,
        elements: &'w Elements<'t>,
        budget: &'w mut Budget,
    ) -> Self {
        Self {
            message,
            markup,
            elements,
            budget,
            bodies: vec![Body::new(None, start)],
            region: 0,
            element: 0,
            closing: Vec::new(),
            first: None,
            last: None,
            lines: 0,
        }
    }

    /// Reads all lines from `start` on. Returns the members of the document.
    pub(super) fn run(
        mut self,
        start: usize,
    ) -> Result<Vec<(Cow<'t, str>, PlacedValue<'t>)>, FormError> {
        let mut at = start;
        while at < self.message.len() {
            let rest = &self.message.as_bytes()[at..];
            let end = memchr::memchr(b'\n', rest).map_or(self.message.len(), |it| at + it);
            self.physical_line(Span { start: at, end })?;
            at = end + 1;
        }
        let members = self.end_body(self.message.len())?;
        let number = Content::Number(self.lines.to_string().into());
        let mut all = vec![
            (Cow::Borrowed("first"), self.edge(self.first)),
            (Cow::Borrowed("last"), self.edge(self.last)),
            (Cow::Borrowed("lines"), PlacedValue::unplaced(number)),
        ];
        all.extend(members);
        Ok(all)
    }

    fn edge(&self, line: Option<Span>) -> PlacedValue<'t> {
        let Some(span) = line else {
            return PlacedValue::unplaced(Content::Text(Cow::Borrowed("")));
        };
        let line = TextLine::new(self.message, span);
        self.markup.value(self.message, line.core(), span)
    }

    /// Cuts a line at the tags that stand on lines of their own.
    fn physical_line(&mut self, line: Span) -> Result<(), FormError> {
        let mut at = line.start;
        let before = self.lines;
        loop {
            let all = &self.elements.all;
            let opening = all.get(self.element).filter(|it| it.open.start < line.end);
            let closing = self.closing.last().filter(|it| it.start < line.end);
            match (opening, closing) {
                (Some(element), closing)
                    if closing.is_none_or(|it| element.open.start < it.start) =>
                {
                    let element = *element;
                    if element.is_block {
                        self.piece(at, element.open.start, line)?;
                        at = element.open.end;
                        self.element += 1;
                        self.budget.take(SECTION, element.open)?;
                        self.closing.push(element.close);
                        self.close_open()?;
                        let tag = Some((element.name, element.open));
                        self.bodies.push(Body::new(tag, at));
                    } else {
                        self.inline(element)?;
                    }
                }
                (_, Some(close)) => {
                    let close = *close;
                    self.piece(at, close.start, line)?;
                    at = close.end;
                    self.closing.pop();
                    self.end_tag(close.start)?;
                }
                _ => break,
            }
        }
        if at > line.start && self.message[at.min(line.end)..line.end].trim().is_empty() {
            self.lines = self.lines.min(before + 1);
            return Ok(());
        }
        self.line(Span {
            start: at,
            end: line.end,
        })?;
        self.lines = self.lines.min(before + 1);
        Ok(())
    }

    /// Reads what stands on a line before a tag.
    fn piece(&mut self, start: usize, end: usize, line: Span) -> Result<(), FormError> {
        let start = start.max(line.start);
        if self.message[start..end].trim().is_empty() {
            return Ok(());
        }
        self.line(Span { start, end })
    }

    /// Adds a tag within a text, with the tags inside of it.
    fn inline(&mut self, element: Element<'t>) -> Result<(), FormError> {
        let value = self.inline_value(element)?;
        self.body().tags.add(Cow::Borrowed(element.name), value);
        Ok(())
    }

    fn inline_value(&mut self, element: Element<'t>) -> Result<PlacedValue<'t>, FormError> {
        self.element += 1;
        self.budget.take(SECTION, element.open)?;
        let mut tags = Collected::default();
        while let Some(inner) = self.elements.all.get(self.element)
            && inner.open.start < element.close.start
        {
            let inner = *inner;
            tags.add(Cow::Borrowed(inner.name), self.inline_value(inner)?);
        }
        let content = Span {
            start: element.open.end,
            end: element.close.start,
        };
        let mut body = Body::new(Some((element.name, element.open)), content.start);
        body.tags = tags;
        let section = std::mem::take(body.section());
        Ok(self.body_value(section, body, content))
    }

    /// Reads a line, or the part of it outside of tags.
    fn line(&mut self, span: Span) -> Result<(), FormError> {
        let line = TextLine::new(self.message, span);
        let regions = &self.markup.regions[self.region..];
        self.region += regions
            .iter()
            .take_while(|it| it.span.end <= span.start)
            .count();
        let region = self.markup.regions.get(self.region);
        let region = region.filter(|it| it.span.start < span.end);
        let is_tagged = self.bodies.len() > 1;
        match region.copied() {
            Some(region) if !(is_tagged && region.kind == RegionKind::Indented) => {
                let is_first = region.span.start >= span.start;
                self.in_region(&line, region.span, region.kind, is_first)
            }
            _ if line.text.is_empty() => {
                let body = self.body();
                body.end_paragraph();
                body.is_after_blank = true;
                Ok(())
            }
            _ => self.outside(&line),
        }
    }
}
