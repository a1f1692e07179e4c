//! What is wrong with a value, in the words of the library that validates.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::paths::{Location, LocationSegment};

use crate::form::document::{Content, PlacedValue};
use crate::json::pointer::Pointer;

/// The most bytes of a text that is shown.
const SHOWN: usize = 60;

/// The way to a value, as far as the document has it.
pub(super) fn pointer<'v>(value: &'v PlacedValue<'_>, path: &Location) -> Pointer<'v> {
    let (mut value, mut pointer) = (value, Pointer::root());
    for segment in path.segments() {
        let next = match (&value.content, &segment) {
            (Content::List(items), LocationSegment::Index(index)) => items
                .get(*index)
                .map(|it| (pointer.clone().index(*index), it)),
            (Content::Object(object), segment) => {
                let name = segment.to_string();
                let mut members = object.members.iter();
                let member = members.find(|(own, _)| *own == name);
                member.map(|(name, it)| (pointer.clone().key(&**name), it))
            }
            _ => None,
        };
        let Some(next) = next else { break };
        (pointer, value) = next;
    }
    pointer
}

/// The member that an object lacks.
pub(super) fn missing<'e>(error: &'e ValidationError<'_>) -> Option<&'e str> {
    match error.kind() {
        Kind::Required { property } => property.as_str(),
        _ => None,
    }
}

/// What is wrong. A value that is long is not shown.
pub(super) fn why(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    let is_long = value.as_str().is_some_and(|text| text.len() > SHOWN);
    if is_long || value.is_array() || value.is_object() {
        error.masked().to_string()
    } else {
        error.to_string()
    }
}
