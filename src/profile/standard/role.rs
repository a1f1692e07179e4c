//! What a role takes out of a document.

use std::borrow::Cow;
use std::ops::Range;

use crate::form::Form;
use crate::form::document::{Content, Object, PlacedValue};
use crate::form::lookup::FoundValue;
use crate::form::name::is_alike;
use crate::json::pointer::Pointer;
use crate::profile::standard::apart::others;
use crate::profile::standard::find::{Twice, scalar};
use crate::profile::standard::paths::{doubt, is_gone, may_be_gone};
use crate::profile::standard::piece::{Doubt, Piece, ReadMessage, line_above, source};
use crate::profile::standard::{Role, RoleMember, ValuePlace};
use crate::text::{Span, is_blank};

/// The texts of one claim: what stands at a place, or the members of an object or a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClaimedTexts<'t>(Vec<(RoleMember, Piece<'t>)>);

impl<'t> ClaimedTexts<'t> {
    /// Where its first text stands.
    pub(crate) fn pointer(&self) -> &Pointer<'static> {
        &self.0[0].1.pointer
    }

    /// The first text of a member.
    pub(crate) fn get(&self, member: RoleMember) -> Option<&Piece<'t>> {
        self.all(member).next()
    }

    /// What stands at a place, or else the first text of a member.
    pub(crate) fn whole_or(&self, member: RoleMember) -> Option<&Piece<'t>> {
        self.get(RoleMember::Whole).or_else(|| self.get(member))
    }

    pub(crate) fn all(&self, member: RoleMember) -> impl Iterator<Item = &Piece<'t>> {
        let texts = self.0.iter();
        texts.filter_map(move |(known, piece)| (*known == member).then_some(piece))
    }
}

impl Role {
    /// The texts that stand in its places, or else its default.
    ///
    /// # Errors
    ///
    /// If one of its names or values is there twice.
    pub(crate) fn take<'t>(
        &self,
        document: &PlacedValue<'t>,
        message: ReadMessage<'t>,
    ) -> Result<Vec<Piece<'t>>, Twice> {
        let mut pieces = Vec::new();
        for place in &self.places {
            let found = if message.gone.is_some() {
                place.find_files(document)?
            } else {
                place.find(document)?
            };
            for found in found {
                self.take_value(&found, message, &mut pieces)?;
            }
        }
        if let (true, Some(text)) = (pieces.is_empty(), &self.default) {
            let text = || Cow::Owned(text.clone());
            pieces.push(Piece::new(Pointer::root(), text(), text()));
        }
        Ok(pieces)
    }

    /// The same of a role that holds files, with the other paths that stand below its name.
    ///
    /// # Errors
    ///
    /// If one of its names or values is there twice.
    pub(crate) fn take_files<'t>(
        &self,
        document: &PlacedValue<'t>,
        message: ReadMessage<'t>,
        gone: &'t [String],
    ) -> Result<Vec<Piece<'t>>, Twice> {
        let files = ReadMessage {
            gone: Some(gone),
            ..message
        };
        let mut pieces = self.take(document, files)?;
        if message.form == Form::Text && self.members.is_empty() && self.expression.is_none() {
            for place in &self.places {
                others(place, document, message.text, gone, &mut pieces)?;
            }
        }
        Ok(pieces)
    }

    fn take_value<'t>(
        &self,
        found: &FoundValue<'_, 't>,
        message: ReadMessage<'t>,
        pieces: &mut Vec<Piece<'t>>,
    ) -> Result<(), Twice> {
        let Some((_, member)) = self.members.first() else {
            let start = pieces.len();
            self.take_texts(&found.pointer, found.value, message, pieces);
            let source = found.value.source.map_or(0, |it| it.start);
            let gone = message.gone.unwrap_or_default();
            let above = line_above(message.text, 0, source);
            if let Some(line) = above.filter(|it| may_be_gone(it, gone)) {
                told(&mut pieces[start..], Doubt::Introduced, line, gone);
            }
            return Ok(());
        };
        for row in rows(found) {
            self.take_member(member, &row, message, pieces)?;
        }
        Ok(())
    }

    fn take_member<'t>(
        &self,
        member: &ValuePlace,
        row: &FoundValue<'_, 't>,
        message: ReadMessage<'t>,
        pieces: &mut Vec<Piece<'t>>,
    ) -> Result<(), Twice> {
        for value in member.find(row.value)? {
            let steps = value.pointer.steps().iter().cloned();
            let pointer = steps.fold(row.pointer.clone(), Pointer::step);
            self.take_texts(&pointer, value.value, message, pieces);
        }
        Ok(())
    }

    /// The claims that stand in its places. A value that is there twice is none.
    pub(crate) fn claims<'t>(
        &self,
        document: &PlacedValue<'t>,
        message: ReadMessage<'t>,
    ) -> Vec<ClaimedTexts<'t>> {
        if self.members.is_empty() {
            let pieces = self.take(document, message).unwrap_or_default();
            let pieces = pieces.into_iter().filter(|piece| piece.is_matched);
            return pieces
                .map(|piece| ClaimedTexts(vec![(RoleMember::Whole, piece)]))
                .collect();
        }
        let places = self.places.iter();
        let found = places.flat_map(|place| place.find(document).unwrap_or_default());
        let rows = found.flat_map(|found| rows(&found).collect::<Vec<_>>());
        let claim = |row: FoundValue<'_, 't>| {
            let members = self.members.iter().flat_map(|(kind, member)| {
                let mut pieces = Vec::new();
                let taken = self.take_member(member, &row, message, &mut pieces);
                let pieces = taken.map_or_else(|_| Vec::new(), |()| pieces);
                pieces.into_iter().map(|piece| (*kind, piece))
            });
            ClaimedTexts(members.collect())
        };
        let claims = rows.map(claim);
        claims.filter(|claim| !claim.0.is_empty()).collect()
    }

    /// Takes each text of a value: the items of a list, the lines of an object, the first column of a
    /// table, or its column of files.
    fn take_texts<'t>(
        &self,
        pointer: &Pointer<'_>,
        value: &PlacedValue<'t>,
        message: ReadMessage<'t>,
        pieces: &mut Vec<Piece<'t>>,
    ) {
        match &value.content {
            Content::List(items) => {
                let gone = message.gone.unwrap_or_default();
                let (mut end, mut introduction) = (0, None);
                for (index, item) in items.iter().enumerate() {
                    let pointer = pointer.clone().index(index);
                    let start = pieces.len();
                    match &item.content {
                        Content::Object(row) if message.form == Form::Text => {
                            let column = message.gone.map_or(0, |_| column_of_files(row));
                            if let Some((name, cell)) = row.members.get(column) {
                                self.take_texts(&pointer.key(&**name), cell, message, pieces);
                            }
                            let cells = row.members.iter().enumerate();
                            let others = cells.filter(|(index, _)| *index != column);
                            let others = others.filter_map(|(_, (_, cell))| scalar(cell));
                            for cell in others.filter(|cell| !is_blank(cell)) {
                                told(&mut pieces[start..], Doubt::Told, &cell, gone);
                            }
                        }
                        _ => self.take_texts(&pointer, item, message, pieces),
                    }
                    if let Some(source) = item.source {
                        // The line above the first one is that of the list, unless it says that they are gone.
                        let above = line_above(message.text, end, source.start);
                        let above = above.filter(|it| index > 0 || may_be_gone(it, gone));
                        introduction = above.or(introduction);
                        end = source.end;
                    }
                    if let Some(line) = introduction {
                        told(&mut pieces[start..], Doubt::Introduced, line, gone);
                    }
                }
            }
            Content::Object(object) => {
                let start = pieces.len();
                self.take_lines(pointer, object, message, pieces);
                if message.form != Form::Text {
                    let lines = pieces[start..].iter_mut();
                    lines.for_each(|it| it.doubt = Some(Doubt::Member));
                }
            }
            _ => {
                if let Some(text) = scalar(value) {
                    let source = source(value, message).unwrap_or_else(|| text.clone());
                    self.push(pointer, text, source, pieces);
                }
            }
        }
    }

    fn take_lines<'t>(
        &self,
        pointer: &Pointer<'_>,
        object: &Object<'t>,
        message: ReadMessage<'t>,
        pieces: &mut Vec<Piece<'t>>,
    ) {
        for (name, value) in &object.members {
            let pointer = pointer.clone().key(&**name);
            let line = value.place.filter(|_| message.form == Form::Text);
            // Files below a label are meant, not the label.
            let is_above = |line: &Span| value.source.is_some_and(|it| it.start >= line.end);
            let line = line.filter(|line| message.gone.is_none() || !is_above(line));
            if let Some(line) = line.and_then(|it| message.text.get(it.start..it.end)) {
                let line = Cow::Borrowed(without_list_mark(line));
                self.push(&pointer, line.clone(), line, pieces);
            } else {
                let start = pieces.len();
                self.take_texts(&pointer, value, message, pieces);
                let gone = message.gone.unwrap_or_default();
                told(&mut pieces[start..], Doubt::Introduced, name, gone);
            }
        }
    }

    fn push<'t>(
        &self,
        pointer: &Pointer<'_>,
        text: Cow<'t, str>,
        source: Cow<'t, str>,
        pieces: &mut Vec<Piece<'t>>,
    ) {
        let pointer = pointer.clone().into_owned();
        let Some(expression) = &self.expression else {
            return pieces.push(Piece::new(pointer, text, source));
        };
        let found = expression.find(&text);
        let is_matched = found.is_some();
        let text = cut(&text, found.unwrap_or(0..text.len()));
        let piece = Piece::new(pointer, text.clone(), text);
        pieces.push(Piece {
            is_matched,
            ..piece
        });
    }
}

/// Marks texts that stand below a line, or beside a cell, which may say anything of them.
fn told(pieces: &mut [Piece<'_>], kind: fn(&'static str) -> Doubt, words: &str, gone: &[String]) {
    for piece in pieces {
        piece.is_gone |= is_gone(words, gone);
        piece.doubt.get_or_insert(kind(doubt(words, gone)));
    }
}

/// The column of a row that has files: the one that is called so, or else the first.
fn column_of_files(row: &Object<'_>) -> usize {
    const NAMES: [&str; 5] = ["file", "files", "path", "file path", "file name"];
    let is_of_files = |name: &str| NAMES.iter().any(|it| is_alike(name, it));
    let mut columns = row.members.iter();
    columns.position(|(name, _)| is_of_files(name)).unwrap_or(0)
}

/// The items of a list, and the value itself.
fn rows<'v, 't>(found: &FoundValue<'v, 't>) -> impl Iterator<Item = FoundValue<'v, 't>> {
    let items = match &found.value.content {
        Content::List(items) => &items[..],
        _ => &[],
    };
    let own = found.clone();
    let items = items.iter().enumerate().map(move |(index, value)| {
        let pointer = own.pointer.clone().index(index);
        FoundValue { pointer, value }
    });
    items.chain(std::iter::once(found.clone()))
}

fn cut<'t>(text: &Cow<'t, str>, range: Range<usize>) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
        Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
    }
}

fn without_list_mark(line: &str) -> &str {
    let line = line.trim();
    let rest = line.strip_prefix(['-', '*', '+']).map(str::trim_start);
    rest.filter(|rest| rest.len() + 1 < line.len())
        .unwrap_or(line)
}
