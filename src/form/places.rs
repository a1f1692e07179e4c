//! Where each value of a document stands.

use std::borrow::Cow;

use super::document::{Content, PlacedValue};
use crate::json::pointer::Pointer;
use crate::text::{Base, Position, Positions, Span};

/// A value with the way to it and its place.
#[derive(Debug)]
pub(crate) struct PlacedPointer<'v, 't> {
    /// The way to it, as a JSON Pointer.
    pub pointer: Pointer<'v>,
    /// Where it begins. None if it has no place of its own.
    pub position: Option<Position>,
    /// The value.
    pub value: &'v PlacedValue<'t>,
}

/// The values of a document in their order: all but the lists and objects without a place, of which the
/// values inside follow. `message` must be the text that the document was read from.
pub(crate) fn places<'v, 't>(
    message: &str,
    document: &'v PlacedValue<'t>,
) -> Vec<PlacedPointer<'v, 't>> {
    let mut found = Vec::new();
    gather(&Pointer::root(), document, &mut found);
    let start = |value: &PlacedValue<'_>| value.place.map(|it| it.start);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_unstable_by_key(|at| start(found[*at].value));
    let mut positions = Positions::new(message.as_bytes(), Base::default());
    for at in order {
        let place = start(found[at].value);
        found[at].position = place.map(|offset| positions.of(offset));
    }
    found
}

/// The position of the first byte of a place.
pub(crate) fn position(message: &[u8], place: Span) -> Position {
    Positions::new(message, Base::default()).of(place.start)
}

fn gather<'v, 't>(
    pointer: &Pointer<'v>,
    value: &'v PlacedValue<'t>,
    found: &mut Vec<PlacedPointer<'v, 't>>,
) {
    let is_group = matches!(value.content, Content::List(_) | Content::Object(_));
    let is_shown = value.place.is_some() || !is_group;
    if is_shown && !matches!(value.content, Content::Several(_)) {
        found.push(PlacedPointer {
            pointer: pointer.clone(),
            position: None,
            value,
        });
    }
    match &value.content {
        Content::Several(values) => {
            for value in values {
                gather(pointer, value, found);
            }
        }
        Content::List(items) => {
            for (index, item) in items.iter().enumerate() {
                gather(&pointer.clone().index(index), item, found);
            }
        }
        Content::Object(object) => {
            for (name, value) in &object.members {
                gather(&pointer.clone().key(Cow::Borrowed(&**name)), value, found);
            }
        }
        _ => {}
    }
}
