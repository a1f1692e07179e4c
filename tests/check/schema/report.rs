//! The output of `--format json` and `--format jsonl` fits the schema of the report, and little else
//! does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{of_report, validator};
use crate::common::{World, piped, stdout};

/// Returns of every sort: fixtures of every rule and profile, a stream, a file that is not there.
pub(crate) fn documents(world: &World) -> Vec<Value> {
    let mut artifacts = String::new();
    for number in 0..1_100 {
        let _ = write!(artifacts, r#"{{"path":"{number}.md"}},"#);
    }
    let artifacts = artifacts.trim_end_matches(',');
    let many = format!(r#"{{"status":"completed","artifacts":[{artifacts}]}}"#);
    world.write("many.json", many);
    let mut documents = Vec::new();
    for options in [
        "rules profiles streams many.json nowhere.json --root project --session sess_1767225600_k3m9qa",
        "profiles --root project --strict --agent planner",
        "rules --profile return-v1 --root project",
        "rules --profile return-meta --root project",
        "rules --profile compact --root project --session sess_1767225600_k3m9qa --group AUTH --agent developer",
        "rules --profile handoff --root project",
        "profiles --root project --group AUTH --fail-fast --rule field-unknown=error --extract",
    ] {
        let output = world.check(&format!("{options} --format json"));
        documents.push(serde_json::from_slice(&output.stdout).expect("one document"));
        let output = world.check(&format!("{options} --format jsonl"));
        let lines = stdout(&output);
        documents.extend(
            lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record")),
        );
    }
    let output = piped(world, "--format json", "The plan is written.");
    documents.push(serde_json::from_slice(&output.stdout).expect("one document"));
    documents
}

/// The values of a member wherever it stands.
fn seen<'v>(value: &'v Value, member: &str, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| seen(item, member, found)),
        Value::Object(members) => {
            found.extend(members.get(member).and_then(Value::as_str));
            members.values().for_each(|value| seen(value, member, found));
        }
        _ => {}
    }
}

#[test]
fn printed_lines_fit_the_width() {
    let world = World::new();
    let schema = validator(&of_report(&world));
    let documents = documents(&world);
    assert!(documents.len() > 100, "{}", documents.len());
    for document in &documents {
        let wrong: Vec<_> = schema.iter_errors(document).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}: {document}");
    }
    // Each outcome, level and state was among them; root may read everything.
    for (member, least) in
        [("outcome", 3), ("level", 2), ("state", 7), ("rule", 40), ("profile", 5)]
    {
        let mut found = BTreeSet::new();
        for document in &documents {
            seen(document, member, &mut found);
        }
        assert!(found.len() >= least, "{member}: {found:?}");
    }
    assert!(
        documents
            .iter()
            .any(|document| document["valid"].is_null() && document["error"].is_string())
    );
    assert!(documents.iter().any(|document| document["findings_omitted"].is_number()));
}

/// Pointers to every object of a document.
fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            found.push(at.to_owned());
            for (name, member) in members {
                objects(member, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn no_part_of_a_document_can_be_left_out_or_added() {
    let world = World::new();
    world.write("more.ndjson", "{}\nnot JSON\n");
    let fixture = "rules/artifact-empty/fail/zero-bytes.json";
    let options = format!("{fixture} more.ndjson nowhere.json --root project --format json");
    let document: Value =
        serde_json::from_slice(&world.check(&options).stdout).expect("a document");
    let schema = validator(&of_report(&world));
    assert!(schema.is_valid(&document));
    let mut found = Vec::new();
    objects(&document, "", &mut found);
    assert!(found.len() > 40, "{}", found.len());
    for at in found {
        let names: Vec<String> = document
            .pointer(&at)
            .and_then(Value::as_object)
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        for name in names {
            let mut changed = document.clone();
            let object =
                changed.pointer_mut(&at).and_then(Value::as_object_mut).expect("an object");
            object.remove(&name);
            let may_go = name == "suggestion";
            assert_eq!(schema.is_valid(&changed), may_go, "without {at}/{name}");
        }
        let mut changed = document.clone();
        changed.pointer_mut(&at).expect("an object")["other"] = json!(1);
        assert!(!schema.is_valid(&changed), "with {at}/other");
    }
}

#[test]
fn a_record_with_another_value_does_not_fit() {
    let world = World::new();
    let fixture = "rules/artifact-empty/fail/zero-bytes.json";
    let output = world.check(&format!("{fixture} --root project --format jsonl"));
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let schema = validator(&of_report(&world));
    assert!(schema.is_valid(&record));
    for (at, value) in [
        ("/version", json!(2)),
        ("/line", json!(0)),
        ("/summary_tokens", json!("34")),
        ("/steps", json!([])),
        ("/steps/0/outcome", json!("idle")),
        ("/findings/0/rule", json!("artifact-missing")),
        ("/findings/0/level", json!("off")),
        ("/findings/0/line", json!(0)),
        ("/findings/0/offset", json!(-1)),
        ("/artifacts/0/state", json!("missing")),
        ("/artifacts/0/bytes", json!(0.5)),
    ] {
        let mut changed = record.clone();
        *changed.pointer_mut(at).expect("it is there") = value;
        assert!(!schema.is_valid(&changed), "{at}");
    }
}
