//! Generates documents of every standard, and variants with errors.

#[path = "../../../tests/common/seeds.rs"]
pub(crate) mod seeds;
pub(crate) mod text;

use std::collections::BTreeSet;

use crate::document::pointer::below;
use crate::profile::fields::{Member, Type};
use crate::profile::{Need, PROFILES, Profile};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

/// The agent of the documents.
pub(crate) const AGENT: &str = "qa_expert";

/// The session id of the documents.
pub(crate) const SESSION: &str = "sess_1";

/// A document with every member that formats define, or only those of the profile.
pub(crate) fn filled(profile: &Profile, form: Type, path: &str, named: bool) -> Value {
    match form {
        Type::Record(members) => {
            let member = |member: &Member| {
                let name = member.name;
                let below = below(path, name);
                let is_wanted =
                    !named || profile.has_field_of(&below, Some(AGENT)) || path.contains('*');
                is_wanted.then(|| (name.to_owned(), filled(profile, member.of, &below, named)))
            };
            Value::Object(members.iter().filter_map(member).collect())
        }
        Type::List(item) => json!([filled(profile, *item, &format!("{path}[]"), named)]),
        Type::Map(value) => json!({ "a": filled(profile, *value, &format!("{path}.*"), named) }),
        Type::Boolean => json!(true),
        Type::Integer | Type::Number => json!(1),
        _ if path == "status" => {
            let agent = profile.agent(AGENT).map(|agent| &*agent.name);
            json!(profile.statuses_of(agent).next().expect("a word").word)
        }
        _ if profile.session_member().as_deref() == Some(path) => json!(SESSION),
        _ if profile.agent_member().as_deref() == Some(path) => json!(AGENT),
        _ if path == "artifacts[].type" => json!(profile.artifact_types.first()),
        _ if path == "errors[].type" => json!(profile.error_types.first()),
        _ => json!("text"),
    }
}

/// The same without members that the profile does not require.
pub(crate) fn required(profile: &Profile, mut document: Value) -> Value {
    let asked: BTreeSet<&str> = profile.fields_with(Need::Required).collect();
    let members = document.as_object_mut().expect("an object");
    members.retain(|name, _| asked.contains(name.as_str()));
    document
}

/// Invalid values that parsers disagree on, and values close to them.
pub(crate) fn odd_values() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!([null]),
        json!(["a", 1]),
        json!([[]]),
        json!([{}]),
        json!([{"path": "a.md", "type": null, "summary": " "}]),
        json!([{"type": "plan", "message": "x", "recoverable": "yes"}]),
        json!({"a": null}),
        json!({"a": "b", "c": 1}),
        json!({"a": {"passed": "x"}}),
        json!({"a": {"passed": 1, "other": 1}}),
        json!({"session_id": "x", "agent_type": "y"}),
    ];
    for number in ["0", "-3", "1.0", "1e2", "1.5", "-1.5", "1e300", "1e-300", "-0.0"] {
        values.push(serde_json::from_str(number).expect("a number"));
    }
    values.extend([json!(u64::MAX), json!(i64::MIN)]);
    let texts =
        ["", " \t\n", "\u{85}", "\u{2003}\u{a0}\u{3000}", "\u{feff}", "\u{200b}", "\u{b}\u{c}"];
    values.extend(texts.map(|text| json!(text)));
    for length in [200, 201, 300, 301, 399, 400, 401, 500, 501] {
        values.push(json!("𝄞".repeat(length)));
    }
    values.push(json!(" ".repeat(400)));
    values
}

/// These values, and all names that have a meaning in some profile.
pub(crate) fn values() -> Vec<Value> {
    let mut values = odd_values();
    for profile in PROFILES {
        values.extend(profile.statuses_of(None).map(|status| json!(status.word)));
        values.extend(profile.artifact_types.iter().map(|word| json!(word)));
        values.extend(profile.error_types.iter().map(|word| json!(word)));
        values.extend(profile.agents.iter().map(|agent| json!(agent.name)));
    }
    values.extend(["Completed", "completed ", "sess_2", SESSION].map(|text| json!(text)));
    values
}

/// One change to a document.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    Replace(Value),
    Remove,
    Add(&'static str, Value),
    Wrap,
}

pub(crate) fn edit() -> impl Strategy<Value = (Index, Edit)> {
    let names = ["$schema", "extra", "path", "status", "metadata", "coverage", "from_agent"];
    let edit = prop_oneof![
        4 => select(values()).prop_map(Edit::Replace),
        2 => Just(Edit::Remove),
        1 => (select(names.to_vec()), select(values())).prop_map(|(name, value)| Edit::Add(name, value)),
        1 => Just(Edit::Wrap),
    ];
    (any::<Index>(), edit)
}

pub(crate) fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                pointers(member, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

pub(crate) fn apply(document: &mut Value, place: Index, edit: &Edit) {
    let mut found = Vec::new();
    pointers(document, "", &mut found);
    let at = place.get(&found);
    let value = document.pointer_mut(at).expect("it was found");
    match edit {
        Edit::Replace(new) => *value = new.clone(),
        Edit::Wrap => *value = json!([value.take()]),
        Edit::Add(name, new) => {
            if let Value::Object(members) = value {
                members.insert((*name).to_owned(), new.clone());
            }
        }
        Edit::Remove => {
            let (parent, name) = at.rsplit_once('/').unwrap_or(("", ""));
            if let Some(Value::Object(members)) = document.pointer_mut(parent) {
                members.remove(&name.replace("~1", "/").replace("~0", "~"));
            }
        }
    }
}
