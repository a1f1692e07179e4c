//! Where a role stands in a document.

use crate::document::tree::Value;
use crate::profile::standard::Place;
use crate::profile::standard::role::Pieces;

/// The value of a role, or what should contain it.
pub(super) fn of<'d, 't>(
    document: Value<'d, 't>,
    (role, taken): (&Place, &Pieces<'d, 't>),
) -> Value<'d, 't> {
    let first = match taken {
        Ok(pieces) => pieces.first().map(|piece| piece.at),
        Err(twice) => Some(twice.0[0]),
    };
    first.unwrap_or_else(|| role.path().nearest_to(document))
}

/// How messages name a role: by its place.
pub(super) fn name(role: &Place) -> &str {
    match role.as_str() {
        "" => "/",
        text => text,
    }
}
