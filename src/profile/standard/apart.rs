//! Paths in a text that stand apart from those that a role takes.

use std::collections::HashSet;

use crate::form::document::{Content, PlacedValue};
use crate::form::lookup::{FoundValue, PointerStep, find_below};
use crate::form::{fence, is_label_line};
use crate::profile::standard::ValuePlace;
use crate::profile::standard::find::{PlaceOrigin, Twice};
use crate::profile::standard::paths::{
    self, PathMention, begins_with_path, heads_gone, is_gone, is_label, lines,
};
use crate::profile::standard::piece::{Piece, line_above};
use crate::text::Span;

/// Why a path is not certainly meant.
pub(crate) const APART: &str = "stands apart from the others";

/// Which items a line between them introduces as another list: it says nothing of files, and not all of
/// its items begin with a path.
pub(super) fn apart(items: &[PlacedValue<'_>], message: &str) -> Vec<bool> {
    let source = |item: &PlacedValue<'_>| item.source.unwrap_or_default();
    let introduced = |index: usize| {
        let [before, item] = [index - 1, index].map(|it| source(&items[it]));
        line_above(message, before.end, item.start)
    };
    let starts: Vec<_> = (1..items.len())
        .filter_map(|index| Some((index, introduced(index)?)))
        .filter(|(_, above)| {
            above
                .trim_end_matches(['*', '_', ' '])
                .ends_with([':', '：'])
        })
        .collect();
    let ends = starts.iter().skip(1).map(|it| it.0).chain([items.len()]);
    let begins = |item: &PlacedValue<'_>| {
        let source = source(item);
        begins_with_path(message.get(source.start..source.end).unwrap_or_default())
    };
    let mut is_apart = vec![false; items.len()];
    for (&(start, above), end) in starts.iter().zip(ends) {
        let is_known = is_label(above) || heads_gone(above);
        is_apart[start..end].fill(!is_known && !items[start..end].iter().all(begins));
    }
    is_apart
}

/// Adds the lines that begin with a path and are no part of the values at a place: directly below its
/// label, anywhere in its section, or beside its list.
pub(super) fn others<'t>(
    place: &ValuePlace,
    document: &PlacedValue<'t>,
    message: &'t str,
    pieces: &mut Vec<Piece<'t>>,
) -> Result<(), Twice> {
    let values = place.find_files(document)?;
    let mut taken: Vec<_> = values.iter().flat_map(|it| spans(it.value)).collect();
    taken.sort_unstable_by_key(|it| it.start);
    let mut found = Vec::new();
    match (place.origin(document)?, place.steps()) {
        (Some(PlaceOrigin::Named(thing)), []) if !pieces.is_empty() => {
            let label = thing.label.as_ref();
            let first = values.first().map(|it| &it.pointer);
            let label = label.filter(|it| first == Some(&it.pointer));
            match (label, &thing.section) {
                (Some(label), _) => {
                    let end = taken.last().map_or(0, |it| it.end);
                    below(label, message, end, &mut found);
                }
                (None, Some(section)) => inside(section, message, &taken, &mut found),
                (None, None) => {}
            }
        }
        (Some(origin), [outer @ .., PointerStep::Name(member)])
            if matches!(&**member, "list" | "table") =>
        {
            for section in origin.below(outer)? {
                inside(&section, message, &taken, &mut found);
            }
        }
        _ => {}
    }
    if found.is_empty() {
        return Ok(());
    }
    let mut known = HashSet::new();
    for piece in &*pieces {
        paths::each(&piece.source, |named| known.extend(path(named)));
    }
    let is_new = |piece: &Piece<'_>| {
        let mut is_new = false;
        paths::each(&piece.source, |named| {
            is_new |= path(named).is_none_or(|it| !known.contains(&it));
        });
        is_new
    };
    pieces.extend(found.into_iter().filter(is_new));
    Ok(())
}

fn path(named: PathMention<'_>) -> Option<String> {
    match named.without_lines() {
        PathMention::Path(path) => Some(path.into_owned()),
        _ => None,
    }
}

/// Where the items of a value stand, or the value itself.
fn spans(value: &PlacedValue<'_>) -> Vec<Span> {
    match &value.content {
        Content::List(items) => items
            .iter()
            .filter_map(|it| it.source.or(it.place))
            .collect(),
        _ => value.source.or(value.place).into_iter().collect(),
    }
}

/// The lines from `end` on, as long as they begin with a path.
fn below<'t>(
    label: &FoundValue<'_, 't>,
    message: &'t str,
    end: usize,
    pieces: &mut Vec<Piece<'t>>,
) {
    let rest = message.get(end..).unwrap_or_default();
    let mut lines = rest.split('\n');
    lines.next();
    let lines = lines.take_while(|line| fence(line).is_none());
    for line in lines.map(without_mark).filter(|it| !it.is_empty()) {
        if !begins_with_path(line) || is_label_line(line) {
            break;
        }
        if !is_gone(line) {
            pieces.push(piece(label, line));
        }
    }
}

/// The lines of a section, and of those below it, that begin with a path and are in none of `taken`.
fn inside<'t>(
    section: &FoundValue<'_, 't>,
    message: &'t str,
    taken: &[Span],
    pieces: &mut Vec<Piece<'t>>,
) {
    let member = |name: &str| find_below(section.clone(), &[PointerStep::Name(name.to_owned())]);
    for text in member("text") {
        let Some(span) = text.value.source else {
            continue;
        };
        let (mut at, mut is_below_gone) = (span.start, false);
        for line in message[span.start..span.end].split_inclusive('\n') {
            let start = at;
            at += line.len();
            let next = taken.partition_point(|it| it.end <= start);
            if taken.get(next).is_some_and(|it| it.start < at) {
                continue;
            }
            let line = without_mark(line);
            if line.ends_with([':', '*']) {
                is_below_gone = heads_gone(line);
            }
            let label = line.split_once(':');
            let label = label.filter(|(label, _)| is_label(label.trim_matches('*')));
            let path = label.map_or(line, |(_, path)| path.trim_start_matches(['*', ' ']));
            if begins_with_path(path) && !is_below_gone && !is_gone(path) {
                pieces.push(piece(&text, path));
            }
        }
    }
    let steps = [PointerStep::Name("sections".to_owned()), PointerStep::Every];
    for inner in find_below(section.clone(), &steps) {
        let heading = inner
            .value
            .place
            .map_or("", |it| &message[it.start..it.end]);
        if !heads_gone(heading.trim_start_matches('#')) {
            inside(&inner, message, taken, pieces);
        }
    }
}

fn piece<'t>(at: &FoundValue<'_, '_>, line: &'t str) -> Piece<'t> {
    let pointer = at.pointer.clone().into_owned();
    Piece {
        doubt: Some(APART),
        ..Piece::new(pointer, line.into(), line.into())
    }
}

/// A line without the mark of a list or of a row.
fn without_mark(line: &str) -> &str {
    let line = line.trim().trim_matches('|');
    lines(line).next().unwrap_or_default().trim_end()
}
