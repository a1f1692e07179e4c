//! Paths that stand apart from the values of a role of files: they may be meant, too, which nobody knows.

use std::collections::HashSet;

use crate::document::pointer::PointerStep;
use crate::document::tree::Value;
use crate::document::{Form, fence, is_label_line};
use crate::profile::paths::{PathMention, each, is_gone, is_of_paths, labelled};
use crate::profile::place::{Place, PlaceOrigin, PlacePath, Twice};
use crate::profile::role::{Doubt, Piece, Pieces, ReadMessage};
use crate::text::Span;

impl Place {
    /// The texts that stand at the place of a role of files, or else its default, with the other paths that stand
    /// below its name.
    pub(crate) fn take_files<'v, 't>(
        &self,
        document: Value<'v, 't>,
        message: ReadMessage<'t>,
        gone: &'t [String],
    ) -> Pieces<'v, 't> {
        let files = ReadMessage {
            gone: Some(gone),
            ..message
        };
        let mut pieces = self.take(document, files)?;
        if message.form == Form::Text && self.members.is_empty() && self.expression.is_none() {
            for place in &*self.paths {
                others(place, document, message.text, gone, &mut pieces)?;
            }
        }
        Ok(pieces)
    }
}

/// Adds the lines that are paths and no part of the values at a place: directly below its label, anywhere in
/// its section, or beside its list.
///
/// # Errors
///
/// If its name or one of the values is there twice.
fn others<'v, 't>(
    place: &PlacePath,
    document: Value<'v, 't>,
    message: &'t str,
    gone: &[String],
    pieces: &mut Vec<Piece<'v, 't>>,
) -> Result<(), Twice<'v, 't>> {
    let values = place.find_files(document)?;
    let mut taken: Vec<_> = values.iter().flat_map(|it| spans(*it)).collect();
    taken.sort_unstable_by_key(|it| it.start);
    let mut found = Vec::new();
    match (place.origin(document)?, place.steps()) {
        (Some(PlaceOrigin::Named(thing)), []) if !pieces.is_empty() => {
            let label = thing.label.filter(|it| values.first() == Some(it));
            match (label, thing.section) {
                (Some(label), _) => {
                    let end = taken.last().map_or(0, |it| it.end);
                    below(label, message, end, &mut found);
                }
                (None, Some(section)) => inside(section, message, &taken, gone, &mut found),
                (None, None) => {}
            }
        }
        (Some(origin), [outer @ .., PointerStep::Name(member)])
            if matches!(&**member, "list" | "table") =>
        {
            for section in origin.below(outer)? {
                inside(section, message, &taken, gone, &mut found);
            }
        }
        _ => {}
    }
    let mut known = HashSet::new();
    let path = |named: PathMention| match named.without_lines() {
        PathMention::Path(path, _) => Some(path),
        _ => None,
    };
    for piece in &*pieces {
        each(&piece.source, &[], |named| known.extend(path(named)));
    }
    let is_new = |piece: &Piece<'_, '_>| {
        let mut is_new = false;
        each(&piece.source, &[], |named| {
            is_new |= path(named).is_none_or(|it| !known.contains(&it));
        });
        is_new
    };
    pieces.extend(found.into_iter().filter(is_new));
    Ok(())
}

/// Where the items of a value stand, or the value itself.
fn spans(value: Value<'_, '_>) -> Vec<Span> {
    let span = |it: Value<'_, '_>| it.source().or(it.place());
    if value.is_list() {
        value.items().filter_map(span).collect()
    } else {
        span(value).into_iter().collect()
    }
}

/// The lines from `end` on, as long as they are paths.
fn below<'v, 't>(
    label: Value<'v, 't>,
    message: &'t str,
    end: usize,
    pieces: &mut Vec<Piece<'v, 't>>,
) {
    let rest = message.get(end..).unwrap_or_default();
    let lines = rest.split('\n').skip(1);
    let lines = lines.take_while(|line| fence(line).is_none());
    let lines = lines.filter(|line| !line.trim().is_empty());
    let lines = lines.take_while(|line| is_of_paths(without_mark(line)) && !is_label_line(line));
    pieces.extend(lines.map(|line| piece(label, without_mark(line))));
}

/// The lines of a section, and of those below it, that are paths and in none of `taken`.
fn inside<'v, 't>(
    section: Value<'v, 't>,
    message: &'t str,
    taken: &[Span],
    gone: &[String],
    pieces: &mut Vec<Piece<'v, 't>>,
) {
    if let Some(text) = section.member("text")
        && let Some(span) = text.source()
    {
        let mut at = span.start;
        for line in message[span.start..span.end].split_inclusive('\n') {
            let start = at;
            at += line.len();
            let next = taken.partition_point(|it| it.end <= start);
            let line = without_mark(line);
            // A label may stand before it.
            let behind = labelled(line).map_or(line, |it| it.1);
            let path = [line, behind].into_iter().find(|it| is_of_paths(it));
            if taken.get(next).is_none_or(|it| it.start >= at) {
                pieces.extend(path.map(|path| piece(text, path)));
            }
        }
    }
    let sections = section.member("sections").into_iter();
    for inner in sections.flat_map(Value::members).flat_map(Value::each) {
        let heading = inner.place();
        let heading = heading.map_or("", |it| &message[it.start..it.end]);
        if !is_gone(heading, gone) {
            inside(inner, message, taken, gone, pieces);
        }
    }
}

fn piece<'v, 't>(at: Value<'v, 't>, line: &'t str) -> Piece<'v, 't> {
    Piece {
        doubt: Some(Doubt::Apart),
        ..Piece::new(at, line.into(), line.into())
    }
}

/// A line without the mark of a list or of a row.
fn without_mark(line: &str) -> &str {
    let line = line.trim().trim_matches('|').trim();
    line.strip_prefix(['-', '*', '+'])
        .filter(|it| it.starts_with(' '))
        .unwrap_or(line)
        .trim()
}
