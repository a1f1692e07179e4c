//! Converting a return to another profile and back changes nothing, whatever members it has.

use crate::convert::{Conversion, Supplied};
use crate::laws::generated::seeds;
use crate::profile::{Profile, RETURN, RETURN_V1};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Names that no profile has in any object, and some that it has in another.
const NAMES: [&str; 16] = [
    "cost",
    "a/b",
    "~",
    "~1",
    "",
    "x.y",
    "metadata.session_id",
    "cost (2)",
    "(2) /cost",
    "root",
    "/cost",
    "warnings",
    "retries",
    "started_at",
    "Status",
    "é\u{202e}",
];

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z/~\"\\\\é]{0,4}".prop_map(Value::from),
        Just(json!([1, {"a/b": null}])),
        Just(json!({"/cost": {"~": []}})),
    ]
}

fn custom(others: &'static [&'static str]) -> impl Strategy<Value = Map<String, Value>> {
    let names: Vec<_> = NAMES
        .iter()
        .chain(others)
        .map(|name| (*name).to_owned())
        .collect();
    let member = (proptest::sample::select(names), any_value());
    proptest::collection::vec(member, 0..6).prop_map(|members| members.into_iter().collect())
}

/// An object of these members and custom ones, which replace none.
fn object(members: Value, mut custom: Map<String, Value>) -> Value {
    if let Value::Object(members) = members {
        custom.extend(members);
    }
    Value::Object(custom)
}

/// A return that both profiles can say, and members that neither has.
fn any_return() -> impl Strategy<Value = Value> {
    let artifact = custom(&["code"]).prop_map(|it| {
        object(
            json!({"type": "plan", "path": "p.md", "summary": "Plan"}),
            it,
        )
    });
    let error = custom(&["path", "summary"]).prop_map(|it| {
        object(
            json!({"type": "timeout", "message": "slow", "recoverable": true}),
            it,
        )
    });
    let metadata = custom(&["status", "cost", "artifacts"]).prop_map(|it| {
        let members = json!({
            "session_id": "s", "duration_seconds": 3, "agent_type": "planner",
            "delegation_depth": 2, "delegation_path": ["orchestrator", "planner"],
        });
        object(members, it)
    });
    let artifacts = proptest::collection::vec(artifact, 0..3);
    let errors = proptest::collection::vec(error, 0..3);
    let root = custom(&["unmapped", "session_id", "delegation_depth", "agent_type"]);
    (artifacts, errors, metadata, root).prop_map(|(artifacts, errors, metadata, root)| {
        let members = json!({
            "status": "partial", "summary": "One. Two.", "artifacts": artifacts,
            "metadata": metadata, "errors": errors,
        });
        object(members, root)
    })
}

fn convert(from: &Profile, to: &Profile, source: &Value) -> Value {
    let root = crate::Root::open("fixtures/project").expect("a folder");
    let conversion = Conversion::between(from, to).expect("a conversion");
    let converted = conversion.convert(source.to_string().as_bytes(), &Supplied::default(), &root);
    serde_json::from_str(&converted.expect("a return").json).expect("JSON")
}

#[test]
fn converting_there_and_back_changes_nothing() {
    seeds::hold(75, &any_return(), |source| {
        for (from, to) in [(&RETURN_V1, &RETURN), (&RETURN, &RETURN_V1)] {
            let there = convert(from, to, &source);
            prop_assert_eq!(&convert(to, from, &there), &source, "{}", there);
        }
        Ok(())
    });
}

#[test]
fn restored_values_can_be_converted_again() {
    seeds::hold(75, &any_return(), |source| {
        let there = convert(&RETURN_V1, &RETURN, &source);
        let back = convert(&RETURN, &RETURN_V1, &there);
        prop_assert_eq!(convert(&RETURN_V1, &RETURN, &back), there);
        Ok(())
    });
}
