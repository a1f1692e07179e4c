//! Where a role stands in a document.

use crate::document::tree::Value;
use crate::profile::standard::Role;
use crate::profile::standard::role::Pieces;

/// The value of a role, or what should contain it.
pub(super) fn of<'d, 't>(
    document: Value<'d, 't>,
    (role, taken): (&Role, &Pieces<'d, 't>),
) -> Value<'d, 't> {
    let first = match taken {
        Ok(pieces) => pieces.first().map(|piece| piece.at),
        Err(twice) => Some(twice.0[0]),
    };
    let missing = || role.places.first().map(|place| place.nearest_to(document));
    first.or_else(missing).unwrap_or(document)
}

/// How messages name a role: by its place.
pub(super) fn name(role: &Role) -> &str {
    let place = role.places.first();
    place.map_or("", |place| match place.as_str() {
        "" => "/",
        text => text,
    })
}
