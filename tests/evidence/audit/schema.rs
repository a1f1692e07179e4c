//! `retval schema --target audit` describes exactly what `retval audit` prints.

use serde_json::{Value, json};

use super::made::{Agent, Session};
use super::{json, runs};
use crate::common::{World, fixtures, run, stdout};

fn validator(world: &World) -> jsonschema::Validator {
    let output = run(world.retval().args(["schema", "--target", "audit"]));
    let schema: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    jsonschema::meta::validate(&schema).expect("a schema of its draft");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn assert_fits(validator: &jsonschema::Validator, document: &Value) {
    let errors = validator.iter_errors(document);
    let errors: Vec<_> = errors.map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}: {document}");
}

/// What is printed of all fixtures, and of a history of many agents with a profile.
fn documents(world: &World) -> Vec<Value> {
    let transcripts = fixtures().join("transcripts");
    let history = world.path("history");
    let mut session = Session::new(&history, "s1", "/project", 2);
    for at in 0..44 {
        let answer = ["", "The plan is ready."][at % 2];
        session.call(&Agent::new(&format!("a{at}"), "planner", answer));
    }
    session.write();
    let mut documents = Vec::new();
    for by in ["agent", "model", "client", "week", "project"] {
        documents.push(json(world, &transcripts, &format!("--by {by}")));
    }
    documents.push(json(world, &transcripts, "--agents nobody"));
    documents.push(json(world, &history, "--profile return"));
    documents.extend(runs(world, &transcripts, ""));
    documents.extend(runs(world, &transcripts, "--show-text --profile return"));
    documents.extend(runs(world, &history, "--profile return"));
    documents
}

#[test]
fn what_is_printed_fits_the_schema() {
    let world = World::new();
    let validator = validator(&world);
    for document in documents(&world) {
        assert_fits(&validator, &document);
    }
}

#[test]
fn nothing_else_fits_the_schema() {
    let world = World::new();
    let validator = validator(&world);
    let transcripts = fixtures().join("transcripts");
    let report = json(&world, &transcripts, "");
    let record = runs(&world, &transcripts, "").remove(0);
    for document in [&report, &record] {
        for name in document.as_object().expect("an object").keys() {
            let mut other = document.clone();
            other.as_object_mut().expect("an object").remove(name);
            assert!(!validator.is_valid(&other), "without {name}");
        }
        let mut other = document.clone();
        other["more"] = json!(1);
        assert!(!validator.is_valid(&other), "one more member");
    }
    for (pointer, value) in [
        ("/outcomes/0/outcome", json!("gone")),
        ("/lost/share", json!(1.5)),
        ("/runs", json!(-1)),
        ("/groups/by", json!("hour")),
        ("/sources/unread", json!({"gone": "many"})),
    ] {
        let mut other = report.clone();
        *other.pointer_mut(pointer).expect(pointer) = value;
        assert!(!validator.is_valid(&other), "{pointer}");
    }
}
