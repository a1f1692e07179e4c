//! Formats and the files that they are written to.

use std::fs;
use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use super::PLAN;
use crate::common::{World, run_onto_full_disk, stderr, stdout};

#[test]
fn a_format_can_name_its_file() {
    let world = World::new();
    let bad = "rules/status-unknown/fail/done.json";
    let output = world.check(&format!(
        "{bad} --root project --format json=out=1.json --format concise --format junit=x.xml"
    ));
    assert_eq!(stdout(&output).lines().count(), 1);
    let json: Value =
        serde_json::from_slice(&fs::read(world.path("out=1.json")).expect("a file")).expect("JSON");
    assert_eq!(json["totals"]["invalid"], 1);
    assert!(fs::read_to_string(world.path("x.xml")).expect("a file").starts_with("<?xml"));
    for (options, error) in [
        ("--format jsn=x", "did you mean `json`?"),
        ("--format json=", "invalid value 'json=' for '--format <FORMAT[=FILE]>'"),
    ] {
        let output = world.check(&format!("{bad} {options}"));
        output.assert().code(2).stderr(contains(error));
    }
}

#[test]
fn several_returns_get_headings_and_a_line_of_totals() {
    let world = World::new();
    let output = world
        .check(&format!("{PLAN} rules/json-syntax/fail/empty.json missing.json --root project"));
    let text = stdout(&output);
    assert!(text.starts_with("== rules/json-syntax/fail/empty.json\n[FAIL] "), "{text}");
    assert!(
        text.ends_with("\n2 returns: 1 valid, 1 invalid (0 warnings); 1 source not checked\n"),
        "{text}"
    );
    assert_eq!(
        stderr(&output),
        "error: cannot read missing.json: No such file or directory (os error 2)\n"
    );
    output.assert().code(2);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let world = World::new();
    let mut child = world.retval();
    child.args(["check", PLAN, "--root", "project"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    output.assert().code(0).stderr(is_empty());
}

#[test]
fn an_output_that_cannot_be_written_is_exit_2() {
    let world = World::new();
    let mut retval = world.retval();
    run_onto_full_disk(retval.args(["check", PLAN, "--root", "project"]))
        .assert()
        .code(2)
        .stderr(contains("cannot write to standard output: No space left"));
    world
        .check(&format!("{PLAN} --root project --format text=/dev/full"))
        .assert()
        .code(2)
        .stderr(contains("/dev/full"));
}

#[test]
fn outputs_are_replaced_as_a_whole() {
    let world = World::new();
    world.write("verdict.json", "old");
    world.rights("verdict.json", 0o640);
    let output =
        world.check(&format!("{PLAN} --root project --format json=verdict.json --format text"));
    assert!(stdout(&output).starts_with("[PASS] Return is valid JSON\n"));
    let document: serde_json::Value =
        serde_json::from_slice(&fs::read(world.path("verdict.json")).expect("a file"))
            .expect("JSON");
    assert_eq!(document["totals"]["valid"], 1);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(world.path("verdict.json")).expect("a file").permissions(),
    );
    assert_eq!(mode & 0o777, 0o640, "the old file's rights are kept");
    let left = fs::read_dir(world.path("")).expect("a folder").flatten();
    assert!(
        left.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with(".retval-"))
    );
}

#[test]
fn json_is_one_document_and_jsonl_one_record_a_line() {
    let world = World::new();
    let output =
        world.check("rules/artifact-empty/fail/zero-bytes.json --root project --format json");
    let expected = concat!(
        r#"{"version":1,"returns":["#,
        "\n",
        r#"{"version":1,"source":"rules/artifact-empty/fail/zero-bytes.json","line":null,"profile":"return","valid":false,"error":null,"#,
        r#""status":"completed","session_id":"sess_1767225600_k3m9qa","agent_type":"planner","#,
        r#""delegation_depth":1,"delegation_path":["orchestrator","plan","planner"],"#,
        r#""summary":"Planned the tide tables in three phases. Phase one reads the harmonic constants, the others compute and print. About eight hours of work.","summary_tokens":34.25,"#,
        r#""duration_seconds":212,"next":{"action":"retry","agent":null},"recoverable":null,"#,
        r#""next_steps":"Run /implement 12 to carry the plan out","partial_progress":null,"#,
        r#""completion_data":null,"counts":{"phase_count":3,"phases_completed":null,"phases_total":null,"findings_count":null},"errors":[],"#,
        r#""steps":[{"step":"json","outcome":"pass","reason":null},{"step":"fields","outcome":"pass","reason":null},"#,
        r#"{"step":"status","outcome":"pass","reason":null},{"step":"session","outcome":"skip","reason":"no --session was given"},"#,
        r#"{"step":"summary","outcome":"pass","reason":null},{"step":"artifacts","outcome":"fail","reason":null}],"#,
        r#""findings":[{"rule":"artifact-empty","level":"error","message":"Artifact is empty: notes/empty.md","#,
        r#""help":"Verify planner writes content to artifacts","pointer":"/artifacts/0/path","line":7,"column":15,"offset":240,"length":16}],"#,
        r#""artifacts":[{"path":"notes/empty.md","type":"plan","summary":"Plan with three phases","state":"empty","bytes":0}]}"#,
        "\n",
        r#"],"totals":{"returns":1,"valid":0,"invalid":1,"unchecked":0,"warnings":0}}"#,
        "\n",
    );
    assert_eq!(stdout(&output), expected);
    let output = world.check(&format!("{PLAN} missing.json --root project --format jsonl"));
    let records: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    assert_eq!(records.len(), 2);
    assert_eq!(
        (&records[0]["valid"], &records[1]["valid"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        records[1]["error"],
        "cannot read missing.json: No such file or directory (os error 2)"
    );
    assert_eq!(records[1]["steps"].as_array().map(Vec::len), Some(6));
}
