//! Paths in a text that stand apart from those that a role takes.

use std::collections::HashSet;

use crate::form::document::{Content, PlacedValue};
use crate::form::lookup::{FoundValue, PointerStep, find_below};
use crate::form::{fence, is_label_line};
use crate::profile::standard::ValuePlace;
use crate::profile::standard::find::{PlaceOrigin, Twice};
use crate::profile::standard::paths::{self, PathMention, is_gone, is_of_paths, labelled};
use crate::profile::standard::piece::{Doubt, Piece};
use crate::text::Span;

/// Adds the lines that are paths and no part of the values at a place: directly below its label, anywhere in
/// its section, or beside its list.
///
/// # Errors
///
/// If its name or one of the values is there twice.
pub(super) fn others<'t>(
    place: &ValuePlace,
    document: &PlacedValue<'t>,
    message: &'t str,
    gone: &[String],
    pieces: &mut Vec<Piece<'t>>,
) -> Result<(), Twice> {
    let values = place.find_files(document)?;
    let mut taken: Vec<_> = values.iter().flat_map(|it| spans(it.value)).collect();
    taken.sort_unstable_by_key(|it| it.start);
    let mut found = Vec::new();
    match (place.origin(document)?, place.steps()) {
        (Some(PlaceOrigin::Named(thing)), []) if !pieces.is_empty() => {
            let first = values.first().map(|it| &it.pointer);
            let label = thing.label.as_ref();
            match (
                label.filter(|it| first == Some(&it.pointer)),
                &thing.section,
            ) {
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
                inside(&section, message, &taken, gone, &mut found);
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
        paths::each(&piece.source, &[], |named| known.extend(path(named)));
    }
    let is_new = |piece: &Piece<'_>| {
        let mut is_new = false;
        paths::each(&piece.source, &[], |named| {
            is_new |= path(named).is_none_or(|it| !known.contains(&it));
        });
        is_new
    };
    pieces.extend(found.into_iter().filter(is_new));
    Ok(())
}

/// Where the items of a value stand, or the value itself.
fn spans(value: &PlacedValue<'_>) -> Vec<Span> {
    let span = |it: &PlacedValue<'_>| it.source.or(it.place);
    match &value.content {
        Content::List(items) => items.iter().filter_map(span).collect(),
        _ => span(value).into_iter().collect(),
    }
}

/// The lines from `end` on, as long as they are paths.
fn below<'t>(
    label: &FoundValue<'_, 't>,
    message: &'t str,
    end: usize,
    pieces: &mut Vec<Piece<'t>>,
) {
    let rest = message.get(end..).unwrap_or_default();
    let lines = rest.split('\n').skip(1);
    let lines = lines.take_while(|line| fence(line).is_none());
    let lines = lines.filter(|line| !line.trim().is_empty());
    let lines = lines.take_while(|line| is_of_paths(without_mark(line)) && !is_label_line(line));
    pieces.extend(lines.map(|line| piece(label, without_mark(line))));
}

/// The lines of a section, and of those below it, that are paths and in none of `taken`.
fn inside<'t>(
    section: &FoundValue<'_, 't>,
    message: &'t str,
    taken: &[Span],
    gone: &[String],
    pieces: &mut Vec<Piece<'t>>,
) {
    let text = find_below(section.clone(), &[PointerStep::Name("text".to_owned())]);
    for text in text {
        let Some(span) = text.value.source else {
            continue;
        };
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
                pieces.extend(path.map(|path| piece(&text, path)));
            }
        }
    }
    let steps = [PointerStep::Name("sections".to_owned()), PointerStep::Every];
    for inner in find_below(section.clone(), &steps) {
        let heading = inner.value.place;
        let heading = heading.map_or("", |it| &message[it.start..it.end]);
        if !is_gone(heading, gone) {
            inside(&inner, message, taken, gone, pieces);
        }
    }
}

fn piece<'t>(at: &FoundValue<'_, '_>, line: &'t str) -> Piece<'t> {
    let pointer = at.pointer.clone().into_owned();
    Piece {
        doubt: Some(Doubt::Apart),
        ..Piece::new(pointer, line.into(), line.into())
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
