//! `--since` and the age of files.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::common::{World, piped, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

const VALID: &str = r#"{"status":"completed","summary":"The tides are told. They are high.","artifacts":[{"type":"plan","path":"docs/tides.md","summary":"x"}],"metadata":{"session_id":"s","agent_type":"planner","delegation_depth":1,"delegation_path":["planner"]}}"#;

/// Writes a file that was last changed so long ago.
fn write(world: &World, path: &str, text: &str, age: Duration) {
    world.write(path, text);
    let file = fs::File::options().write(true).open(world.path(path)).expect("a file");
    let time = SystemTime::now().checked_sub(age).expect("a time");
    file.set_modified(time).expect("a time");
}

const HOUR: Duration = Duration::from_hours(1);

#[test]
fn a_file_older_than_the_call_is_invalid() {
    let world = World::new();
    write(&world, "new.json", VALID, HOUR);
    write(&world, "old.json", VALID, 3 * HOUR);
    for (files, since, code) in [
        ("new.json", "2h", 0),
        ("old.json", "2h", 1),
        ("old.json", "1d", 0),
        ("old.json", "@0", 0),
        ("old.json", "2100-01-01T00:00:00Z", 1),
    ] {
        let output = world.check(&format!("{files} --root project --since {since}"));
        assert_eq!(output.status.code(), Some(code), "{files} {since}: {}", stdout(&output));
    }
    let output = world.check("old.json --root project -q --since 2100-01-01T00:00:00Z");
    let expected = "\
[FAIL] Return was not written since 2100-01-01T00:00:00Z
Recommendation: Fix planner subagent to write its own file in every run
       at old.json:1:1
       rule: return-stale
";
    assert_eq!(stdout(&output), expected);
    let both = world.check("new.json old.json --root project --since 2h --format next");
    assert_eq!(stdout(&both), "proceed\nretry\n");
}

#[test]
fn since_does_not_apply_to_standard_input_and_streams() {
    let world = World::new();
    let options = "--root project --since 2100-01-01T00:00:00Z";
    piped(&world, options, VALID).assert().code(0);
    write(&world, "old.ndjson", VALID, HOUR);
    world.check(&format!("old.ndjson {options}")).assert().code(0);
}

#[test]
fn an_invalid_time_is_a_usage_error() {
    let world = World::new();
    let output = piped(&world, "--since yesterday", VALID);
    output.assert().code(2).stderr(contains("a time such as 2026-01-28T10:30:00Z"));
}
