//! What is wrong with a value, in plain words.

use std::fmt;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::form::document::{Content, PlacedValue};
use crate::json::pointer::Pointer;
use crate::text::count;

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

/// What is wrong, in words that continue the name of the value.
pub(super) fn why(error: &ValidationError<'_>) -> String {
    let found = || shown(error.instance());
    let is_list = error.instance().is_array();
    let size = error.instance().as_array().map_or_else(
        || error.instance().as_object().map_or(0, serde_json::Map::len),
        Vec::len,
    );
    match error.kind() {
        Kind::Type { kind } => format!("is {}, expected {}", found(), types(kind)),
        Kind::Enum { options } => match options.as_array() {
            Some(options) => {
                let options: Vec<_> = options.iter().map(shown).collect();
                format!("is {}, expected one of {}", found(), options.join(", "))
            }
            None => format!("is {}, which is none of the allowed values", found()),
        },
        Kind::Constant { expected_value } => {
            format!("is {}, expected {}", found(), shown(expected_value))
        }
        Kind::Required { property } => format!("has no member {}", shown(property)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            format!(
                "has members that the schema does not know: {}",
                unexpected.join(", ")
            )
        }
        Kind::AdditionalItems { limit } => has(size, "item", "most", limit),
        Kind::UnevaluatedItems { .. } => "has items that the schema does not know".to_owned(),
        Kind::MinItems { limit } => has(size, "item", "least", limit),
        Kind::MaxItems { limit } => has(size, "item", "most", limit),
        Kind::MinProperties { limit } => has(size, "member", "least", limit),
        Kind::MaxProperties { limit } => has(size, "member", "most", limit),
        Kind::MinLength { limit } => {
            format!(
                "is {}, expected at least {}",
                found(),
                count(usize::try_from(*limit).unwrap_or(usize::MAX), "character")
            )
        }
        Kind::MaxLength { limit } => {
            let text = error.instance().as_str();
            let length = text.map_or(0, |text| text.chars().count());
            has(length, "character", "most", limit)
        }
        Kind::Minimum { limit } => format!("is {}, expected {limit} or more", found()),
        Kind::Maximum { limit } => format!("is {}, expected {limit} or less", found()),
        Kind::ExclusiveMinimum { limit } => format!("is {}, expected more than {limit}", found()),
        Kind::ExclusiveMaximum { limit } => format!("is {}, expected less than {limit}", found()),
        Kind::MultipleOf { multiple_of } => {
            format!("is {}, expected a multiple of {multiple_of}", found())
        }
        Kind::Pattern { pattern } => format!("is {}, which does not match {pattern}", found()),
        Kind::Format { format } => format!("is {}, expected the format {format}", found()),
        Kind::UniqueItems => "has an item twice".to_owned(),
        Kind::Contains => {
            "has too few or too many items of the kind that it must contain".to_owned()
        }
        // Of a schema that knows no member at all, the error does not tell which one is there.
        Kind::FalseSchema
            if error
                .schema_path()
                .as_str()
                .ends_with("/additionalProperties") =>
        {
            "has a member that the schema does not know".to_owned()
        }
        Kind::FalseSchema => "must not be there".to_owned(),
        Kind::Not { .. } => "is what the schema forbids".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            "fits several of the alternatives, expected exactly one".to_owned()
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => alternatives(error, context),
        Kind::PropertyNames { error } => format!("has a member whose name {}", why(error)),
        _ if is_list => "does not fit the schema".to_owned(),
        _ => error.to_string(),
    }
}

/// What is wrong with the number of parts of a value.
fn has(size: usize, part: &str, bound: &str, limit: &dyn fmt::Display) -> String {
    format!("has {}, expected at {bound} {limit}", count(size, part))
}

/// What keeps a value from the alternative that it comes nearest to: the one that is wrong deepest in it.
fn alternatives(error: &ValidationError<'_>, context: &[Vec<ValidationError<'_>>]) -> String {
    let depth = |error: &ValidationError<'_>| error.instance_path().segments().count();
    let is_type = |error: &ValidationError<'_>| matches!(error.kind(), Kind::Type { .. });
    let rank = |it: &&ValidationError<'_>| (depth(it), !is_type(it));
    let nearest = context.iter().flatten().max_by_key(rank);
    let Some(nearest) = nearest else {
        return "fits none of the alternatives".to_owned();
    };
    let place = error.instance_path().as_str();
    let path = nearest.instance_path().as_str();
    match path.strip_prefix(place).filter(|below| !below.is_empty()) {
        Some(below) => format!(
            "fits none of {} alternatives; in the nearest, {below} {}",
            context.len(),
            why(nearest)
        ),
        None if is_type(nearest) => {
            let all = context.iter().flatten();
            let all = all.filter_map(|it| match it.kind() {
                Kind::Type { kind } => Some(types(kind)),
                _ => None,
            });
            let all: Vec<_> = all.collect();
            format!(
                "is {}, expected {}",
                shown(error.instance()),
                all.join(" or ")
            )
        }
        None if missing(nearest).is_some() => {
            let here = context.iter().flatten();
            let here = here.filter(|it| it.instance_path().as_str() == place);
            let members = here.filter_map(missing).map(|name| format!("\"{name}\""));
            let members: Vec<_> = members.collect();
            format!("has no member {}", members.join(" or "))
        }
        None => why(nearest),
    }
}

/// The most characters of a text that are shown.
const SHOWN: usize = 60;

/// A value, in a few words.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("\"{}…\"", &text[..end]),
            None => format!("\"{text}\""),
        },
        other => other.to_string(),
    }
}

fn types(kind: &TypeKind) -> String {
    let name = |it: JsonType| match it {
        JsonType::Array => "an array",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    };
    match kind {
        TypeKind::Single(it) => name(*it).to_owned(),
        TypeKind::Multiple(all) => all.iter().map(name).collect::<Vec<_>>().join(" or "),
    }
}
