//! Sections, the bodies of text that they are in, and the values that they become.

use std::borrow::Cow;
use std::mem::replace;

use super::draft::{Collected, TextDraft};
use super::entries::{Entry, OpenLabel};
use super::lines::{TextLine, trimmed};
use super::markdown::{Markup, Region};
use super::span;
use crate::text::Span;

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
    pub(super) list: Vec<TextDraft<'t>>,
    pub(super) table: Option<Vec<TextDraft<'t>>>,
    pub(super) sections: Collected<'t>,
}

impl<'t> TextSection<'t> {
    /// Its members, if it ends at `at`.
    fn members(self, markup: &Markup<'t>, at: usize) -> Vec<TextDraft<'t>> {
        let end = self.end.unwrap_or(at);
        let text = trimmed(markup.message, span(self.start.min(end), end));
        vec![
            markup.value(text, text).named("text"),
            self.labels.object().named("labels"),
            TextDraft::list(self.list).named("list"),
            TextDraft::list(self.table.unwrap_or_default()).named("table"),
            self.sections.object().named("sections"),
        ]
    }
}

/// A text of its own that is being read: the whole return, or the content of a tag.
#[derive(Debug)]
pub(super) struct Body<'t, 'w> {
    markup: &'w Markup<'t>,
    pub(super) is_tag: bool,
    /// The innermost section that is open, and those that it is in.
    pub(super) section: TextSection<'t>,
    outer: Vec<TextSection<'t>>,
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

impl<'t, 'w> Body<'t, 'w> {
    pub(super) fn new(markup: &'w Markup<'t>, start: usize, is_tag: bool) -> Self {
        Self {
            markup,
            is_tag,
            section: TextSection {
                start,
                ..TextSection::default()
            },
            outer: Vec::new(),
            tags: Collected::default(),
            blocks: Collected::default(),
            label: None,
            item: None,
            paragraph: None,
            is_after_blank: false,
        }
    }

    /// Opens a section in the innermost one.
    pub(super) fn open(&mut self, section: TextSection<'t>) {
        let outer = replace(&mut self.section, section);
        self.outer.push(outer);
    }

    /// Ends the sections that are open and have at least this level, but for the first.
    pub(super) fn end_sections(&mut self, level: usize, at: usize) {
        while self.section.level >= level
            && let Some(outer) = self.outer.pop()
        {
            let mut section = replace(&mut self.section, outer);
            let (name, place) = (std::mem::take(&mut section.name), section.place);
            let value = TextDraft::fixed(section.members(self.markup, at));
            self.section.sections.add(value.named(name).at(place));
        }
    }

    /// Its members, if it ends at `at`.
    pub(super) fn members(mut self, at: usize) -> Vec<TextDraft<'t>> {
        self.end_sections(0, at);
        let mut members = self.section.members(self.markup, at);
        members.push(self.tags.object().named("tags"));
        members.push(self.blocks.object().named("blocks"));
        members
    }

    /// Takes a line of a paragraph. Directly below a list item it is part of the item.
    pub(super) fn plain(&mut self, line: &TextLine<'_>, is_after_blank: bool) {
        match &mut self.item {
            Some(item) if !is_after_blank => item.content.end = line.span.end,
            _ => {
                self.end_item();
                let start = self.paragraph.map_or(line.span.start, |it| it.start);
                self.paragraph = Some(span(start, line.span.end));
            }
        }
    }

    /// Takes a line that is no text of its own: it ends a paragraph, and may be part of an item.
    /// It may begin a region.
    pub(super) fn other(&mut self, line: &TextLine<'_>, region: Option<Region>) {
        self.end_paragraph();
        let label = self.label.as_mut();
        if !label.is_some_and(|it| it.take_other(line, region)) {
            self.end_label();
        }
        match &mut self.item {
            Some(item) if line.is_inside(&item.line) => item.content.end = line.span.end,
            _ => self.end_item(),
        }
    }

    /// Ends the label, the item and the paragraph.
    pub(super) fn end_open(&mut self) {
        self.end_label();
        self.end_item();
        self.end_paragraph();
    }

    pub(super) fn end_label(&mut self) {
        if let Some(label) = self.label.take() {
            let name = self.markup.text(label.name);
            self.section
                .labels
                .add(label.value(self.markup).named(name));
        }
    }

    pub(super) fn end_item(&mut self) {
        if let Some(item) = self.item.take() {
            self.section.list.push(item.value(self.markup));
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        self.paragraph = None;
        self.is_after_blank = false;
    }
}
