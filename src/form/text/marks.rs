//! What is in a text besides its words: code, comments, tables, and the marks inside of lines.

use std::borrow::Cow;

use crate::form::document::{Content, PlacedValue};
use crate::text::Span;

/// Lines that are not read one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineRegion {
    pub(super) span: Span,
    pub(super) kind: RegionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionKind {
    /// Fenced code with its content. The content of an unclosed fence runs to the end.
    Fenced {
        /// What stands between the fences.
        content: Span,
        /// Whether there is a closing fence.
        is_closed: bool,
    },
    /// Code by its indentation.
    Indented,
    Comment,
    /// A table, by its number.
    Table(usize),
}

/// The cells of a table.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) head: Vec<Span>,
    pub(super) rows: Vec<Vec<Span>>,
}

/// Something that is no part of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    pub(super) span: Span,
    /// The whole that it is a mark of, if the mark counts only around a whole value.
    pub(super) whole: Option<Span>,
}

/// What a Markdown reader found.
#[derive(Debug, Default)]
pub(super) struct Markup {
    pub(super) regions: Vec<LineRegion>,
    pub(super) tables: Vec<Table>,
    pub(super) removals: Vec<Removal>,
}

impl Markup {
    /// The text of a part of the message, without marks and without white space around it.
    pub(super) fn text<'t>(&self, message: &'t str, part: Span) -> Cow<'t, str> {
        self.unmarked(message, trimmed(message, part))
    }

    fn unmarked<'t>(&self, message: &'t str, part: Span) -> Cow<'t, str> {
        let first = self
            .removals
            .partition_point(|it| it.span.start < part.start);
        let inside = self.removals[first..]
            .iter()
            .take_while(|it| it.span.start < part.end)
            .filter(|it| it.whole.is_none_or(|whole| whole == part));
        let mut text = String::new();
        let mut at = part.start;
        for removal in inside {
            if removal.span.start >= at {
                text.push_str(&message[at..removal.span.start]);
                at = removal.span.end.min(part.end);
            }
        }
        if at == part.start {
            return Cow::Borrowed(&message[part.start..part.end]);
        }
        text.push_str(&message[at..part.end]);
        Cow::Owned(text.trim().to_owned())
    }

    /// The same as a value of its own. Reports point to `place`.
    pub(super) fn value<'t>(&self, message: &'t str, part: Span, place: Span) -> PlacedValue<'t> {
        let part = trimmed(message, part);
        PlacedValue {
            content: Content::Text(self.unmarked(message, part)),
            place: Some(place),
            source: Some(part),
        }
    }

    pub(super) fn remove(&mut self, span: Span) {
        self.removals.push(Removal { span, whole: None });
    }
}

/// A part of the message without the white space around it.
pub(super) fn trimmed(message: &str, part: Span) -> Span {
    let text = &message[part.start..part.end];
    let rest = text.trim_start();
    let start = part.start + text.len() - rest.len();
    Span::new(start, rest.trim_end().len())
}
