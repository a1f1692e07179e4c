//! `--exit-zero`: an invalid return does not fail the run, but every other failure does.

use std::fs;
use std::process::Stdio;

use crate::common::{World, piped, run_onto_full_disk, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::Value;

const PLAN: &str = "profiles/return/completed-plan.json";
const INVALID: &str = "rules/status-unknown/fail/done.json";

#[test]
fn an_invalid_return_is_reported_as_ever_and_ends_with_0() {
    let world = World::new();
    for options in ["", "--format jsonl", "--format json", "-q", "--strict"] {
        let options = format!("{PLAN} {INVALID} --root project {options}");
        let without = world.check(&options);
        let with = world.check(&format!("{options} --exit-zero"));
        assert_eq!(without.status.code(), Some(1), "{options}");
        assert_eq!(with.status.code(), Some(0), "{options}");
        assert!(stdout(&with).contains("done"), "{options}");
        assert_eq!(stdout(&with), stdout(&without), "{options}");
        assert_eq!(stderr(&with), stderr(&without), "{options}");
    }
}

#[test]
fn a_stream_and_its_filter_end_with_0_as_well() {
    let world = World::new();
    let input = fs::read(world.path("streams/day.ndjson")).expect("a fixture");
    for options in ["--format jsonl", "--filter valid", "--filter invalid"] {
        let options = format!("--lines --root project {options}");
        let without = piped(&world, &options, &input);
        let with = piped(&world, &format!("{options} --exit-zero"), &input);
        assert_eq!(without.status.code(), Some(1), "{options}");
        assert_eq!(stdout(&with), stdout(&without), "{options}");
        with.assert().code(0);
    }
}

#[test]
fn a_reader_that_closes_the_pipe_gets_the_same_code() {
    let world = World::new();
    let line = "{\"status\":\"done\"}\n";
    world.write("many.ndjson", line.repeat(2_000));
    for (option, expected) in [("--strict", 1), ("--exit-zero", 0)] {
        let mut retval = world.retval();
        retval.args(["check", "many.ndjson", option]);
        let mut child = retval.stdout(Stdio::piped()).spawn().expect("it runs");
        drop(child.stdout.take());
        assert_eq!(child.wait().expect("it ends").code(), Some(expected));
    }
}

#[test]
fn an_unchecked_input_still_ends_with_2() {
    let world = World::new();
    for (options, complaint) in [
        ("nowhere.json rules/status-unknown/fail/done.json", "nowhere.json"),
        ("rules/status-unknown/fail/done.json --profile no-such-profile", "no-such-profile"),
        ("rules/status-unknown/fail/done.json --config none.toml", "none.toml"),
        ("rules/status-unknown/fail/done.json --root nowhere", "nowhere"),
        ("rules/status-unknown/fail/done.json --no-such-option", "--no-such-option"),
    ] {
        let output = world.check(&format!("{options} --exit-zero"));
        output.assert().code(2).stderr(contains(complaint));
    }
    let mut retval = world.retval();
    run_onto_full_disk(retval.args(["check", INVALID, "--exit-zero"]))
        .assert()
        .code(2)
        .stderr(contains("cannot write to standard output"));
}

#[test]
fn sarif_says_the_code_that_the_run_ends_with() {
    let world = World::new();
    for (option, expected) in [("", 1), ("--exit-zero", 0)] {
        let output = world.check(&format!("{INVALID} --format sarif {option}"));
        let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], expected);
        output.assert().code(expected).stderr(is_empty());
    }
}

#[test]
fn no_configuration_file_can_turn_the_exit_code_off() {
    let world = World::new();
    world.write("retval.toml", "exit-zero = true\n");
    let output = world.check(INVALID);
    output.assert().code(2).stderr(contains("exit-zero"));
}
