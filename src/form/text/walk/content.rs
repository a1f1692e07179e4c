//! What a line means where it stands.

use std::borrow::Cow;

use super::TextWalk;
use super::close::rows;
use crate::form::error::FormError;
use crate::form::text::blocks::block;
use crate::form::text::entries::OpenLabel;
use crate::form::text::line::{STEP, TextLine};
use crate::form::text::marks::RegionKind;
use crate::form::text::section::OpenItem;
use crate::text::Span;

impl<'t> TextWalk<'t, '_> {
    pub(super) fn in_region(
        &mut self,
        line: &TextLine<'t>,
        span: Span,
        kind: RegionKind,
        is_first: bool,
    ) -> Result<(), FormError> {
        if is_first {
            let body = self.body();
            match (kind, &mut body.label) {
                (RegionKind::Table(number), Some(label)) => label.take_table(number),
                (RegionKind::Indented, Some(label)) => label.take_indented(span),
                _ => {}
            }
            self.other(line, span.end)?;
        } else if let Some(item) = &mut self.body().item {
            item.content.end = line.span.end.max(item.content.end);
        }
        match kind {
            RegionKind::Fenced { content, is_closed } => {
                if is_first && is_closed {
                    self.budget.take(1, span)?;
                    let (name, value) = block(self.message, line.span, content, self.budget);
                    self.body().blocks.add(Cow::Borrowed(name), value);
                }
                if line.span.start >= content.start && line.span.end <= content.end {
                    self.count(line);
                }
            }
            RegionKind::Indented => self.count(line),
            RegionKind::Comment => {}
            RegionKind::Table(number) => {
                if is_first {
                    self.table(number);
                }
                if !line.text.trim_matches(['|', '-', ':', ' ']).is_empty() {
                    self.count(line);
                }
            }
        }
        Ok(())
    }

    pub(super) fn table(&mut self, number: usize) {
        let (message, markup) = (self.message, self.markup);
        let table = &mut self.body().section().table;
        table.get_or_insert_with(|| rows(message, markup, &markup.tables[number]));
    }

    /// Counts a line with something on it.
    pub(super) fn count(&mut self, line: &TextLine<'t>) {
        if line.text.is_empty() {
            return;
        }
        self.lines += 1;
        self.first.get_or_insert(line.span);
        self.last = Some(line.span);
    }

    /// Reads a line outside of code and tables.
    pub(super) fn outside(&mut self, line: &TextLine<'t>) -> Result<(), FormError> {
        if line.is_tag() {
            return self.other(line, line.span.end);
        }
        if let (Some(level), Some(alone)) = (line.underline(), self.body().alone) {
            if let Some(label) = &mut self.body().label {
                label.end_before(alone.start);
            }
            let title = &self.message[alone.start..alone.end];
            return self.heading((alone, line.span.end), level, false, title);
        }
        if line.is_rule() {
            return self.close_open();
        }
        self.count(line);
        if line.is_quote() {
            return self.other(line, line.span.end);
        }
        if let Some((level, title)) = line.heading() {
            return self.heading((line.span, line.span.end), level, false, title);
        }
        self.content(line)
    }

    /// Reads a line of text: of a label, a list item or a paragraph.
    pub(super) fn content(&mut self, line: &TextLine<'t>) -> Result<(), FormError> {
        let item = line.item;
        let content = item.unwrap_or(line.text);
        let label = line.label(content);
        let body = self.body();
        let is_after_blank = std::mem::take(&mut body.is_after_blank);
        let is_first = body.paragraph == 0 && body.item.is_none() && body.label.is_none();
        let is_alone = is_after_blank || is_first;
        let open = body.label.as_mut();
        let is_taken = open.is_some_and(|it| it.take(line, label, is_after_blank));
        if !is_taken {
            self.close_label()?;
        }
        let body = self.body();
        let deeper = body
            .item
            .as_mut()
            .filter(|it| line.indent >= it.indent + STEP);
        if let Some(open) = deeper {
            open.content.end = line.span.end;
            return Ok(());
        }
        if item.is_some() {
            self.close_item()?;
            let body = self.body();
            body.end_paragraph();
            body.item = Some(OpenItem {
                indent: line.indent,
                place: line.span,
                content: line.span_of(content),
            });
        } else if is_taken && self.body().label.as_ref().is_some_and(OpenLabel::is_open) {
            return self.plain(line, is_after_blank);
        } else if is_taken {
            self.close_item()?;
            self.body().end_paragraph();
            return Ok(());
        }
        if is_taken {
            return Ok(());
        }
        if let Some(label) = label {
            let is_item = item.is_some();
            if !is_item {
                self.close_item()?;
            }
            let body = self.body();
            body.end_paragraph();
            body.label = Some(OpenLabel::new(label, line, is_alone));
            return Ok(());
        }
        if item.is_some() {
            return Ok(());
        }
        if let Some(title) = line.bold() {
            let level = self.body().sections.iter().rev().find(|it| !it.is_bold);
            let level = level.map_or(0, |it| it.level) + 1;
            return self.heading((line.span, line.span.end), level, true, title);
        }
        self.plain(line, is_after_blank)
    }

    /// Reads a line of a paragraph. Directly below a list item it is part of the item.
    pub(super) fn plain(
        &mut self,
        line: &TextLine<'t>,
        is_after_blank: bool,
    ) -> Result<(), FormError> {
        let body = self.body();
        if let Some(item) = &mut body.item
            && !is_after_blank
        {
            item.content.end = line.span.end;
            return Ok(());
        }
        self.close_item()?;
        let body = self.body();
        body.paragraph += 1;
        body.alone = (body.paragraph == 1).then_some(line.span);
        Ok(())
    }

    /// Reads a line that is no text of its own: it ends a paragraph, and may be part of an item.
    /// All of it ends at `end`.
    pub(super) fn other(&mut self, line: &TextLine<'t>, end: usize) -> Result<(), FormError> {
        let body = self.body();
        body.end_paragraph();
        let label = body.label.as_mut();
        let is_taken = label.is_some_and(|it| it.take_other(line, end));
        if !is_taken {
            self.close_label()?;
        }
        let body = self.body();
        match &mut body.item {
            Some(item) if line.indent >= item.indent + STEP => {
                item.content.end = line.span.end;
                Ok(())
            }
            _ => self.close_item(),
        }
    }
}
