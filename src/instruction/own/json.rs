//! An example return in JSON or YAML.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::form::lookup::PointerStep;
use crate::instruction::own::sample::{EMPTY, Filled};
use crate::text::escape;

/// The example as indented JSON.
pub(super) fn text(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    escape::json(&text).into_owned()
}

/// The example in YAML, whose scalars are those of JSON.
pub(super) fn yaml(value: &Value) -> String {
    let mut text = String::new();
    push_yaml(&mut text, value, 0);
    escape::multiline(text.trim_end())
}

/// The example, made from the places of a standard.
pub(super) fn value(filled: &[Filled<'_>]) -> Value {
    let mut whole = Value::Null;
    for piece in filled {
        let member = piece.member.map_or(&[][..], |member| member.steps());
        let steps: Vec<_> = piece.place.steps().iter().chain(member).collect();
        put(&mut whole, &steps, &piece.text);
    }
    if whole.is_null() {
        whole = Value::Object(Map::new());
    }
    whole
}

/// Sets the value at the end of these steps. For every item, there is one.
fn put(value: &mut Value, steps: &[&PointerStep], text: &str) {
    let Some((step, rest)) = steps.split_first() else {
        if value.is_null() {
            *value = match text {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                EMPTY => Value::Array(Vec::new()),
                _ => Value::String(text.to_owned()),
            };
        }
        return;
    };
    match step {
        PointerStep::Name(name) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            put(&mut value[name.as_str()], rest, text);
        }
        PointerStep::Every => {
            if !value.is_array() {
                *value = Value::Array(vec![Value::Null]);
            }
            put(&mut value[0], rest, text);
        }
    }
}

fn push_yaml(text: &mut String, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let _ = write!(text, "{indent}{}:", Value::from(name.as_str()));
                push_below(text, value, depth);
            }
        }
        Value::Array(items) => {
            for item in items {
                let _ = write!(text, "{indent}-");
                push_below(text, item, depth);
            }
        }
        scalar => {
            let _ = writeln!(text, "{indent}{scalar}");
        }
    }
}

fn push_below(text: &mut String, value: &Value, depth: usize) {
    if value.is_object() || value.is_array() {
        text.push('\n');
        push_yaml(text, value, depth + 1);
    } else {
        let _ = writeln!(text, " {value}");
    }
}
