//! Sections, and the bodies of text that they are in.

use std::borrow::Cow;

use super::entries::OpenLabel;
use crate::form::document::{Content, Names, Object, PlacedValue};
use crate::form::tree::Collected;
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
    pub(super) list: Vec<PlacedValue<'t>>,
    pub(super) table: Option<Vec<PlacedValue<'t>>>,
    pub(super) sections: Collected<'t>,
}

impl<'t> TextSection<'t> {
    /// Its members, its text first.
    pub(super) fn members(self, text: PlacedValue<'t>) -> Vec<(Cow<'t, str>, PlacedValue<'t>)> {
        vec![
            (Cow::Borrowed("text"), text),
            grouped("labels", self.labels.object()),
            grouped("list", Content::List(self.list)),
            grouped("table", Content::List(self.table.unwrap_or_default())),
            grouped("sections", self.sections.object()),
        ]
    }
}

/// A text of its own: the whole return, or the content of a tag.
#[derive(Debug)]
pub(super) struct Body<'t> {
    /// The name and the opening tag.
    pub(super) tag: Option<(&'t str, Span)>,
    /// The sections that are open, each inside the one before it. Never empty.
    pub(super) sections: Vec<TextSection<'t>>,
    pub(super) tags: Collected<'t>,
    pub(super) blocks: Collected<'t>,
    /// The label whose value is being read.
    pub(super) label: Option<OpenLabel>,
    /// The list item that is being read.
    pub(super) item: Option<OpenItem>,
    /// The lines of the paragraph so far.
    pub(super) paragraph: usize,
    /// The last line, if it is a paragraph of its own so far.
    pub(super) alone: Option<Span>,
    /// Whether the last line was blank.
    pub(super) is_after_blank: bool,
}

/// A list item that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenItem {
    pub(super) indent: usize,
    /// Its first line.
    pub(super) place: Span,
    pub(super) content: Span,
}

impl<'t> Body<'t> {
    pub(super) fn new(tag: Option<(&'t str, Span)>, start: usize) -> Self {
        Self {
            tag,
            sections: vec![TextSection {
                start,
                ..TextSection::default()
            }],
            tags: Collected::default(),
            blocks: Collected::default(),
            label: None,
            item: None,
            paragraph: 0,
            alone: None,
            is_after_blank: false,
        }
    }

    /// The innermost section that is open.
    pub(super) fn section(&mut self) -> &mut TextSection<'t> {
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }

    /// Ends the paragraph.
    pub(super) fn end_paragraph(&mut self) {
        self.paragraph = 0;
        self.alone = None;
        self.is_after_blank = false;
    }
}

/// A member that only groups others.
pub(super) fn grouped<'t>(
    name: &'static str,
    content: Content<'t>,
) -> (Cow<'t, str>, PlacedValue<'t>) {
    (Cow::Borrowed(name), PlacedValue::unplaced(content))
}

/// An object whose names are fixed.
pub(super) fn fixed<'t>(members: Vec<(Cow<'t, str>, PlacedValue<'t>)>) -> Content<'t> {
    Content::Object(Object {
        members,
        names: Names::Exact,
    })
}
