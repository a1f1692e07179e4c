//! What stands below a label: its value, as long as lines belong to it.

use super::line::{STEP, TextLabel, TextLine};
use super::marks::Markup;
use crate::form::document::{Content, PlacedValue};
use crate::form::tree::Collected;
use crate::text::Span;

/// A label whose value is being read.
#[derive(Debug)]
pub(super) struct OpenLabel {
    pub(super) name: Span,
    /// Its line.
    pub(super) place: Span,
    indent: usize,
    is_item: bool,
    value: LabelValue,
}

/// The value of a label so far.
#[derive(Debug)]
enum LabelValue {
    /// The rest of its line, with the lines that continue it.
    Rest(Span),
    /// Nothing yet.
    Awaited(Span),
    /// The paragraph directly below.
    Paragraph(Span),
    /// Deeper lines or items.
    Entries { indent: usize, all: Vec<LabelEntry> },
    /// A table, by its number.
    Table(usize),
}

/// A line or an item below a label.
#[derive(Debug)]
struct LabelEntry {
    place: Span,
    content: Span,
    label: Option<TextLabel>,
}

impl OpenLabel {
    /// A label on a line.
    pub(super) fn new(label: TextLabel, line: &TextLine<'_>) -> Self {
        let is_empty = label.value.start == label.value.end;
        Self {
            name: label.name,
            place: line.span,
            indent: line.indent,
            is_item: line.item.is_some(),
            value: if is_empty {
                LabelValue::Awaited(label.value)
            } else {
                LabelValue::Rest(label.value)
            },
        }
    }

    /// Takes a line of text, if it belongs to the label. `label` is what the line begins with.
    pub(super) fn take(
        &mut self,
        line: &TextLine<'_>,
        label: Option<TextLabel>,
        is_after_blank: bool,
    ) -> bool {
        let content = line.item.unwrap_or(line.text);
        let is_plain = line.item.is_none() && label.is_none();
        let is_deeper = self.is_below(line);
        let end = line.span.end;
        match &mut self.value {
            LabelValue::Rest(value) if is_plain && is_deeper && !is_after_blank => value.end = end,
            LabelValue::Paragraph(value) if is_plain && !is_after_blank => value.end = end,
            LabelValue::Awaited(_) if is_deeper && !is_plain => {
                self.value = LabelValue::Entries {
                    indent: line.indent,
                    all: vec![LabelEntry::new(line, content, label)],
                };
            }
            LabelValue::Awaited(_) if is_deeper || !self.is_item && is_plain && !is_after_blank => {
                self.value = LabelValue::Paragraph(line.span);
            }
            LabelValue::Entries { indent, all } if is_deeper => {
                let is_nested = line.indent >= *indent + STEP;
                match all.last_mut() {
                    Some(last) if is_nested || is_plain => last.content.end = end,
                    _ => all.push(LabelEntry::new(line, content, label)),
                }
            }
            _ => return false,
        }
        true
    }

    /// Takes a line of code or of a quotation, if it belongs to an entry.
    pub(super) fn take_other(&mut self, line: &TextLine<'_>) -> bool {
        let is_deeper = self.is_below(line);
        match &mut self.value {
            LabelValue::Entries { all, .. } if is_deeper => {
                if let Some(last) = all.last_mut() {
                    last.content.end = line.span.end;
                }
                true
            }
            _ => false,
        }
    }

    /// Takes a table, if nothing else stands below the label.
    pub(super) fn take_table(&mut self, number: usize) {
        if let LabelValue::Awaited(_) = self.value {
            self.value = LabelValue::Table(number);
        }
    }

    fn is_below(&self, line: &TextLine<'_>) -> bool {
        if self.is_item {
            line.indent >= self.indent + STEP
        } else {
            line.indent > self.indent || line.indent == self.indent && line.item.is_some()
        }
    }

    /// How many items and names its value has.
    pub(super) fn items(&self) -> usize {
        match &self.value {
            LabelValue::Entries { all, .. } => all.len() + 1,
            _ => 1,
        }
    }

    /// Its value. `table` makes the rows of a table.
    pub(super) fn value<'t>(
        &self,
        message: &'t str,
        markup: &Markup,
        table: impl FnOnce(usize) -> Vec<PlacedValue<'t>>,
    ) -> PlacedValue<'t> {
        match &self.value {
            LabelValue::Rest(value) | LabelValue::Awaited(value) | LabelValue::Paragraph(value) => {
                markup.value(message, *value, self.place)
            }
            LabelValue::Table(number) => PlacedValue::at(Content::List(table(*number)), self.place),
            LabelValue::Entries { all, .. } => PlacedValue {
                content: entries(message, markup, all),
                place: Some(self.place),
                source: all.first().zip(all.last()).map(|(first, last)| Span {
                    start: first.place.start,
                    end: last.content.end,
                }),
            },
        }
    }
}

impl LabelEntry {
    fn new(line: &TextLine<'_>, content: &str, label: Option<TextLabel>) -> Self {
        Self {
            place: line.span,
            content: line.span_of(content),
            label,
        }
    }
}

/// An object if all entries have names, else a list.
fn entries<'t>(message: &'t str, markup: &Markup, all: &[LabelEntry]) -> Content<'t> {
    let labels: Option<Vec<_>> = all.iter().map(|it| Some((it, it.label?))).collect();
    let Some(labels) = labels else {
        let items = all.iter();
        return Content::List(
            items
                .map(|it| markup.value(message, it.content, it.place))
                .collect(),
        );
    };
    let mut object = Collected::default();
    for (entry, label) in labels {
        let mut value = label.value;
        if entry.content.end > entry.place.end {
            value.end = entry.content.end;
        }
        let name = markup.text(message, label.name);
        object.add(name, markup.value(message, value, entry.place));
    }
    object.object()
}
