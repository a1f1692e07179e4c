//! `retval schema`: what it prints, and that it describes the output.

mod columns;
mod config;
mod report;

use std::fs;
use std::process::Output;

use crate::common::{World, stderr, stdout};
use jsonschema::Validator;
use serde_json::Value;

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).expect("a schema")
}

/// The schema of the report.
fn of_report(world: &World) -> Value {
    serde_json::from_slice(&run(world, &["--target", "report"]).stdout).expect("JSON")
}

fn run(world: &World, options: &[&str]) -> Output {
    let mut retval = world.retval();
    retval.arg("schema").args(options);
    retval.output().expect("it runs")
}

#[test]
fn every_target_is_a_schema_that_is_valid_itself() {
    let world = World::new();
    for target in ["full", "claude-cli", "claude-api", "openai-strict", "report"] {
        let output = run(&world, &["--target", target]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output), "");
        let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(jsonschema::meta::is_valid(&schema), "{target}");
    }
    assert_eq!(
        run(&world, &[]).stdout,
        run(&world, &["--profile", "return", "--target", "full"]).stdout
    );
}

#[test]
fn a_small_schema_reads_as_written() {
    let world = World::new();
    let options = ["--profile", "compact", "--agent", "requirements_engineer"];
    let output = run(&world, &[&options[..], &["--target", "claude-cli"]].concat());
    let lines: Vec<_> = stdout(&output).lines().map(str::to_owned).collect();
    assert!(lines[3].starts_with(r#"  "description": "the final message {\"status\":\"CODE\"} "#));
    let rest = [&lines[..3], &lines[4..]].concat().join("\n");
    let expected = r#"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "retval: compact",
  "type": "object",
  "required": [
    "status"
  ],
  "properties": {
    "status": {
      "description": "How the work ended.",
      "type": "string",
      "enum": [
        "READY_FOR_REVIEW",
        "BLOCKED",
        "PARTIAL"
      ]
    }
  }
}"#;
    assert_eq!(rest, expected);
}

#[test]
fn losses_of_a_target_are_on_standard_error_and_in_the_schema() {
    let world = World::new();
    let options = ["--profile", "handoff", "--target", "openai-strict"];
    let output = run(&world, &options);
    assert_eq!(output.status.code(), Some(0));
    let loss = "artifacts is not in this schema: it is an object with arbitrary keys";
    assert!(stderr(&output).contains(&format!("note: {loss}\n")));
    let agents =
        "note: status may be a status of any agent; --agent allows only those of one agent";
    assert!(stderr(&output).contains(agents));
    let schema: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let description = schema["description"].as_str().expect("a text");
    assert!(description.contains(&format!("\n- {loss}")));
    let output = run(&world, &[&options[..], &["--agent", "qa_expert"]].concat());
    assert!(!stderr(&output).contains("note: status"));
    let schema: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let words = ["PASS", "FAIL", "FAIL_ESCALATE", "BLOCKED", "FLAKY", "PARTIAL"];
    assert_eq!(schema["properties"]["status"]["enum"], serde_json::json!(words));
}

#[test]
fn an_output_is_replaced_completely_or_the_run_fails() {
    let world = World::new();
    world.write("schema.json", "old");
    let output = run(&world, &["--output", "schema.json"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
    let file = fs::read_to_string(world.path("schema.json")).expect("a file");
    assert_eq!(file, stdout(&run(&world, &["--output", "-"])));
    let output = run(&world, &["--output", "nowhere/schema.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot write nowhere/schema.json: "));
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let world = World::new();
    for (options, complaint) in [
        (&["--target", "openai"][..], "did you mean `openai-strict`?"),
        (
            &["--target", "report", "--profile", "compact"],
            "error: --profile has no effect with --target report, which describes no profile\n",
        ),
        (
            &["--profile", "compact", "--session", "sess_1"],
            "error: --session has no effect: documents of the profile compact have no session id\n",
        ),
    ] {
        let output = run(&world, options);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
    }
}

#[test]
fn an_untrusted_name_is_exact_in_the_schema_and_escaped_on_the_terminal() {
    let world = World::new();
    let session = "sess\u{202e}\u{1b}[2J";
    let output = run(&world, &["--target", "claude-api", "--session", session]);
    let text = stdout(&output);
    assert!(!text.contains(['\u{202e}', '\u{1b}']));
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let place = &schema["properties"]["metadata"]["properties"]["session_id"];
    assert_eq!(place["enum"][0], session);
}

#[test]
fn a_document_may_name_its_schema() {
    let world = World::new();
    let text = r#"{"$schema":"return-meta.schema.json","status":"failed","artifacts":[],"started":1,"errors":[],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}"#;
    world.write("one.json", text);
    let output = world.check("one.json --profile return-meta --rule field-unknown=error");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("[FAIL] Unknown field: started\n"));
    assert!(!stdout(&output).contains("$schema"));
}
