//! Completes an example so that it fits a JSON Schema.

use serde_json::{Map, Value};

use crate::form::lookup::PointerStep;
use crate::instruction::own::sample::FILLER;

/// The most schemas that are entered on the way to one value.
const DEPTH: usize = 32;

/// Fills in what a schema requires of the values at the end of these steps, as far as it can be read off
/// the schema.
pub(super) fn complete_at(value: &mut Value, steps: &[PointerStep], schema: &Value) {
    match steps.split_first() {
        None => complete(value, schema, schema, DEPTH),
        Some((PointerStep::Name(name), rest)) => {
            if let Some(member) = value.get_mut(name.as_str()) {
                complete_at(member, rest, schema);
            }
        }
        Some((PointerStep::Every, rest)) => {
            let items = value.as_array_mut().into_iter().flatten();
            items.for_each(|item| complete_at(item, rest, schema));
        }
    }
}

fn complete(value: &mut Value, schema: &Value, whole: &Value, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(target) = reference.and_then(|it| whole.pointer(it.strip_prefix('#')?)) {
        complete(value, target, whole, depth);
    }
    let all = schema.get("allOf").and_then(Value::as_array);
    let one = ["anyOf", "oneOf"].into_iter();
    let one = one.filter_map(|key| schema.get(key)?.get(0));
    for part in all.into_iter().flatten().chain(one) {
        complete(value, part, whole, depth);
    }
    if value.is_null() || *value == FILLER {
        *value = sample(schema).unwrap_or_else(|| value.take());
    }
    match value {
        Value::Object(members) => object(members, schema, whole, depth),
        Value::Array(items) => {
            let fewest = schema.get("minItems").and_then(Value::as_u64);
            let fewest = usize::try_from(fewest.unwrap_or(0)).map_or(0, |it| it.min(100));
            items.resize(items.len().max(fewest), Value::Null);
            if let Some(of_items) = schema.get("items") {
                for item in items {
                    complete(item, of_items, whole, depth);
                }
            }
        }
        _ => {}
    }
}

fn object(members: &mut Map<String, Value>, schema: &Value, whole: &Value, depth: usize) {
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        members.entry(name).or_insert_with(|| FILLER.into());
    }
    for (name, value) in members {
        if let Some(of_member) = schema.get("properties").and_then(|it| it.get(name)) {
            complete(value, of_member, whole, depth);
        }
    }
}

/// The smallest value of a schema. None if it does not say which type there is.
fn sample(schema: &Value) -> Option<Value> {
    let first = |key: &str| schema.get(key)?.get(0);
    if let Some(value) = schema
        .get("const")
        .or_else(|| first("enum"))
        .or_else(|| first("examples"))
    {
        return Some(value.clone());
    }
    let types = schema.get("type");
    let name = types.and_then(|it| it.as_str().or_else(|| it.get(0)?.as_str()));
    let is_object = schema.get("properties").is_some();
    Some(match name.or(is_object.then_some("object"))? {
        "object" => Value::Object(Map::new()),
        "array" => Value::Array(Vec::new()),
        "boolean" => Value::Bool(true),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| 1.into()),
        "string" => FILLER.into(),
        _ => Value::Null,
    })
}
