//! `--errors-json`: the error log, which many processes can share.

use std::collections::HashSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{World, piped, run, stderr};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;
use serde_json::Value;

const PHANTOM: &str = "rules/artifact-not-found/fail/phantom.json --root project";

fn log(world: &World) -> Value {
    let text = fs::read_to_string(world.path("errors.json")).expect("a log");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn records(world: &World) -> Vec<Value> {
    log(world)["errors"].as_array().expect("an array").clone()
}

fn spawn(world: &World) -> Child {
    let mut retval = world.retval();
    retval.args(["check", "--errors-json", "errors.json"]).args(PHANTOM.split(' '));
    retval.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs")
}

#[test]
fn an_invalid_return_is_recorded() {
    let world = World::new();
    world
        .check(&format!("{PHANTOM} --errors-json errors.json --session sess_1767225600_k3m9qa"))
        .assert()
        .code(1);
    let records = records(&world);
    let mut record = records[0].clone();
    let id = record["id"].as_str().expect("an id").to_owned();
    let millis = id.strip_prefix("err_").and_then(|id| id.split('_').next()).expect("milliseconds");
    assert!(millis.parse::<u64>().is_ok_and(|millis| millis > 1_700_000_000_000), "{id}");
    let timestamp = record["timestamp"].as_str().expect("a time").to_owned();
    assert!(timestamp.ends_with('Z') && timestamp.as_bytes()[10] == b'T', "{timestamp}");
    for key in ["id", "timestamp"] {
        record[key] = Value::Null;
    }
    let file = "rules/artifact-not-found/fail/phantom.json";
    let text = fs::read_to_string(world.path(file)).expect("a return");
    let excerpt = text.replace('\n', "\\n");
    let expected = serde_json::json!({
        "id": null,
        "timestamp": null,
        "type": "validation_failed",
        "severity": "high",
        "message": "Artifact does not exist: specs/12_tide_tables/plans/implementation-002.md",
        "context": {
            "session_id": "sess_1767225600_k3m9qa",
            "agent_type": "planner",
            "source": file,
        },
        "returned": { "bytes": text.len(), "excerpt": excerpt },
        "trajectory": { "delegation_path": ["orchestrator", "plan", "planner"], "failed_at_depth": 1 },
        "recovery": { "suggested_action": "Verify planner writes artifacts to correct paths", "auto_recoverable": true },
        "fix_status": "unfixed",
    });
    assert_eq!(record, expected);
}

#[test]
fn an_excerpt_is_as_long_with_its_escapes() {
    let world = World::new();
    for length in 0..8 {
        let text = "a".repeat(length) + &"\u{9b}".repeat(2_000);
        piped(&world, "--errors-json errors.json", text);
    }
    for record in records(&world) {
        let excerpt = record["returned"]["excerpt"].as_str().expect("a text");
        assert_eq!(excerpt.len(), 2_000, "{excerpt}");
    }
}

#[test]
fn a_record_counts_further_findings_and_has_a_severity() {
    let world = World::new();
    let found = |status: &str| {
        let text = format!(r#"{{"status": "{status}", "summary": 1, "artifacts": "plan.md"}}"#);
        let output = piped(&world, "--format jsonl --errors-json errors.json", text);
        let record: Value =
            serde_json::from_str(&crate::common::stdout(&output)).expect("a record");
        record["findings"].as_array().expect("findings").len()
    };
    let (failed, done) = (found("failed"), found("completed"));
    assert!(failed > 2 && done > 2);
    let records = records(&world);
    for (record, (found, severity)) in records.iter().zip([(failed, "medium"), (done, "high")]) {
        let message = record["message"].as_str().expect("a message");
        assert!(message.ends_with(&format!(" (and {} more)", found - 1)), "{message}");
        assert_eq!(record["severity"], severity);
        let failures = record["failures"].as_array().expect("a list");
        for failure in [
            "Missing required field: metadata",
            "Wrong type for field summary: expected a string, found a number",
            "Wrong type for field artifacts: expected an array, found a string",
        ] {
            assert!(failures.iter().any(|it| it == failure), "{record}");
        }
    }
}

#[test]
fn a_valid_return_leaves_no_trace() {
    let world = World::new();
    world
        .check("profiles/return/completed-plan.json --root project --errors-json errors.json")
        .assert()
        .code(0);
    assert!(!world.path("errors.json").exists());
}

#[test]
fn the_rest_of_the_log_stays_the_same_to_the_byte() {
    let world = World::new();
    for (before, start, end) in [
        (
            "{\"z\": 1e400,\n \"errors\": [ {\"id\": \"old\"} ] , \"a\": [\"]\"]}",
            "{\"z\": 1e400,\n \"errors\": [ {\"id\": \"old\"},\n    {",
            " ] , \"a\": [\"]\"]}",
        ),
        ("{\"errors\":[]}", "{\"errors\":[\n    {", "}\n  ]}"),
        ("{\n  \"errors\": [\n  ]\n}\n", "{\n  \"errors\": [\n    {", "}\n  ]\n}\n"),
    ] {
        world.write("errors.json", before);
        world.rights("errors.json", 0o640);
        world.check(&format!("{PHANTOM} --errors-json errors.json")).assert().code(1);
        let after = fs::read_to_string(world.path("errors.json")).expect("a log");
        assert!(after.starts_with(start) && after.ends_with(end), "{after}");
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &fs::metadata(world.path("errors.json")).expect("a log").permissions(),
        );
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[test]
fn a_file_that_is_not_a_log_is_left_unchanged() {
    let world = World::new();
    for text in [
        "",
        "not JSON",
        "[]",
        "[[]]",
        "{}",
        "{\"errors\": {}}",
        "{\"errors\": []",
        "{\"errors\": [], \"errors\": []}",
    ] {
        world.write("errors.json", text);
        let output = world.check(&format!("{PHANTOM} --errors-json errors.json"));
        assert_eq!(fs::read_to_string(world.path("errors.json")).expect("a file"), text);
        let said = stderr(&output);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(!said.contains("struct"), "{said}");
        output
            .assert()
            .code(2)
            .stdout(contains("[FAIL]"))
            .stderr(contains("cannot add to the error log "));
    }
}

#[test]
fn a_log_that_may_not_be_changed_is_reported() {
    let world = World::new();
    world.write("shut/errors.json", "{\"errors\": []}");
    world.rights("shut/errors.json", 0o444);
    world.rights("shut", 0o555);
    for log in ["shut/errors.json", "shut/new.json", "shut/new/errors.json"] {
        let mut retval = world.retval_as_nobody();
        let output = run(retval.args(["check", "--errors-json", log]).args(PHANTOM.split(' ')));
        let expected =
            format!("error: cannot add to the error log {log}: Permission denied (os error 13)\n");
        assert_eq!(stderr(&output), expected);
        output.assert().code(2);
    }
    let entries = fs::read_dir(world.path("shut")).expect("a folder");
    assert_eq!(entries.count(), 1);
    assert_eq!(
        fs::read_to_string(world.path("shut/errors.json")).expect("a log"),
        "{\"errors\": []}"
    );
}

#[test]
fn a_log_without_records_is_not_made() {
    let world = World::new();
    let valid =
        "profiles/return/completed-plan.json --root project --session sess_1767225600_k3m9qa";
    world.write("kept.json", "not a log");
    for log in ["new.json", "new/deep/log.json"] {
        let options = format!("{valid} --errors-json {log}");
        world.check(&options).assert().code(0).stderr("");
        assert!(!world.path("new").exists() && !world.path("new.json").exists());
    }
    // What is in it matters only if something is added.
    let output = world.check(&format!("{valid} --errors-json kept.json"));
    output.assert().code(0).stderr("");
}

#[test]
fn folders_are_made() {
    let world = World::new();
    for _ in 0..2 {
        world.check(&format!("{PHANTOM} --errors-json logs/deep/errors.json")).assert().code(1);
    }
    let text = fs::read_to_string(world.path("logs/deep/errors.json")).expect("a log");
    assert_eq!(text.matches("\"err_").count(), 2);
}

/// Each record would be one more return to check, without end.
#[test]
fn a_run_does_not_check_its_own_error_log() {
    let world = World::new();
    let stream = fs::read_to_string(world.path("streams/day.ndjson")).expect("a stream");
    world.write("in/day.jsonl", &stream);
    world.check("in/day.jsonl --errors-json project/../in/day.jsonl").assert().code(2).stderr(
        contains("--errors-json would write to project/../in/day.jsonl, which is an input"),
    );
    world.write("list", "in/day.jsonl\n");
    world
        .check("--files-from list --errors-json in/day.jsonl")
        .assert()
        .code(2)
        .stderr(contains("--errors-json would write to in/day.jsonl, which is an input"));
    world
        .check("in --errors-json in/day.jsonl")
        .assert()
        .code(0)
        .stderr(contains("note: in/day.jsonl is skipped: --errors-json names it"))
        .stderr(contains("no files to check"));
    let text = fs::read_to_string(world.path("in/day.jsonl")).expect("a stream");
    assert_eq!(text, stream);
}

#[test]
fn an_error_log_made_in_the_checked_folder_is_not_checked() {
    let world = World::new();
    let phantom = "rules/artifact-not-found/fail/phantom.json";
    fs::create_dir_all(world.path("in/z")).expect("folders");
    // So many that records are written before the last folder is listed.
    let line = fs::read_to_string(world.path(phantom)).expect("a return").replace('\n', " ");
    world.write("in/a.ndjson", format!("{line}\n").repeat(3_000));
    let output = world.check("in --root project --errors-json in/z/errors.json -q -j 1");
    output.assert().code(1);
    let text = fs::read_to_string(world.path("in/z/errors.json")).expect("a log");
    assert_eq!(text.matches("\n    {\"id\"").count(), 3_000);
}

#[test]
fn a_stream_records_every_invalid_line() {
    let world = World::new();
    let output = piped(&world, "--lines --errors-json errors.json -q", "not JSON\n".repeat(2_500));
    output.assert().code(1);
    let records = records(&world);
    let ids: HashSet<_> =
        records.iter().map(|record| record["id"].as_str().expect("an id")).collect();
    assert_eq!((records.len(), ids.len()), (2_500, 2_500));
    let lines = records.iter().map(|record| &record["context"]["line"]);
    assert!(lines.eq(&(1..=2_500).map(Value::from).collect::<Vec<_>>()));
}

#[test]
fn a_failure_is_told_once_and_ends_the_log() {
    let world = World::new();
    world.write("errors.json", "no log");
    // So many that they are written more than once.
    let returns = "not JSON\n".repeat(6_000);
    let output = piped(&world, "--lines --errors-json errors.json -q", returns);
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    output.assert().code(2);
    let text = fs::read_to_string(world.path("errors.json")).expect("a file");
    assert_eq!(text, "no log");
}

#[test]
fn a_run_may_end_with_a_log_above_the_limit() {
    let world = World::new();
    let before = format!("{{\"errors\": [], \"x\": \"{}\"}}", "x".repeat((64 << 20) - 100));
    world.write("errors.json", before);
    let returns = "not JSON\n".repeat(2_500);
    let options = "--lines --errors-json errors.json -q";
    let output = piped(&world, options, &returns);
    output.assert().code(1).stderr("");
    let text = fs::read_to_string(world.path("errors.json")).expect("a log");
    assert_eq!(text.matches("\n    {\"id\"").count(), 2_500);
    let output = piped(&world, options, &returns);
    output.assert().code(2).stderr(contains("move it away"));
}

#[test]
fn two_hundred_processes_at_once_lose_nothing() {
    let world = World::new();
    let children: Vec<_> = (0..200).map(|_| spawn(&world)).collect();
    for mut child in children {
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
    let records = records(&world);
    let ids: HashSet<_> =
        records.iter().map(|record| record["id"].as_str().expect("an id")).collect();
    assert_eq!((records.len(), ids.len()), (200, 200));
}

#[test]
fn a_process_killed_at_any_moment_leaves_a_complete_log() {
    let world = World::new();
    let mut finished = 0;
    for round in 0..300_u64 {
        let mut child = spawn(&world);
        std::thread::sleep(Duration::from_micros(round * 37 % 6_000));
        child.kill().expect("a signal");
        finished += usize::from(child.wait().expect("it ends").code() == Some(1));
        if world.path("errors.json").exists() {
            // One that was killed after its record was written has written it, too.
            assert!(records(&world).len() >= finished);
        }
    }
    // No lock of the dead is in the way.
    world.check(&format!("{PHANTOM} --errors-json errors.json")).assert().code(1);
    assert!(records(&world).len() > finished);
}

#[test]
fn an_error_log_that_is_not_a_file_is_reported_and_not_read() {
    let world = World::new();
    let made = Command::new("mkfifo").arg(world.path("fifo")).status();
    assert!(made.expect("mkfifo runs").success());
    for log in ["/dev/zero", "/dev/full", "fifo", "project"] {
        let output = piped(&world, &format!("--errors-json {log}"), "no JSON");
        let expected = format!("error: cannot add to the error log {log}: ");
        assert!(stderr(&output).starts_with(&expected), "{}", stderr(&output));
        output.assert().code(2);
    }
}
