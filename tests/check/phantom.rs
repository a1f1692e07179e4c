//! Success without a file is phantom work, whatever the levels of other rules are.

use crate::common::{SESSION, World, piped};
use serde_json::{Value, json};

/// A successful return whose member `artifacts` is this, or absent.
fn returned(profile: &str, artifacts: Option<Value>) -> String {
    let status = if profile == "return-meta" { "planned" } else { "completed" };
    let mut returned = json!({
        "status": status,
        "summary": "Planned the tide tables in three phases. About eight hours of work.",
        "metadata": {
            "session_id": SESSION,
            "duration_seconds": 1,
            "agent_type": "planner",
            "delegation_depth": 1,
            "delegation_path": ["orchestrator", "plan", "planner"],
        },
    });
    if let Some(artifacts) = artifacts {
        returned["artifacts"] = artifacts;
    }
    returned.to_string()
}

/// Rules and pointers of the errors, and the exit code.
fn errors(world: &World, options: &str, returned: &str) -> (Vec<String>, Option<i32>) {
    let output = piped(world, &format!("--format jsonl {options}"), returned);
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let findings = record["findings"].as_array().expect("findings").iter();
    let errors = findings.filter(|it| it["level"] == "error").map(|it| {
        let text = |key: &str| it[key].as_str().expect("text").to_owned();
        text("rule") + " " + &text("pointer")
    });
    (errors.collect(), output.status.code())
}

/// What may stand in place of claims, the rule that fails it by default, and where success is wrong.
fn lacks() -> [(Option<Value>, &'static str, &'static str); 9] {
    let artifact = |path: Value| json!([{"type": "plan", "summary": "Plan", "path": path}]);
    [
        (None, "field-missing ", "/status"),
        (Some(Value::Null), "field-missing /artifacts", "/artifacts"),
        (Some(json!("a.md")), "field-type /artifacts", "/artifacts"),
        (Some(json!(["a.md"])), "field-type /artifacts/0", "/artifacts"),
        (Some(json!([null])), "field-type /artifacts/0", "/artifacts"),
        (Some(json!([{}])), "field-missing /artifacts/0", "/artifacts"),
        (Some(artifact(Value::Null)), "field-missing /artifacts/0/path", "/artifacts"),
        (Some(artifact(json!(7))), "field-type /artifacts/0/path", "/artifacts"),
        (Some(artifact(json!("\u{200b} "))), "field-empty /artifacts/0/path", "/artifacts"),
    ]
}

#[test]
fn a_lack_of_claims_has_one_error_whatever_the_levels_of_other_rules() {
    let world = World::new();
    for profile in ["return", "return-v1", "return-meta"] {
        for (artifacts, by_default, place) in lacks() {
            let returned = returned(profile, artifacts);
            let options = format!("--profile {profile} --rule artifact-incomplete=off");
            let phantom = vec![format!("artifact-none {place}")];
            let (found, code) = errors(&world, &options, &returned);
            // return-v1 also requires the type of an artifact.
            let mut found = found;
            found.dedup();
            let expected = vec![by_default.to_owned()];
            assert_eq!((found, code), (expected, Some(1)), "{profile} {returned}");
            for level in ["warning", "off"] {
                let lowered = ["field-missing", "field-type", "field-empty"]
                    .map(|rule| format!("--rule {rule}={level}"));
                let options = format!("{options} {}", lowered.join(" "));
                let found = errors(&world, &options, &returned);
                assert_eq!(found, (phantom.clone(), Some(1)), "{options} {returned}");
            }
            let options =
                format!("{options} --rule field-missing=warning --rule field-type=warning");
            let options =
                format!("{options} --rule field-empty=warning --rule artifact-none=warning");
            assert_eq!(errors(&world, &options, &returned), (vec![], Some(0)));
        }
    }
}

#[test]
fn a_profile_that_makes_artifacts_optional_still_needs_a_file_for_success() {
    let world = World::new();
    for base in ["return", "return-v1", "return-meta"] {
        let profile = |more: &str| {
            let optional = r#"optional = ["artifacts", "artifacts[].path"]"#;
            let text = format!("[profiles.own]\nextends = \"{base}\"\n{optional}\n{more}");
            world.write("retval.toml", text);
        };
        profile("");
        for (artifacts, ..) in lacks() {
            let returned = returned(base, artifacts);
            let (found, code) = errors(&world, "--profile own", &returned);
            let fails =
                |it: &String| it.starts_with("artifact-none") || it.starts_with("field-type");
            assert!(found.iter().any(fails), "{base} {returned}: {found:?}");
            assert_eq!(code, Some(1), "{base} {returned}");
        }
        profile("rules = { artifact-none = \"warning\" }\n");
        let nothing = returned(base, None);
        assert_eq!(errors(&world, "--profile own", &nothing), (vec![], Some(0)));
    }
}

#[test]
fn null_in_the_lists_of_a_handoff_is_no_claim() {
    let world = World::new();
    let text = r#"{"from_agent":"developer","status":"READY_FOR_QA","summary":"x","files_created":[null]}"#;
    for (options, expected) in [
        ("", "field-type /files_created/0"),
        ("--rule field-type=warning", "artifact-none /status"),
    ] {
        let found = errors(&world, &format!("--profile handoff {options}"), text);
        assert_eq!(found, (vec![expected.to_owned()], Some(1)), "{options}");
    }
}

/// The status has to be corrected, and so have the claims: both are told at once.
#[test]
fn claims_are_looked_up_whatever_the_status() {
    let world = World::new();
    let artifact = |path: &str| json!({"type": "plan", "summary": "Plan", "path": path});
    let claims =
        json!([artifact("nowhere.md"), artifact("notes/empty.md"), artifact("docs/tides.md")]);
    for status in [json!("completd"), json!(""), json!(null), json!(7)] {
        let mut returned: Value =
            serde_json::from_str(&returned("return", Some(claims.clone()))).expect("a return");
        returned["status"] = status.clone();
        let output = piped(&world, "--root project --format jsonl", returned.to_string());
        let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        let found = record["findings"].as_array().expect("findings").last().expect("one");
        assert_eq!(found["rule"], "claimed-artifact-missing", "{status}: {record}");
        assert_eq!(
            (&found["level"], &found["pointer"]),
            (&json!("warning"), &json!("/artifacts/0/path"))
        );
        assert_eq!(record["steps"][5]["reason"], "the status is not known");
        let states = ["not-found", "empty", "ok"];
        for (index, state) in states.into_iter().enumerate() {
            assert_eq!(record["artifacts"][index]["state"], state, "{record}");
        }
    }
    // So it is in a metadata file.
    let meta = returned("return-meta", Some(claims)).replace("planned", "plannd");
    let output = piped(&world, "--profile return-meta --root project --format jsonl", meta);
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    assert_eq!(record["artifacts"][0]["state"], "not-found");
}

/// Whoever takes over the work looks for the files. Work that goes on may not have written them yet.
#[test]
fn missing_files_of_work_that_is_no_success_are_a_warning_in_every_file() {
    let world = World::new();
    let missing = |profile: &str, text: &str| {
        let options = format!("--profile {profile} --root project --format jsonl");
        let output = piped(&world, &options, text);
        let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        let findings = record["findings"].as_array().expect("findings").iter();
        let own = findings.filter(|it| it["rule"] == "claimed-artifact-missing");
        own.map(|it| (it["level"].clone(), it["pointer"].clone())).collect::<Vec<_>>()
    };
    for (status, count) in [("partial", 1), ("blocked", 1), ("failed", 1), ("in_progress", 0)] {
        let claims = json!([
            {"type": "plan", "summary": "Plan", "path": "docs/tides.md"},
            {"type": "plan", "summary": "Plan", "path": "nowhere.md"}
        ]);
        let text = returned("return-meta", Some(claims)).replace("planned", status);
        let expected = vec![(json!("warning"), json!("/artifacts/1/path")); count];
        assert_eq!(missing("return-meta", &text), expected, "{status}");
    }
    for (agent, status) in
        [("developer", "BLOCKED"), ("developer", "PARTIAL"), ("qa_expert", "FAIL")]
    {
        let text = json!({
            "from_agent": agent, "status": status, "summary": "Stuck.",
            "files_created": ["docs/tides.md", "nowhere.md"]
        });
        let expected = [(json!("warning"), json!("/files_created/1"))];
        assert_eq!(missing("handoff", &text.to_string()), expected, "{status}");
    }
}

/// What else is missing does not take the place of the missing files: a baseline may accept it.
#[test]
fn phantom_work_is_told_beside_other_missing_fields() {
    let world = World::new();
    world
        .write("retval.toml", "[profiles.own]\nextends = \"return\"\noptional = [\"artifacts\"]\n");
    let mut without: Value = serde_json::from_str(&returned("return", None)).expect("JSON");
    let metadata = without["metadata"].as_object_mut().expect("an object");
    metadata.remove("session_id");
    let (found, code) = errors(&world, "--profile own", &without.to_string());
    let expected = ["field-missing /metadata", "artifact-none /status"];
    assert_eq!((found, code), (expected.map(str::to_owned).to_vec(), Some(1)));
    let session = "--rule field-missing=warning";
    let (found, _) = errors(&world, &format!("--profile own {session}"), &without.to_string());
    assert_eq!(found, ["artifact-none /status"]);
}

/// The file is read once, whose whole content has to be looked at.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_claimed_many_times_is_looked_up_once() {
    let world = World::new();
    world.write("project/spaces.md", " ".repeat(60_000));
    let claiming = |count| {
        let artifact = json!({"type": "plan", "path": "spaces.md", "summary": "x"});
        let claims = Value::from(vec![artifact; count]);
        world.write("claims.json", returned("return", Some(claims)));
        let mut command = std::process::Command::new(world.retval().get_program());
        command.args("check claims.json --root project".split(' '));
        command.current_dir(world.path(""));
        crate::traced::system_calls(&command)
    };
    let (one, many) = (claiming(1), claiming(50));
    assert!(many < one + 20, "{one}, {many}");
}
