//! Opens and ends sections, labels, items and tags.

use std::borrow::Cow;

use super::{SECTION, TextWalk};
use crate::form::document::{Content, Names, Object, PlacedValue};
use crate::form::error::FormError;
use crate::form::text::line::TextLine;
use crate::form::text::marks::{Markup, Table, trimmed};
use crate::form::text::section::{Body, TextSection, fixed, grouped};
use crate::form::tree::Collected;
use crate::text::Span;

impl<'t> TextWalk<'t, '_> {
    /// Opens a section at a heading, whose text begins at `start`.
    pub(super) fn heading(
        &mut self,
        (place, start): (Span, usize),
        level: usize,
        is_bold: bool,
        title: &'t str,
    ) -> Result<(), FormError> {
        self.close_open()?;
        self.budget.take(SECTION, place)?;
        while self.body().section().level >= level && self.body().sections.len() > 1 {
            self.end_section(place.start);
        }
        let line = TextLine::new(self.message, place);
        let label = line.label(title).filter(|it| it.value.start < it.value.end);
        let name = label.map_or(line.span_of(title), |it| it.name);
        let (message, markup) = (self.message, self.markup);
        let name = markup.text(message, name);
        let name = match name {
            Cow::Borrowed(name) => Cow::Borrowed(name.trim_end_matches([':', '：'])),
            Cow::Owned(name) => Cow::Owned(name.trim_end_matches([':', '：']).to_owned()),
        };
        let body = self.body();
        let outer = body.section();
        outer.end.get_or_insert(place.start);
        if let Some(label) = label {
            let value = markup.value(message, label.value, place);
            outer.labels.add(name.clone(), value);
        }
        body.sections.push(TextSection {
            name,
            place: Some(place),
            level,
            is_bold,
            start,
            ..TextSection::default()
        });
        Ok(())
    }

    /// Ends the innermost section.
    pub(super) fn end_section(&mut self, at: usize) {
        let body = self.body();
        let Some(mut section) = body.sections.pop() else {
            return;
        };
        let (name, place) = (std::mem::take(&mut section.name), section.place);
        let text = self.section_text(&section, at);
        let mut value = PlacedValue::unplaced(fixed(section.members(text)));
        value.place = place;
        self.body().section().sections.add(name, value);
    }

    pub(super) fn section_text(&self, section: &TextSection<'t>, at: usize) -> PlacedValue<'t> {
        let end = section.end.unwrap_or(at);
        let start = section.start.min(end);
        let span = trimmed(self.message, Span { start, end });
        self.markup.value(self.message, span, span)
    }

    /// Ends the innermost body. Returns its members.
    pub(super) fn end_body(
        &mut self,
        at: usize,
    ) -> Result<Vec<(Cow<'t, str>, PlacedValue<'t>)>, FormError> {
        self.close_open()?;
        while self.body().sections.len() > 1 {
            self.end_section(at);
        }
        let Some(mut body) = self.bodies.pop() else {
            return Ok(Vec::new());
        };
        let section = std::mem::take(body.section());
        let text = self.section_text(&section, at);
        Ok(members(section, body, text))
    }

    pub(super) fn end_tag(&mut self, at: usize) -> Result<(), FormError> {
        let tag = self.body().tag;
        let members = self.end_body(at)?;
        let mut value = PlacedValue::unplaced(fixed(members));
        if let Some((name, place)) = tag {
            value.place = Some(place);
            self.body().tags.add(Cow::Borrowed(name), value);
        }
        Ok(())
    }

    pub(super) fn body_value(
        &self,
        section: TextSection<'t>,
        body: Body<'t>,
        content: Span,
    ) -> PlacedValue<'t> {
        let place = body.tag.map(|(_, place)| place);
        let text = self
            .markup
            .value(self.message, content, trimmed(self.message, content));
        let mut value = PlacedValue::unplaced(fixed(members(section, body, text)));
        value.place = place;
        value
    }

    pub(super) fn body(&mut self) -> &mut Body<'t> {
        let last = self.bodies.len() - 1;
        &mut self.bodies[last]
    }

    /// Ends the label, the item and the paragraph.
    pub(super) fn close_open(&mut self) -> Result<(), FormError> {
        self.close_label()?;
        self.close_item()?;
        self.body().end_paragraph();
        Ok(())
    }

    pub(super) fn close_label(&mut self) -> Result<(), FormError> {
        let (message, markup) = (self.message, self.markup);
        let Some(label) = self.body().label.take() else {
            return Ok(());
        };
        self.budget.take(label.items(), label.place)?;
        let table = |number: usize| rows(message, markup, &markup.tables[number]);
        let value = label.value(message, markup, table);
        let name = markup.text(message, label.name);
        self.body().section().labels.add(name, value);
        Ok(())
    }

    pub(super) fn close_item(&mut self) -> Result<(), FormError> {
        let (message, markup) = (self.message, self.markup);
        let Some(item) = self.body().item.take() else {
            return Ok(());
        };
        self.budget.take(1, item.place)?;
        let value = markup.value(message, item.content, item.place);
        self.body().section().list.push(value);
        Ok(())
    }
}

/// All members of a body.
pub(super) fn members<'t>(
    section: TextSection<'t>,
    body: Body<'t>,
    text: PlacedValue<'t>,
) -> Vec<(Cow<'t, str>, PlacedValue<'t>)> {
    let mut members = section.members(text);
    members.push(grouped("tags", body.tags.object()));
    members.push(grouped("blocks", body.blocks.object()));
    members
}

/// The rows of a table, by the names in its head.
pub(super) fn rows<'t>(message: &'t str, markup: &Markup, table: &Table) -> Vec<PlacedValue<'t>> {
    let names: Vec<_> = table
        .head
        .iter()
        .map(|it| markup.text(message, *it))
        .collect();
    let are_distinct = Collected::are_distinct(&names);
    let rows = table.rows.iter();
    rows.map(|row| {
        let cells = row.iter().map(|it| markup.value(message, *it, *it));
        let members = names.iter().cloned().zip(cells);
        let content = if are_distinct {
            Content::Object(Object {
                members: members.collect(),
                names: Names::Alike,
            })
        } else {
            let mut object = Collected::default();
            members.for_each(|(name, value)| object.add(name, value));
            object.object()
        };
        let place = row.first().zip(row.last()).map(|(first, last)| Span {
            start: first.start,
            end: last.end,
        });
        PlacedValue {
            place,
            ..PlacedValue::unplaced(content)
        }
    })
    .collect()
}
