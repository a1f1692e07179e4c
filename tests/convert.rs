//! `retval convert`: whole outputs, nothing lost, the way back, what cannot be done.
//!
//! A folder of `fixtures/conversions` holds a source, the options of its conversion, and both
//! outputs. `UPDATE=1 cargo test` writes the outputs anew: read the difference.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, feed, fixtures, piped, stderr, stdout};
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::{Value, json};

fn convert(world: &World, options: &str, input: impl AsRef<[u8]>) -> Output {
    let mut retval = world.retval();
    retval.args(["convert", "--root", "project"]);
    feed(retval.args(options.split_whitespace()), input)
}

/// The conversions among the fixtures: name, options, source.
fn conversions() -> Vec<(String, String, String)> {
    let folders = fs::read_dir(fixtures().join("conversions")).expect("a folder");
    let mut conversions: Vec<_> = folders
        .flatten()
        .map(|folder| {
            let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
            let name = folder.file_name().into_string().expect("UTF-8");
            (name, text("options").trim().to_owned(), text("source"))
        })
        .collect();
    conversions.sort();
    assert!(!conversions.is_empty());
    conversions
}

#[test]
fn outputs_are_as_expected() {
    let world = World::new();
    for (name, options, source) in conversions() {
        let output = convert(&world, &options, source);
        let code = output.status.code().expect("a code");
        let said = format!("{}exit {code}\n", stderr(&output));
        for (file, text) in [("output", stdout(&output)), ("stderr", said)] {
            let path = fixtures().join("conversions").join(&name).join(file);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&path, &text).expect("a file");
            }
            let expected = fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(text, expected, "{name}/{file}");
        }
    }
}

/// The option that follows `name`.
fn option<'o>(options: &'o str, name: &str) -> &'o str {
    let mut words = options.split_whitespace();
    words.find(|word| *word == name).expect("it is there");
    words.next().expect("a value")
}

#[test]
fn the_exit_code_is_that_of_the_outputs_check() {
    let world = World::new();
    let mut codes = Vec::new();
    for (name, options, source) in conversions() {
        let output = convert(&world, &options, source);
        let profile = option(&options, "--to");
        let checked = piped(
            &world,
            &format!("--profile {profile} --root project"),
            &output.stdout,
        );
        assert_eq!(output.status.code(), checked.status.code(), "{name}");
        codes.push(output.status.code());
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(1)));
}

/// Every leaf with its pointer; an empty list or object is one.
#[test]
fn levels_of_the_configuration_are_those_of_its_check() {
    let world = World::new();
    let source = fs::read_to_string(world.path("profiles/return/completed-plan.json"))
        .expect("a return")
        .replace("\"plan\"", "\"plna\"");
    for (settings, code) in [
        ("", 0),
        ("strict = true\n", 1),
        ("[rules]\nartifact-type = \"error\"\n", 1),
        ("strict = true\n[rules]\nartifact-type = \"off\"\n", 0),
    ] {
        world.write("own.toml", settings);
        let options = "--from return --to return-v1 --config own.toml";
        let output = convert(&world, options, &source);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{settings}{}",
            stderr(&output)
        );
    }
}

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

/// A return of version 1.0 that says all that the standard lets it say.
fn full_v1() -> Value {
    json!({
        "status": "completed",
        "summary": "The tide tables are written. Their tests pass.",
        "artifacts": [
            {"type": "research", "path": "specs/12_tide_tables/reports/research-001.md", "summary": "Sources"},
            {"type": "test", "path": "tests/tides.rs", "summary": "Tests"},
            {"type": "documentation", "path": "docs/tides.md"},
            {"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md"}
        ],
        "metadata": {
            "session_id": "s", "duration_seconds": 3, "agent_type": "implementer",
            "delegation_depth": 2, "delegation_path": ["orchestrator", "implementer"],
            "retries": 1, "warnings": [], "cost": 0.25
        },
        "errors": [
            {"type": "cycle", "message": "a -> b -> a", "code": "DELEGATION_CYCLE", "recoverable": false},
            {"type": "timeout", "message": "slow", "recoverable": true}
        ],
        "next_steps": "None"
    })
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
fn every_fixture_of_a_source_profile_converts_to_a_valid_return() {
    let world = World::new();
    let pairs = [
        ("return-v1", "return"),
        ("return-v1", "return-meta"),
        ("return", "return-v1"),
        ("return", "return-meta"),
    ];
    for (from, to) in pairs {
        for file in fs::read_dir(world.path(&format!("profiles/{from}")))
            .expect("a folder")
            .flatten()
        {
            let source = fs::read(file.path()).expect("a return");
            // Documentation alone shows no sort of work.
            let is_unclear = to == "return-meta" && file.file_name() == "task-executor.json";
            let status = if is_unclear {
                "--status implemented"
            } else {
                ""
            };
            let output = convert(&world, &format!("--from {from} --to {to} {status}"), source);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{from} {to}: {}",
                stderr(&output)
            );
        }
    }
}

fn finished(agent: &str, path: &[&str], artifacts: &[&str]) -> String {
    let artifacts: Vec<_> = artifacts
        .iter()
        .map(|kind| json!({"type": kind, "path": "docs/tides.md", "summary": "x"}))
        .collect();
    json!({
        "status": "completed", "summary": "It is done. It is good.", "artifacts": artifacts,
        "metadata": {"session_id": "s", "agent_type": agent, "delegation_depth": 1, "delegation_path": path}
    })
    .to_string()
}

#[test]
fn the_success_word_follows_from_agent_command_and_artifacts() {
    let world = World::new();
    for (agent, path, artifacts, expected) in [
        (
            "lean-research-agent",
            &[][..],
            &["report"][..],
            Ok("researched"),
        ),
        ("planner", &[], &[], Ok("planned")),
        ("Planner", &[], &["summary"], Ok("planned")),
        ("implementation-planner", &[], &["plan"], Ok("planned")),
        (
            "worker",
            &["orchestrator", "research", "worker"],
            &[],
            Ok("researched"),
        ),
        (
            "worker",
            &[],
            &["implementation", "summary"],
            Ok("implemented"),
        ),
        (
            "implementer",
            &[],
            &["report", "implementation"],
            Ok("implemented"),
        ),
        ("planet-agent", &[], &["documentation"], Err(())),
        ("worker", &[], &["report", "plan"], Err(())),
        ("planner", &[], &["implementation"], Err(())),
        ("implementation-planner", &[], &[], Err(())),
    ] {
        let output = convert(
            &world,
            "--from return --to return-meta",
            finished(agent, path, artifacts),
        );
        if let Ok(word) = expected {
            let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(value["status"], word, "{agent}");
            assert!(
                stderr(&output).contains(&format!("/status: completed to {word} (")),
                "{}",
                stderr(&output)
            );
        } else {
            let why = "error: the agent and the artifacts do not show whether completed means researched, planned or implemented; set it with --status\n";
            output.assert().code(2).stdout(is_empty()).stderr(why);
        }
    }
}

#[test]
fn a_requested_status_may_not_contradict() {
    let world = World::new();
    let unclear = finished("worker", &["worker"], &["documentation"]);
    let to_meta = "--from return --to return-meta --status";
    convert(&world, &format!("{to_meta} implemented"), &unclear)
        .assert()
        .code(0)
        .stderr(contains(
            "mapped         /status: completed to implemented (--status)\n",
        ));
    convert(&world, &format!("{to_meta} failed"), &unclear)
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr("error: --status failed contradicts the status of the return, completed\n");
    convert(&world, &format!("{to_meta} completed"), &unclear)
        .assert()
        .code(2)
        .stderr("error: --status completed is not a status of return-meta; use in_progress, researched, planned, implemented, partial, failed or blocked\n");
    let failed = unclear.replace("completed", "failed");
    convert(&world, &format!("{to_meta} implemented"), failed)
        .assert()
        .code(2)
        .stdout(is_empty());
    let odd = unclear.replace("completed", "mostly");
    convert(&world, "--from return --to return-meta", &odd)
        .assert()
        .code(1)
        .stderr(contains("wrong          /status: Invalid status: mostly"))
        .stderr(contains("rule: status-unknown"));
    let output = convert(&world, &format!("{to_meta} implemented"), odd);
    assert!(stdout(&output).contains("\"/status\": \"mostly\""));
    output.assert().code(0);
}

#[test]
fn known_outcomes_become_statuses_and_are_kept() {
    let world = World::new();
    for (outcome, expected) in [
        ("success", "completed"),
        ("Done", "completed"),
        ("COMPLETED", "completed"),
        ("error", "failed"),
        ("time-out", "partial"),
        ("needs input", "blocked"),
    ] {
        let source = finished("planner", &["planner"], &["plan"]).replace("completed", outcome);
        let output = convert(&world, "--from return --to return-v1", source);
        let value: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(value["status"], expected);
        assert_eq!(value["metadata"]["unmapped"]["/status"], outcome);
        let mapped = format!("mapped         /status: {outcome} to {expected} (a known outcome)\n");
        assert!(stderr(&output).contains(&mapped), "{}", stderr(&output));
    }
    let planned = finished("planner", &["planner"], &["plan"]).replace("completed", "done");
    convert(&world, "--from return-v1 --to return-meta", &planned)
        .assert()
        .stdout(contains("\"planned\""))
        .stderr(contains("done to completed (a known outcome)"));
    convert(&world, "--from return --to return-meta", &planned)
        .assert()
        .stdout(contains("\"planned\""))
        .stderr(contains(
            "/status: done to planned (agent planner, artifact plan)",
        ));
    convert(
        &world,
        "--from return --to return-meta --status failed",
        &planned,
    )
    .assert()
    .code(2)
    .stderr("error: --status failed contradicts the status of the return, completed\n");
}

#[test]
fn options_supply_missing_members_and_replace_none() {
    let world = World::new();
    let bare = r#"{"status":"failed","summary":"It did not work. Try again.","artifacts":[],"metadata":{"session_id":" "}}"#;
    let options = "--from return-v1 --to return --session s --agent planner --duration-seconds 2.50 --delegation-depth 3 --delegation-path a,planner";
    let output = convert(&world, options, bare);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let metadata = json!({"session_id": "s", "duration_seconds": 2.5, "agent_type": "planner", "delegation_depth": 3, "delegation_path": ["a", "planner"]});
    assert_eq!(value["metadata"], metadata);
    output
        .assert()
        .code(0)
        .stderr(contains("supplied       /metadata/session_id: --session\n"))
        .stderr(contains("defaulted").not());

    let full = full_v1().to_string();
    let output = convert(&world, options, full);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["metadata"]["session_id"], "s");
    assert_eq!(value["metadata"]["duration_seconds"], 3);
    output.assert().code(0).stderr(contains("supplied").not());
    let full = full_v1().to_string();
    convert(&world, "--from return-v1 --to return --session other", full)
        .assert()
        .code(1)
        .stderr(contains("[FAIL] Session ID mismatch"));
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
fn what_was_kept_returns_to_its_place() {
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

#[test]
fn hostile_text_reaches_no_terminal() {
    let world = World::new();
    for (_, options, source) in conversions() {
        let output = convert(&world, &options, source);
        for text in [stdout(&output), stderr(&output)] {
            let is_hidden = |line: &str| line.chars().any(retval::internal::escape::is_hidden);
            assert!(
                !text.lines().any(is_hidden) && !text.contains("##["),
                "{text}"
            );
        }
    }
}

#[test]
fn an_invalid_source_is_refused_and_nothing_is_written() {
    let world = World::new();
    for (input, why) in [
        ("", "it is empty"),
        ("done", "it is plain text"),
        ("[]", "[FAIL] Return is not a JSON object: found an array\n"),
        (
            "{\"a\":{\"b\":1,\"b\":2}}",
            "[FAIL] Duplicate key: b\nRecommendation: Fix the subagent to write each key once\n       at -:1:13 (/a/b)\n",
        ),
        ("{\"a\":\"\\ud800\"}", "[FAIL] Invalid JSON return"),
    ] {
        let output = convert(
            &world,
            "--from return-v1 --to return --output new.json",
            input,
        );
        assert!(stderr(&output).ends_with("Nothing was converted\n"));
        output
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(why));
        assert!(!world.path("new.json").exists());
    }
    convert(
        &world,
        "--from return --to return-v1 --max-bytes 3",
        "{\"a\":1}",
    )
    .assert()
    .code(2)
    .stderr(starts_with(
        "[FAIL] Return exceeds a limit: larger than 3 bytes\n",
    ));
    let deep = "[".repeat(200) + &"]".repeat(200);
    convert(
        &world,
        "--from return --to return-v1",
        format!("{{\"a\":{deep}}}"),
    )
    .assert()
    .code(2)
    .stderr(contains("nested 201 levels deep"));
}

#[test]
fn pairs_that_do_not_exist_are_usage_errors_that_list_those_that_do() {
    let world = World::new();
    let pairs =
        "return-v1 to return, return to return-v1, return to return-meta, return-v1 to return-meta";
    for (from, to) in [
        ("return", "compact"),
        ("return-meta", "return"),
        ("return", "return"),
        ("handoff", "return"),
    ] {
        let output = convert(&world, &format!("--from {from} --to {to}"), "{}");
        let why = format!("error: cannot convert {from} to {to}; possible conversions: {pairs}\n");
        output.assert().code(2).stdout(is_empty()).stderr(why);
    }
    let help = stdout(&convert(&world, "--help", ""));
    let help: Vec<_> = help.split_whitespace().collect();
    assert!(help.join(" ").contains(pairs));
    for options in [
        "--from return",
        "--from retrun --to return",
        "--from return --to return-v1 --duration-seconds -1",
    ] {
        convert(&world, options, "{}")
            .assert()
            .code(2)
            .stdout(is_empty());
    }
}

#[test]
fn files_are_read_and_replaced_as_a_whole() {
    let world = World::new();
    world.write("old.json", full_v1().to_string());
    let to = "--from return-v1 --to return old.json --output";
    convert(&world, &format!("{to} new.json"), "")
        .assert()
        .code(0)
        .stdout(is_empty());
    world.check("new.json --root project").assert().code(0);
    convert(&world, &format!("{to} old.json"), "")
        .assert()
        .code(2)
        .stderr(contains("--output ").and(contains("old.json would replace an input")));
    assert_eq!(
        fs::read_to_string(world.path("old.json")).expect("a file"),
        full_v1().to_string()
    );
    convert(&world, &format!("{to} no/folder/new.json"), "")
        .assert()
        .code(2)
        .stderr(contains("cannot write no/folder/new.json"));
    convert(&world, "--from return-v1 --to return gone.json", "")
        .assert()
        .code(2)
        .stderr(contains("cannot read gone.json"));
}

#[test]
fn a_terminal_is_not_waited_for() {
    let world = World::new();
    // `script` runs a command line in a terminal of its own. It reads the path of the binary from a
    // variable: a path can have spaces and quotes.
    let output = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .args([
            "\"$RETVAL\" convert --from return --to return-v1",
            "/dev/null",
        ])
        .env("SHELL", "/bin/sh")
        .env("RETVAL", world.retval().get_program())
        .current_dir(world.path(""))
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script is there");
    let why = "\
error: standard input is a terminal: name a file, as in `retval convert --from return --to return-v1 return.json`,\r
       or pipe a return in, as in `some-agent | retval convert --from return --to return-v1`\r
";
    output.assert().code(2).stdout(why);
}
