//! What is taken at a place of a document: values, the texts in them and, of files, the paths beside them.

use std::borrow::Cow;

use crate::document::Form;
use crate::document::name::is_alike;
use crate::document::tree::{Content, Value};
use crate::profile::Expression;
use crate::profile::paths::may_be_gone;
use crate::profile::place::{FoundValues, Place, PlaceValue, RoleMember, Twice};
use crate::text::{Span, is_blank};

/// The message that a document was read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadMessage<'t> {
    pub(crate) form: Form,
    pub(crate) text: &'t str,
    /// If files are taken from it, the words of the standard for one that is gone.
    pub(crate) gone: Option<&'t [String]>,
}

impl<'t> ReadMessage<'t> {
    pub(crate) fn new(form: Form, text: &'t str) -> Self {
        let gone = None;
        Self { form, text, gone }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece<'v, 't> {
    /// The value that it is a part of. The whole document if it is the default of the role.
    pub(crate) at: Value<'v, 't>,
    /// Without marks.
    pub(crate) text: Cow<'t, str>,
    /// With the marks of the message.
    pub(crate) source: Cow<'t, str>,
    /// Whether it is the part that the expression of the role takes. Without an expression, all are.
    pub(crate) is_matched: bool,
    /// Why it is not certain that it is meant, if it stands in a list of files. None if it is.
    pub(crate) doubt: Option<Doubt>,
}

/// Why a text may not be one of those that a role takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A line above it, or the cells beside it, may say anything of it.
    Told,
    /// It is a member of an object in JSON or YAML.
    Member,
}

impl<'v, 't> Piece<'v, 't> {
    pub(crate) fn new(at: Value<'v, 't>, text: Cow<'t, str>, source: Cow<'t, str>) -> Self {
        Self { at, text, source, is_matched: true, doubt: None }
    }
}

pub(crate) type Pieces<'v, 't> = Result<Vec<Piece<'v, 't>>, Twice<'v, 't>>;

/// The texts of one claim: what stands at a place, or the members of an object or a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClaimedTexts<'v, 't>(Vec<(RoleMember, Piece<'v, 't>)>);

impl<'v, 't> ClaimedTexts<'v, 't> {
    pub(crate) fn at(&self) -> Value<'v, 't> {
        self.0[0].1.at
    }

    /// The first text of a member.
    pub(crate) fn get(&self, member: RoleMember) -> Option<&Piece<'v, 't>> {
        self.all(member).next()
    }

    /// What stands at a place, or else the first text of a member.
    pub(crate) fn whole_or(&self, member: RoleMember) -> Option<&Piece<'v, 't>> {
        self.get(RoleMember::Whole).or_else(|| self.get(member))
    }

    pub(crate) fn all(&self, member: RoleMember) -> impl Iterator<Item = &Piece<'v, 't>> {
        let texts = self.0.iter();
        texts.filter_map(move |(known, piece)| (*known == member).then_some(piece))
    }
}

impl Place {
    /// The values that stand there, or the parts of their texts that count, or else its default.
    pub(crate) fn find<'v, 't>(
        &self,
        document: Value<'v, 't>,
        message: ReadMessage<'t>,
    ) -> Result<Vec<PlaceValue<'v, 't>>, Twice<'v, 't>> {
        let mut found = Vec::new();
        if self.expression.is_some() {
            let pieces = self.take(document, message)?.into_iter();
            let pieces = pieces.filter(|piece| piece.is_matched);
            found.extend(pieces.map(|piece| PlaceValue::part(piece.at, piece.text)));
        } else {
            for path in &*self.paths {
                for value in path.find(document)? {
                    found.extend(self.counted(value)?.into_iter().map(PlaceValue::whole));
                }
            }
        }
        if let (true, Some(text)) = (found.is_empty(), &self.default) {
            found.push(PlaceValue::part(document, text.clone().into()));
        }
        Ok(found)
    }

    /// The value itself, or what its member is that counts, in each of its rows.
    fn counted<'v, 't>(&self, value: Value<'v, 't>) -> FoundValues<'v, 't> {
        let Some((_, member)) = self.members.first() else {
            return Ok(vec![value]);
        };
        let found: Result<Vec<_>, _> = rows(value).map(|row| member.find(row)).collect();
        found.map(|it| it.concat())
    }

    /// The objects there that lack the member which is taken of each.
    pub(crate) fn lacking<'v, 't>(&self, document: Value<'v, 't>) -> Vec<Value<'v, 't>> {
        let Some((_, member)) = self.members.first() else {
            return Vec::new();
        };
        let paths = self.paths.iter();
        let found = paths.flat_map(|path| path.find(document).unwrap_or_default());
        let rows = found.flat_map(rows).filter(|row| row.is_object());
        rows.filter(|row| member.find(*row).is_ok_and(|it| it.is_empty())).collect()
    }

    /// The texts that stand there, or else its default.
    pub(crate) fn take<'v, 't>(
        &self,
        document: Value<'v, 't>,
        message: ReadMessage<'t>,
    ) -> Pieces<'v, 't> {
        if self.is_of_texts && !self.is_of_each() {
            let found = self.paths.iter().filter_map(|it| it.member(document));
            let texts = found.filter_map(|it| Some((it, it.text_of_message()?)));
            let pieces = texts.map(|(at, text)| Piece::new(at, text.clone(), text));
            return Ok(pieces.collect());
        }
        let mut taken = self.taking(message);
        for place in &*self.paths {
            let found = if message.gone.is_some() {
                place.find_files(document)?
            } else {
                place.find(document)?
            };
            for found in found {
                let start = taken.pieces.len();
                for value in self.counted(found)? {
                    taken.texts(value);
                }
                let source = found.source().map_or(0, |it| it.start);
                let above = line_above(message.text, 0, source);
                let above = above.filter(|it| may_be_gone(it, taken.gone));
                if above.is_some() && self.members.is_empty() {
                    taken.told(start);
                }
            }
        }
        if let (true, Some(text)) = (taken.pieces.is_empty(), &self.default) {
            let text = || Cow::Owned(text.clone());
            taken.pieces.push(Piece::new(document, text(), text()));
        }
        Ok(taken.pieces)
    }

    /// The claims that stand in its places. A value that is there twice is none.
    pub(crate) fn claims<'v, 't>(
        &self,
        document: Value<'v, 't>,
        message: ReadMessage<'t>,
    ) -> Vec<ClaimedTexts<'v, 't>> {
        if self.members.is_empty() {
            let pieces = self.take(document, message).unwrap_or_default();
            let pieces = pieces.into_iter().filter(|piece| piece.is_matched);
            let claim = |piece| ClaimedTexts(vec![(RoleMember::Whole, piece)]);
            return pieces.map(claim).collect();
        }
        let places = self.paths.iter();
        let found = places.flat_map(|place| place.find(document).unwrap_or_default());
        let claim = |row: Value<'v, 't>| {
            let members = self.members.iter().flat_map(|(kind, member)| {
                let mut taken = self.taking(message);
                for value in member.find(row).unwrap_or_default() {
                    taken.texts(value);
                }
                taken.pieces.into_iter().map(|piece| (*kind, piece))
            });
            ClaimedTexts(members.collect())
        };
        let claims = found.flat_map(rows).map(claim);
        claims.filter(|claim| !claim.0.is_empty()).collect()
    }

    fn taking<'p, 'v, 't: 'p>(&'p self, message: ReadMessage<'t>) -> Taking<'p, 'v, 't> {
        Taking {
            expression: self.expression.as_ref(),
            message,
            gone: message.gone.unwrap_or_default(),
            pieces: Vec::new(),
        }
    }
}

/// The texts that are taken of values: the items of a list, the lines of an object, the first column of a table, or
/// its column of files.
struct Taking<'p, 'v, 't> {
    expression: Option<&'p Expression>,
    message: ReadMessage<'t>,
    /// The words for a file that is gone, besides the usual ones.
    gone: &'t [String],
    pieces: Vec<Piece<'v, 't>>,
}

impl<'v, 't> Taking<'_, 'v, 't> {
    fn texts(&mut self, value: Value<'v, 't>) {
        match value.content() {
            Content::List => self.items(value),
            Content::Object => {
                let start = self.pieces.len();
                self.lines(value);
                if self.message.form != Form::Text {
                    let lines = self.pieces[start..].iter_mut();
                    lines.for_each(|it| it.doubt = Some(Doubt::Member));
                }
            }
            _ => {
                if let Some(text) = value.scalar() {
                    let source = value.source();
                    let source = source.and_then(|it| self.message.text.get(it.start..it.end));
                    let source = source.map_or_else(|| text.clone(), Cow::Borrowed);
                    self.push(value, text, source);
                }
            }
        }
    }

    fn items(&mut self, list: Value<'v, 't>) {
        let (mut end, mut is_introduced) = (0, false);
        for (index, item) in list.items().enumerate() {
            let start = self.pieces.len();
            if item.is_object() && self.message.form == Form::Text {
                let column = self.message.gone.map_or(0, |_| column_of_files(item));
                if let Some(cell) = item.members().nth(column) {
                    self.texts(cell);
                }
                let mut cells = item.members().enumerate();
                let is_told = |it: Value<'_, '_>| it.scalar().is_some_and(|it| !is_blank(&it));
                if cells.any(|(index, cell)| index != column && is_told(cell)) {
                    self.told(start);
                }
            } else {
                self.texts(item);
            }
            if let Some(source) = item.source() {
                // The line above the first one is that of the list, unless it says that they are gone.
                let above = line_above(self.message.text, end, source.start);
                let above = above.filter(|it| index > 0 || may_be_gone(it, self.gone));
                is_introduced |= above.is_some();
                end = source.end;
            }
            if is_introduced {
                self.told(start);
            }
        }
    }

    fn lines(&mut self, object: Value<'v, 't>) {
        let message = self.message;
        for value in object.members() {
            let line = value.place().filter(|_| message.form == Form::Text);
            // Files below a label are meant, not the label.
            let is_above = |line: &Span| value.source().is_some_and(|it| it.start >= line.end);
            let line = line.filter(|line| message.gone.is_none() || !is_above(line));
            if let Some(line) = line.and_then(|it| message.text.get(it.start..it.end)) {
                let line = Cow::Borrowed(without_list_mark(line));
                self.push(value, line.clone(), line);
            } else {
                let start = self.pieces.len();
                self.texts(value);
                self.told(start);
            }
        }
    }

    fn push(&mut self, at: Value<'v, 't>, text: Cow<'t, str>, source: Cow<'t, str>) {
        let Some(expression) = self.expression else {
            return self.pieces.push(Piece::new(at, text, source));
        };
        let mut found = expression.find(&text);
        let is_matched = !found.is_empty();
        if !is_matched {
            found.push(0..text.len());
        }
        self.pieces.extend(found.into_iter().map(|range| {
            let text = match &text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
                Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
            };
            Piece { is_matched, ..Piece::new(at, text.clone(), text) }
        }));
    }

    /// Marks the texts from the first one on that stand below a line, or beside a cell, which may say anything of
    /// them.
    fn told(&mut self, first: usize) {
        for piece in &mut self.pieces[first..] {
            piece.doubt.get_or_insert(Doubt::Told);
        }
    }
}

/// The column of a row that has files: the one that is called so, or else the first.
fn column_of_files(row: Value<'_, '_>) -> usize {
    const NAMES: [&str; 5] = ["file", "files", "path", "file path", "file name"];
    let is_of_files = |name: &str| NAMES.iter().any(|it| is_alike(name, it));
    let mut columns = row.members();
    columns.position(|it| is_of_files(it.key())).unwrap_or(0)
}

/// The items of a list, and the value itself.
fn rows<'v, 't>(found: Value<'v, 't>) -> impl Iterator<Item = Value<'v, 't>> {
    found.items().chain([found])
}

fn without_list_mark(line: &str) -> &str {
    let line = line.trim();
    let rest = line.strip_prefix(['-', '*', '+']).map(str::trim_start);
    rest.filter(|rest| rest.len() + 1 < line.len()).unwrap_or(line)
}

/// The last line with something on it between these bytes, if what begins at the second one begins a line.
pub(crate) fn line_above(text: &str, from: usize, to: usize) -> Option<&str> {
    let (above, mark) = text.get(from..to)?.rsplit_once('\n')?;
    let mut lines = above.lines().rev().filter(|line| !line.trim().is_empty());
    lines.next().filter(|_| !mark.contains(char::is_alphabetic))
}
