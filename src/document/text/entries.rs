//! What stands below a label: its value, as long as lines belong to it.

use self::ValueKind::{Awaited, Below, Entries, Paragraph, Rest, Table};
use super::draft::{Collected, TextDraft};
use super::lines::{TextLabel, TextLine};
use super::markdown::{Markup, Region, RegionKind};
use super::span;
use crate::text::Span;

/// An item of a list, or a line below a label.
#[derive(Debug)]
pub(super) struct Entry<'t> {
    /// Its first line.
    pub(super) line: TextLine<'t>,
    pub(super) content: Span,
    label: Option<TextLabel>,
}

impl<'t> Entry<'t> {
    pub(super) fn new(line: &TextLine<'t>, label: Option<TextLabel>) -> Self {
        Self {
            line: *line,
            content: span(line.span.end - line.content.len(), line.span.end),
            label,
        }
    }

    pub(super) fn value(&self, markup: &Markup<'t>) -> TextDraft<'t> {
        markup.value(self.content, self.line.span)
    }
}

/// A label whose value is being read.
#[derive(Debug)]
pub(super) struct OpenLabel<'t> {
    pub(super) line: TextLine<'t>,
    pub(super) name: Span,
    /// Whether nothing else stands in its paragraph, so that it may be a heading of what follows.
    is_alone: bool,
    kind: ValueKind,
    /// The value so far, from its first to its last line.
    value: Span,
    pub(super) entries: Vec<Entry<'t>>,
}

/// What the value of a label is so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    /// The rest of its line, with the lines that continue it.
    Rest,
    /// Nothing yet.
    Awaited,
    /// The paragraph directly below.
    Paragraph,
    /// All that stands below, from a paragraph behind a blank line on.
    Below,
    /// Deeper lines or items.
    Entries,
    /// A table, by its number.
    Table(usize),
}

impl<'t> OpenLabel<'t> {
    /// A label on a line.
    pub(super) fn new(label: TextLabel, line: &TextLine<'t>, is_alone: bool) -> Self {
        let is_empty = label.value.start == label.value.end;
        Self {
            line: *line,
            name: label.name,
            is_alone: is_alone || label.is_bold,
            kind: if is_empty { Awaited } else { Rest },
            value: label.value,
            entries: Vec::new(),
        }
    }

    /// Takes a line of text, if it belongs to the label. `label` is what the line begins with.
    pub(super) fn take(
        &mut self,
        line: &TextLine<'t>,
        label: Option<TextLabel>,
        is_after_blank: bool,
    ) -> bool {
        let is_plain = !line.is_item && label.is_none();
        let is_deeper = self.is_below(line);
        let is_heading = line.bold().is_some();
        let end = line.span.end;
        match self.kind {
            Rest if is_plain && is_deeper && !is_after_blank => {}
            Paragraph if is_plain && !is_after_blank => {}
            Below if label.is_none() && !is_heading => {}
            Awaited if is_deeper && !is_plain => {
                (self.kind, self.value) = (Entries, line.span);
                self.entries.push(Entry::new(line, label));
            }
            Awaited if is_deeper || !self.line.is_item && is_plain && !is_after_blank => {
                (self.kind, self.value) = (Paragraph, line.span);
            }
            Awaited if self.is_alone && !self.line.is_item && is_plain && !is_heading => {
                (self.kind, self.value) = (Below, line.span);
            }
            Entries if is_deeper => {
                let first = &self.entries[0].line;
                let is_nested = line.is_inside(first);
                // Items with another kind of mark behind a blank line are another list.
                let is_other = line.is_item && line.is_numbered() != first.is_numbered();
                if is_other && !is_nested && is_after_blank {
                    return false;
                }
                match self.entries.last_mut() {
                    Some(last) if is_nested || is_plain => last.content.end = end,
                    _ => self.entries.push(Entry::new(line, label)),
                }
            }
            _ => return false,
        }
        self.value.end = end;
        true
    }

    /// Takes code, a table or a line that is no text of its own, if it belongs to the label. If nothing else
    /// stands below the label, a table is its value as rows, and code by its indentation as a text.
    pub(super) fn take_other(&mut self, line: &TextLine<'_>, region: Option<Region>) -> bool {
        let is_deeper = self.is_below(line);
        let place = region.map_or(line.span, |it| it.span);
        match (self.kind, region.map(|it| it.kind), self.entries.last_mut()) {
            (Below, ..) => self.value.end = place.end.max(self.value.end),
            (Awaited, Some(RegionKind::Indented), _) => (self.kind, self.value) = (Below, place),
            (Entries, _, Some(last)) if is_deeper => {
                last.content.end = line.span.end;
                self.value.end = line.span.end;
            }
            (Awaited, Some(RegionKind::Table(number)), _) => {
                self.kind = Table(number);
                return false;
            }
            _ => return false,
        }
        true
    }

    /// Whether its value goes on behind blank lines, up to the next label or heading.
    pub(super) fn is_open(&self) -> bool {
        self.kind == Below
    }

    /// Gives back what a heading that begins at `start` has in it.
    pub(super) fn end_before(&mut self, start: usize) {
        if self.is_open() {
            self.value.start = self.value.start.min(start);
            self.value.end = self.value.end.min(start);
        }
    }

    fn is_below(&self, line: &TextLine<'_>) -> bool {
        if self.line.is_item {
            line.is_inside(&self.line)
        } else {
            line.indent > self.line.indent || line.indent == self.line.indent && line.is_item
        }
    }

    pub(super) fn value(&self, markup: &Markup<'t>) -> TextDraft<'t> {
        let value = match self.kind {
            Table(number) => TextDraft::list(markup.rows(number)),
            Entries => self.below(markup).from(self.value),
            _ => return markup.value(self.value, self.line.span),
        };
        value.at(Some(self.line.span))
    }

    /// An object if each entry has a name of its own, else a list.
    fn below(&self, markup: &Markup<'t>) -> TextDraft<'t> {
        let labels: Option<Vec<_>> = self.entries.iter().map(|it| it.label).collect();
        let labels = labels.unwrap_or_default();
        let names: Vec<_> = labels.iter().map(|it| markup.text(it.name)).collect();
        let entries = self.entries.iter();
        if names.is_empty() || !Collected::are_distinct(&names) {
            return TextDraft::list(entries.map(|it| it.value(markup)).collect());
        }
        let members = entries
            .zip(labels)
            .zip(names)
            .map(|((entry, label), name)| {
                let mut value = label.value;
                if entry.content.end > entry.line.span.end {
                    value.end = entry.content.end;
                }
                markup.value(value, entry.line.span).named(name)
            });
        TextDraft::object(members.collect())
    }
}
