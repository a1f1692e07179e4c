//! Where a role stands in a document.

use crate::form::document::PlacedValue;
use crate::json::pointer::Pointer;
use crate::profile::standard::Role;
use crate::profile::standard::place::Twice;
use crate::profile::standard::role::Piece;

/// The pointer to the value of a role, or to what should contain it.
pub(super) fn of(
    document: &PlacedValue<'_>,
    (role, taken): &(&Role, Result<Vec<Piece<'_>>, Twice>),
) -> Pointer<'static> {
    match taken {
        Ok(pieces) if !pieces.is_empty() => pieces[0].pointer.clone(),
        Err(twice) => twice.pointer.clone(),
        Ok(_) => {
            let first = role.places.first();
            first.map_or_else(Pointer::root, |place| place.nearest_to(document))
        }
    }
}

/// How messages name a role: by its place.
pub(super) fn name(role: &Role) -> &str {
    let place = role.places.first();
    place.map_or("", |place| match place.as_str() {
        "" => "/",
        text => text,
    })
}
