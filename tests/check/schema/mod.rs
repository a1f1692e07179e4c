//! `retval schema`: the schemas are valid, agree with `check`, use only what their readers support, and
//! describe the output.

mod agreement;
mod columns;
mod config;
mod report;
mod targets;

use std::fs;
use std::process::Output;

use crate::common::{World, stderr, stdout};
use jsonschema::Validator;
use retval::Profile;
use retval::internal::config::Config;
use retval::profile::PROFILES;
use retval::schema::Made;
use retval::schema::{Request, Target};
use serde_json::Value;

/// What the library makes, as its readers get it.
fn made(request: &Request<'_>) -> (Value, Made) {
    let made = request.make().expect("it can be expressed");
    let schema = serde_json::from_str(&made.schema.to_string()).expect("JSON");
    (schema, made)
}

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).expect("a schema")
}

/// Every schema that the command can print for a built-in profile.
fn requests() -> Vec<Request<'static>> {
    let mut requests = Vec::new();
    for profile in PROFILES {
        let agents = profile.agents.iter().map(|agent| Some(&*agent.name));
        for agent in agents.chain([None, Some("planner")]) {
            for session in [None, profile.session.as_ref().map(|_| "sess_1")] {
                requests.extend(
                    Target::ALL
                        .map(|target| Request::new(profile, target).session(session).agent(agent)),
                );
            }
        }
    }
    requests
}

/// The profile of a configuration that has one.
fn custom(toml: &str) -> Profile {
    let config = Config::parse(toml).expect("a configuration");
    Profile::clone(&config.profiles[0].profile)
}

fn run(world: &World, options: &[&str]) -> Output {
    let mut retval = world.retval();
    retval.arg("schema").args(options);
    retval.output().expect("it runs")
}

#[test]
fn every_schema_is_valid_itself() {
    for request in requests() {
        let (schema, _) = made(&request);
        assert!(jsonschema::meta::is_valid(&schema), "{request:?}");
    }
}

#[test]
fn the_command_prints_the_schemas_of_the_library() {
    let world = World::new();
    for target in Target::ALL {
        let name = target.as_str();
        let request = Request::new(&retval::profile::RETURN, target);
        let output = run(&world, &["--target", name]);
        assert_eq!(output.status.code(), Some(0));
        let schema = request.make().expect("a schema").schema;
        assert_eq!(stdout(&output), format!("{schema}\n"));
        assert_eq!(stderr(&output), "");
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
    let output = run(
        &world,
        &[&options[..], &["--target", "claude-cli"]].concat(),
    );
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
    let words = [
        "PASS",
        "FAIL",
        "FAIL_ESCALATE",
        "BLOCKED",
        "FLAKY",
        "PARTIAL",
    ];
    assert_eq!(
        schema["properties"]["status"]["enum"],
        serde_json::json!(words)
    );
}

#[test]
fn a_requirement_that_a_target_cannot_express_is_refused() {
    let profile = custom("[profiles.mine]\nextends = \"handoff\"\nrequired = [\"artifacts\"]\n");
    for target in Target::ALL {
        let name = target.as_str();
        let request = Request::new(&profile, target);
        let made = request.make();
        if matches!(target, Target::ClaudeApi | Target::OpenAiStrict) {
            let error = made.expect_err("it cannot").to_string();
            assert_eq!(
                error,
                format!(
                    "--target {name} cannot express artifacts, which the profile mine requires: it is an object with arbitrary keys; use --target full or claude-cli"
                )
            );
        } else {
            assert_eq!(made.expect("it can").losses, [""; 0], "{name}");
        }
    }
}

#[test]
fn a_profile_can_be_too_large_for_a_target() {
    let words: Vec<_> = (0..1_001).map(|number| format!("word_{number}")).collect();
    let profile = custom(&format!(
        "[profiles.large]\nextends = \"return\"\nerror-types = {words:?}\n"
    ));
    let request = |target| Request::new(&profile, target);
    let error = request(Target::OpenAiStrict).make().expect_err("too large");
    assert_eq!(
        error.to_string(),
        "the profile large is too large for --target openai-strict: 1010 enum values (limit 1000); use --target full or claude-cli"
    );
    assert!(request(Target::ClaudeApi).make().is_ok());
}

#[test]
fn an_output_is_replaced_completely_or_the_run_fails() {
    let world = World::new();
    world.write("schema.json", "old");
    let output = run(&world, &["--output", "schema.json"]);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(0), String::new())
    );
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
        (&["--target", "openai"][..], "'openai-strict'"),
        (&["--profile", "auto"], "invalid value 'auto'"),
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
        assert_eq!(
            (output.status.code(), stdout(&output)),
            (Some(2), String::new())
        );
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
