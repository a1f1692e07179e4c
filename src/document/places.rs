//! Where each value of a document stands.

use crate::document::tree::{Tree, Value};
use crate::text::{Base, Position, Positions, Span};

/// The values of a document in their order, and where they begin: all but the lists and objects without a place,
/// of which the values inside follow. None where a value has no place of its own. `message` must be the text that
/// the document was read from.
pub(crate) fn places<'v, 't>(
    message: &str,
    document: &'v Tree<'t>,
) -> Vec<(Value<'v, 't>, Option<Position>)> {
    let is_shown = |it: &Value<'_, '_>| match it.place() {
        Some(_) => !it.is_several(),
        None => !(it.is_several() || it.is_list() || it.is_object()),
    };
    let values = (0..document.len()).map(|at| document.value(at));
    let mut found: Vec<_> = values.filter(is_shown).map(|it| (it, None)).collect();
    let start = |value: Value<'_, '_>| value.place().map(|it| it.start);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_unstable_by_key(|at| start(found[*at].0));
    let mut positions = Positions::new(message.as_bytes(), Base::default());
    for at in order {
        let place = start(found[at].0);
        found[at].1 = place.map(|offset| positions.of(offset));
    }
    found
}

/// The position of the first byte of a place.
pub(crate) fn position(message: &[u8], place: Span) -> Position {
    Positions::new(message, Base::default()).of(place.start)
}
