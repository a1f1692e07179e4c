//! Sections, the bodies of text that they are in, and the values that they become.

use std::borrow::Cow;

use super::entries::{Entry, OpenLabel};
use super::lines::{STEP, TextLine, trimmed};
use super::markdown::{Markup, Region};
use super::span;
use crate::document::draft::{Collected, DraftContent, PlacedValue, fixed, placed};
use crate::text::Span;

/// Members whose names are fixed.
pub(super) type TextMembers<'t> = Vec<(&'static str, PlacedValue<'t>)>;

/// A heading with what stands below it. The first section of a body has no heading.
#[derive(Debug, Default)]
pub(super) struct TextSection<'t> {
    pub(super) name: Cow<'t, str>,
    /// Its heading.
    pub(super) place: Option<Span>,
    pub(super) level: usize,
    /// Whether its heading is a bold line.
    pub(super) is_bold: bool,
    pub(super) start: usize,
    /// Where its own text ends: at its first subsection.
    pub(super) end: Option<usize>,
    pub(super) labels: Collected<'t>,
    pub(super) list: Vec<PlacedValue<'t>>,
    pub(super) table: Option<Vec<PlacedValue<'t>>>,
    pub(super) sections: Collected<'t>,
}

impl<'t> TextSection<'t> {
    /// Its members, if it ends at `at`.
    fn members(self, markup: &Markup<'t>, at: usize) -> TextMembers<'t> {
        let end = self.end.unwrap_or(at);
        let start = self.start.min(end);
        let text = trimmed(markup.message, span(start, end));
        let table = self.table.unwrap_or_default();
        vec![
            ("text", markup.value(text, text)),
            ("labels", placed(self.labels.object(), None)),
            ("list", placed(DraftContent::List(self.list), None)),
            ("table", placed(DraftContent::List(table), None)),
            ("sections", placed(self.sections.object(), None)),
        ]
    }
}

/// A text of its own that is being read: the whole return, or the content of a tag.
#[derive(Debug, Default)]
pub(super) struct Body<'t> {
    pub(super) is_tag: bool,
    /// The innermost section that is open, and those that it is in.
    pub(super) section: TextSection<'t>,
    pub(super) outer: Vec<TextSection<'t>>,
    pub(super) tags: Collected<'t>,
    pub(super) blocks: Collected<'t>,
    /// The label whose value is being read.
    pub(super) label: Option<OpenLabel<'t>>,
    /// The list item that is being read.
    pub(super) item: Option<Entry<'t>>,
    /// The paragraph so far.
    pub(super) paragraph: Option<Span>,
    /// Whether the last line was blank.
    pub(super) is_after_blank: bool,
}

impl<'t> Body<'t> {
    pub(super) fn new(start: usize, is_tag: bool) -> Self {
        let mut body = Self::default();
        body.section.start = start;
        body.is_tag = is_tag;
        body
    }

    /// Ends the sections that are open and have at least this level, but for the first.
    pub(super) fn end_sections(&mut self, level: usize, markup: &Markup<'t>, at: usize) {
        while self.section.level >= level
            && let Some(outer) = self.outer.pop()
        {
            let mut section = std::mem::replace(&mut self.section, outer);
            let name = std::mem::take(&mut section.name);
            let place = section.place;
            let value = fixed(section.members(markup, at), place);
            self.section.sections.add(name, value);
        }
    }

    /// Its members, if it ends at `at`.
    pub(super) fn members(mut self, markup: &Markup<'t>, at: usize) -> TextMembers<'t> {
        self.end_sections(0, markup, at);
        let mut members = self.section.members(markup, at);
        members.push(("tags", placed(self.tags.object(), None)));
        members.push(("blocks", placed(self.blocks.object(), None)));
        members
    }

    /// Takes a line of a paragraph. Directly below a list item it is part of the item.
    pub(super) fn plain(&mut self, markup: &Markup<'t>, line: &TextLine<'_>, is_after_blank: bool) {
        match &mut self.item {
            Some(item) if !is_after_blank => item.content.end = line.span.end,
            _ => {
                self.end_item(markup);
                let start = self.paragraph.map_or(line.span.start, |it| it.start);
                self.paragraph = Some(span(start, line.span.end));
            }
        }
    }

    /// Takes a line that is no text of its own: it ends a paragraph, and may be part of an item.
    /// It may begin a region.
    pub(super) fn other(
        &mut self,
        markup: &Markup<'t>,
        line: &TextLine<'_>,
        region: Option<Region>,
    ) {
        self.end_paragraph();
        let label = self.label.as_mut();
        if !label.is_some_and(|it| it.take_other(line, region)) {
            self.end_label(markup);
        }
        match &mut self.item {
            Some(item) if line.indent >= item.line.indent + STEP => {
                item.content.end = line.span.end;
            }
            _ => self.end_item(markup),
        }
    }

    /// Ends the label, the item and the paragraph.
    pub(super) fn end_open(&mut self, markup: &Markup<'t>) {
        self.end_label(markup);
        self.end_item(markup);
        self.end_paragraph();
    }

    pub(super) fn end_label(&mut self, markup: &Markup<'t>) {
        if let Some(label) = self.label.take() {
            let name = markup.text(label.name);
            self.section.labels.add(name, label.value(markup));
        }
    }

    pub(super) fn end_item(&mut self, markup: &Markup<'t>) {
        if let Some(item) = self.item.take() {
            self.section.list.push(item.value(markup));
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        self.paragraph = None;
        self.is_after_blank = false;
    }
}
