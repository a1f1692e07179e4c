//! A baseline accepts the findings that it lists, and no others.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Output, Stdio};

use crate::common::{World, run, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

const LONG: &str = "out/a-path-of-more-than-two-hundred-characters/";

/// A return that claims these files.
fn claiming(paths: &[&str]) -> String {
    let artifact = |path: &&str| json!({"type": "plan", "path": path, "summary": "It is a plan."});
    let artifacts: Vec<_> = paths.iter().map(artifact).collect();
    json!({
        "status": "completed", "summary": "It is done. It is good.", "artifacts": artifacts,
        "metadata": {"session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator", "a"]},
    })
    .to_string()
}

fn check(world: &World, options: &str) -> Output {
    let options = format!("check old --root project --baseline known.json {options}");
    run(world.retval().args(options.split_whitespace()))
}

fn accepted(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(world.path("known.json")).expect("a baseline");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    document["accepted"].as_array().expect("entries").clone()
}

#[test]
fn another_missing_file_is_a_new_finding() {
    let world = World::new();
    world.write("old/a.json", claiming(&["out/missing.md", "out/other.md"]));
    check(&world, "--update-baseline").assert().code(0);

    // Order and place do not matter.
    let moved = claiming(&["out/other.md", "out/missing.md"]).replace("{\"", "{\n\n\"");
    world.write("old/a.json", moved);
    check(&world, "").assert().code(0).stderr(is_empty());

    world.write("old/a.json", claiming(&["out/missing.md", "out/never-written.md"]));
    let output = check(&world, "--format jsonl");
    let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
    let findings = record["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0]["message"], "Artifact does not exist: out/never-written.md");
    assert_eq!((&record["valid"], record.get("accepted")), (&json!(false), None));
    output.assert().code(1);
}

#[test]
fn sarif_lists_accepted_findings_as_suppressed() {
    let world = World::new();
    world.write("old/a.json", claiming(&["out/missing.md"]));
    check(&world, "--update-baseline").assert().code(0);
    world.write("old/a.json", claiming(&["out/missing.md", "out/new.md"]));
    let output = check(&world, "--format sarif");
    let log: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let results = results.iter().map(|result| {
        let text = result["message"]["text"].as_str().expect("a message");
        let file = text.split(' ').find(|word| word.starts_with("out/"));
        json!([file, result["suppressions"][0]["status"]])
    });
    let results: Vec<_> = results.collect();
    assert!(results[0][0].to_string().contains("out/new.md"), "{results:?}");
    assert_eq!(results[0][1], Value::Null);
    assert!(results[1][0].to_string().contains("out/missing.md"));
    assert_eq!((results.len(), &results[1][1]), (2, &json!("accepted")));
    output.assert().code(1);
}

#[test]
fn long_values_that_differ_only_at_the_end_are_different_findings() {
    let world = World::new();
    let path = |end: &str| format!("{LONG}{}{end}", "x/".repeat(150));
    world.write("old/a.json", claiming(&[&path("a.md")]));
    check(&world, "--update-baseline").assert().code(0);
    check(&world, "").assert().code(0);
    world.write("old/a.json", claiming(&[&path("b.md")]));
    check(&world, "").assert().code(1);
}

#[test]
fn another_field_that_is_missing_is_a_new_finding() {
    let world = World::new();
    let without = |field: &str| {
        let mut value: Value = serde_json::from_str(&claiming(&[])).expect("JSON");
        value["status"] = "failed".into();
        value["metadata"].as_object_mut().expect("an object").remove(field);
        value.to_string()
    };
    world.write("old/a.json", without("agent_type"));
    check(&world, "--update-baseline").assert().code(0);
    let edited = without("agent_type").replace("It is done", "It went wrong");
    world.write("old/a.json", edited);
    check(&world, "").assert().code(0);
    world.write("old/a.json", without("session_id"));
    check(&world, "").assert().code(1).stdout(contains("session_id"));
}

#[test]
fn findings_that_are_not_kept_are_not_accepted() {
    let world = World::new();
    let paths: Vec<_> = (0..1_001).map(|number| format!("out/{number}.md")).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    world.write("old/a.json", claiming(&paths));
    check(&world, "--update-baseline").assert().code(1);
    assert_eq!(accepted(&world).len(), 1_000);
    world.write("old/a.json", claiming(&paths[..1_000]));
    check(&world, "").assert().code(0);
}

#[test]
fn updates_at_the_same_time_lose_nothing() {
    let world = World::new();
    let names: Vec<_> = (0..12).map(|number| format!("old/{number:02}.json")).collect();
    for name in &names {
        world.write(name, claiming(&["out/missing.md"]));
    }
    let update = |name: &String| {
        let mut retval = world.retval();
        retval.args(["check", name, "--root", "project", "--baseline", "known.json"]);
        retval.arg("--update-baseline").stdout(Stdio::null());
        retval.stderr(Stdio::null()).spawn().expect("it runs")
    };
    let children: Vec<_> = names.iter().map(update).collect();
    for mut child in children {
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }
    let entries = accepted(&world);
    let sources: Vec<_> = entries.iter().filter_map(|it| it["source"].as_str()).collect();
    assert_eq!(sources, names);
    check(&world, "").assert().code(0).stderr(is_empty());
}

#[test]
fn a_file_whose_name_is_not_utf_8_is_in_no_baseline() {
    let world = World::new();
    let name = OsString::from_vec(b"a\xfe.json".to_vec());
    fs::create_dir(world.path("old")).expect("a folder");
    fs::write(world.path("old").join(name), claiming(&["out/missing.md"])).expect("a file");
    check(&world, "--update-baseline").assert().code(1);
    assert!(accepted(&world).is_empty());
    check(&world, "").assert().code(1);
}
