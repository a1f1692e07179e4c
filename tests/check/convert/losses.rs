//! Conversions lose nothing: every value has a place in the output, and converting back restores it.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::{conversions, convert, full_v1};
use crate::common::{World, stderr, stdout};

/// Every leaf with its pointer; an empty list or object is one.
fn leaves(at: &str, value: &Value, found: &mut BTreeMap<String, Value>) {
    let below = |key: &str| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                leaves(&below(key), value, found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                leaves(&below(&index.to_string()), item, found);
            }
        }
        leaf => drop(found.insert(at.to_owned(), leaf.clone())),
    }
}

fn leaves_of(text: &str) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    // No number of the standards' own is so large; one that no f64 holds stands for itself.
    let text = text.replace("1e999", "\"1e999\"");
    leaves("", &serde_json::from_str(&text).expect("JSON"), &mut found);
    found
}

#[test]
fn no_leaf_of_the_source_is_lost() {
    let world = World::new();
    for (name, options, source) in conversions() {
        let output = convert(&world, &options, &source);
        let new = leaves_of(&stdout(&output));
        let said = stderr(&output);
        let said: Vec<_> = said
            .lines()
            .filter(|line| !line.starts_with("copied"))
            .collect();
        for (at, value) in leaves_of(&source) {
            let stays = new.get(&at) == Some(&value);
            let moved = new.values().any(|other| *other == value);
            let is_said = said.iter().any(|line| line.contains(&format!(" {at}")));
            assert!(stays || moved || is_said, "{name}: {at} {value}\n{said:#?}");
        }
    }
}

#[test]
fn values_are_kept_to_the_last_digit_and_in_order() {
    let world = World::new();
    let source = r#"{"status":"failed","summary":"It did not work. Try again.","artifacts":[],"z":123456789012345678901234567890.10,
        "a":{"y":1E+2,"x":-0.0,"k\u00e9y":"\u00e9"},"metadata":{"session_id":"s","duration_seconds":1.50,"agent_type":"planner"}}"#;
    let text = stdout(&convert(&world, "--from return-v1 --to return", source));
    let end = "    \"z\": 123456789012345678901234567890.10,\n    \"a\": {\n      \"y\": 1E+2,\n      \"x\": -0.0,\n      \"k\\u00e9y\": \"\\u00e9\"\n    },\n    \"unmapped\": {\n      \"root\": [\n        \"a\",\n        \"z\"\n      ]\n    }\n  }\n}\n";
    assert!(text.ends_with(end), "{text}");
    assert!(text.contains("\"duration_seconds\": 1.50,"), "{text}");
}

#[test]
fn converting_to_return_and_back_changes_nothing() {
    let world = World::new();
    for errors in [2, 1] {
        let mut source = full_v1();
        source["errors"]
            .as_array_mut()
            .expect("a list")
            .truncate(errors);
        let there = convert(&world, "--from return-v1 --to return", source.to_string());
        assert_eq!(there.status.code(), Some(0), "{}", stderr(&there));
        let back = convert(&world, "--from return --to return-v1", &there.stdout);
        assert_eq!(back.status.code(), Some(0), "{}", stderr(&back));
        let back: Value = serde_json::from_slice(&back.stdout).expect("JSON");
        assert_eq!(back, source);
    }
}

#[test]
fn converting_to_version_1_and_back_changes_nothing() {
    let world = World::new();
    for name in [
        "completed-plan",
        "failed-research",
        "partial-implementation",
    ] {
        let source =
            fs::read(world.path(&format!("profiles/return/{name}.json"))).expect("a return");
        let there = convert(&world, "--from return --to return-v1", &source);
        let back = convert(&world, "--from return-v1 --to return", &there.stdout);
        let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
        assert_eq!(value(&back.stdout), value(&source), "{}", stderr(&back));
    }
}

#[test]
fn members_that_convert_to_one_name_are_both_kept() {
    let world = World::new();
    let source = r#"{"status":"failed","summary":"No. Not yet.","artifacts":[],"cost":1,"retries":"two",
        "metadata":{"session_id":"s","duration_seconds":1,"agent_type":"planner","cost":2,"unmapped":{"/cost":3}}}"#;
    let output = convert(&world, "--from return-v1 --to return", source);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["metadata"]["cost"], 2);
    assert_eq!(
        value["metadata"]["unmapped"],
        json!({"/cost": 3, "(2) /cost": 1, "/retries": "two"})
    );
}

#[test]
fn unmapped_values_return_to_their_members() {
    let world = World::new();
    let mut source = full_v1();
    source["cost"] = json!(1);
    source["retries"] = json!("two");
    source["tool/version"] = json!({"a": [1]});
    source["artifacts"][1]["warnings"] = json!(["slow"]);
    source["errors"][0]["hint"] = Value::Null;
    let there = convert(&world, "--from return-v1 --to return", source.to_string());
    let back = convert(&world, "--from return --to return-v1", &there.stdout);
    let value: Value = serde_json::from_slice(&back.stdout).expect("JSON");
    assert_eq!(value, source);
    let said = stderr(&back);
    for line in [
        "mapped         /metadata/tool~1version -> /tool~1version: restored from an earlier conversion\n",
        "mapped         /metadata/unmapped/~1retries -> /retries: restored from an earlier conversion\n",
        "mapped         /metadata/unmapped/~1artifacts~11~1warnings -> /artifacts/1/warnings: restored from an earlier conversion\n",
    ] {
        assert!(said.contains(line), "{said}");
    }

    // Changed in between: a place that is taken, and one that is gone.
    let mut edited: Value = serde_json::from_slice(&there.stdout).expect("JSON");
    edited["artifacts"][1]["warnings"] = json!(["other"]);
    edited["tool/version"] = json!("other");
    edited["errors"] = json!([]);
    let back = convert(&world, "--from return --to return-v1", edited.to_string());
    let value: Value = serde_json::from_slice(&back.stdout).expect("JSON");
    assert_eq!(
        (&value["cost"], &value["retries"]),
        (&json!(1), &json!("two"))
    );
    assert_eq!(value["metadata"]["tool/version"], json!({"a": [1]}));
    let unmapped = json!({
        "root": ["tool/version"],
        "/tool~1version": "other",
        "/artifacts/1/warnings": ["slow"],
        "(2) /artifacts/1/warnings": ["other"],
        "/errors/0/hint": null,
        "/errors/0/code": "DELEGATION_CYCLE",
    });
    assert_eq!(value["metadata"]["unmapped"], unmapped);
    let why = "its place is taken or does not exist";
    for at in ["artifacts~11~1warnings", "errors~10~1hint"] {
        let line = format!("kept           /metadata/unmapped/~1{at}: {why}\n");
        assert!(stderr(&back).contains(&line), "{}", stderr(&back));
    }
}
