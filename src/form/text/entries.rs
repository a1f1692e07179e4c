//! What stands below a label: its value, as long as lines belong to it.

use super::line::{STEP, TextLabel, TextLine};
use super::marks::Markup;
use crate::form::document::{Content, Names, Object, PlacedValue};
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
    /// Whether nothing else stands in its paragraph, so that it may be a heading of what follows.
    is_alone: bool,
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
    /// All that stands below, from a paragraph behind a blank line on.
    Below(Span),
    /// Deeper lines or items.
    Entries {
        indent: usize,
        is_numbered: bool,
        all: Vec<LabelEntry>,
    },
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
    pub(super) fn new(label: TextLabel, line: &TextLine<'_>, is_alone: bool) -> Self {
        let is_empty = label.value.start == label.value.end;
        Self {
            name: label.name,
            place: line.span,
            indent: line.indent,
            is_item: line.item.is_some(),
            is_alone: is_alone || label.is_bold,
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
        let is_heading = line.bold().is_some();
        let end = line.span.end;
        match &mut self.value {
            LabelValue::Rest(value) if is_plain && is_deeper && !is_after_blank => value.end = end,
            LabelValue::Paragraph(value) if is_plain && !is_after_blank => value.end = end,
            LabelValue::Below(value) if label.is_none() && !is_heading => value.end = end,
            LabelValue::Awaited(_) if is_deeper && !is_plain => {
                self.value = LabelValue::Entries {
                    indent: line.indent,
                    is_numbered: line.is_numbered(),
                    all: vec![LabelEntry::new(line, content, label)],
                };
            }
            LabelValue::Awaited(_) if is_deeper || !self.is_item && is_plain && !is_after_blank => {
                self.value = LabelValue::Paragraph(line.span);
            }
            LabelValue::Awaited(_) if self.is_alone && !self.is_item && is_plain && !is_heading => {
                self.value = LabelValue::Below(line.span);
            }
            LabelValue::Entries {
                indent,
                is_numbered,
                all,
            } if is_deeper => {
                let is_nested = line.indent >= *indent + STEP;
                // Items with another kind of mark behind a blank line are another list.
                let is_other = line.item.is_some() && line.is_numbered() != *is_numbered;
                if is_other && !is_nested && is_after_blank {
                    return false;
                }
                match all.last_mut() {
                    Some(last) if is_nested || is_plain => last.content.end = end,
                    _ => all.push(LabelEntry::new(line, content, label)),
                }
            }
            _ => return false,
        }
        true
    }

    /// Whether its value goes on behind blank lines, up to the next label or heading.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.value, LabelValue::Below(_))
    }

    /// Gives back what a heading that begins at `start` has in it.
    pub(super) fn end_before(&mut self, start: usize) {
        if let LabelValue::Below(value) = &mut self.value {
            value.start = value.start.min(start);
            value.end = value.end.min(start);
        }
    }

    /// Takes code by its indentation as a text, if nothing else stands below the label.
    pub(super) fn take_indented(&mut self, code: Span) {
        if matches!(self.value, LabelValue::Awaited(_)) {
            self.value = LabelValue::Below(code);
        }
    }

    /// Takes code, a table or a line of a quotation that ends at `end`, if it belongs to the label.
    pub(super) fn take_other(&mut self, line: &TextLine<'_>, end: usize) -> bool {
        let is_deeper = self.is_below(line);
        match &mut self.value {
            LabelValue::Below(value) => {
                value.end = end.max(value.end);
                true
            }
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
            LabelValue::Rest(value)
            | LabelValue::Awaited(value)
            | LabelValue::Paragraph(value)
            | LabelValue::Below(value) => markup.value(message, *value, self.place),
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

/// An object if each entry has a name of its own, else a list.
fn entries<'t>(message: &'t str, markup: &Markup, all: &[LabelEntry]) -> Content<'t> {
    let labels: Option<Vec<_>> = all.iter().map(|it| Some((it, it.label?))).collect();
    let all_named = labels.map(|labels| {
        let names = labels.iter().map(|it| markup.text(message, it.1.name));
        (names.collect::<Vec<_>>(), labels)
    });
    let Some((names, labels)) = all_named.filter(|(names, _)| Collected::are_distinct(names))
    else {
        let items = all.iter();
        return Content::List(
            items
                .map(|it| markup.value(message, it.content, it.place))
                .collect(),
        );
    };
    let members = names.into_iter().zip(labels).map(|(name, (entry, label))| {
        let mut value = label.value;
        if entry.content.end > entry.place.end {
            value.end = entry.content.end;
        }
        (name, markup.value(message, value, entry.place))
    });
    Content::Object(Object {
        members: members.collect(),
        names: Names::Alike,
    })
}
