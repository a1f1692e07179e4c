//! A record is short, whatever the return contains. A log can be long.

use std::fs;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt as _;
use serde_json::{Value, json};

use super::{PHANTOM, records};
use crate::common::{World, piped};

#[test]
fn a_record_is_short_whatever_was_returned() {
    let world = World::new();
    let long = "\u{1b}#\u{e0041}\"".repeat(100_000);
    let path: Vec<_> = (0..5_000).map(|_| &long[..700]).collect();
    let hostile = json!({
        "status": long, "summary": long, "artifacts": [{"path": long}], long.clone(): long,
        "metadata": {"session_id": long, "agent_type": long, "delegation_depth": 1e300,
            "delegation_path": path},
    });
    let hostile = hostile.to_string();
    for log in ["errors.json", "errors.jsonl"] {
        let output = piped(&world, &format!("--errors-json {log} -q"), &hostile);
        output.assert().code(1);
        let size = fs::metadata(world.path(log)).expect("a log").len();
        assert!(size < 32 * 1024, "{size}");
        let record = &records(&world, log)[0];
        assert_eq!(record["returned"]["bytes"], hostile.len());
        let excerpt = record["returned"]["excerpt"].as_str().expect("a text");
        assert!((1_900..=2_000).contains(&excerpt.chars().count()));
        assert!(!excerpt.contains('\u{1b}'));
        let session = record["context"]["session_id"].as_str().expect("a text");
        assert!(session.ends_with("… (400000 characters)"), "{session}");
        let agents = &record["trajectory"]["delegation_path"];
        assert_eq!(agents.as_array().map(Vec::len), Some(21));
        assert_eq!(agents[20], "… (5000 agents)");
    }
}

#[test]
fn an_excerpt_is_the_beginning_of_the_return() {
    let world = World::new();
    for (returned, excerpt) in [
        (&b""[..], String::new()),
        (b"a\xffb\n", "a\u{fffd}b\\n".to_owned()),
        (b"::error::x", "\\u{3a}:error::x".to_owned()),
        (&[b'x'; 2_000], "x".repeat(2_000)),
        (&[b'x'; 2_001], "x".repeat(2_000)),
        (&[b'\n'; 1_001], "\\n".repeat(1_000)),
    ] {
        let _ = fs::remove_file(world.path("errors.jsonl"));
        piped(&world, "--errors-json errors.jsonl -q", returned)
            .assert()
            .code(1);
        let records = records(&world, "errors.jsonl");
        let expected = json!({"bytes": returned.len(), "excerpt": excerpt});
        assert_eq!(records[0]["returned"], expected);
    }
}

/// The log is larger than the memory that the process may have.
#[test]
fn a_long_log_takes_no_more_memory_than_a_short_one() {
    let world = World::new();
    let record = format!(
        "{{\"id\": \"err_0\", \"message\": \"{}\"}}",
        "é".repeat(50_000)
    );
    let log = format!(
        "{{\"kept\": [1.5e3, \"]\"], \"errors\": [{}], \"after\": {{}}}}\n",
        vec![record; 1_500].join(",")
    );
    world.write("errors.json", &log);
    let mut bash = Command::new("bash");
    let script = format!("ulimit -v 131072; exec \"$0\" check {PHANTOM} --errors-json errors.json");
    bash.args(["-c", &script]).arg(world.retval().get_program());
    let output = bash.current_dir(world.path("")).output();
    output.expect("bash runs").assert().code(1).stderr("");
    let text = fs::read_to_string(world.path("errors.json")).expect("a log");
    let end = log.find("], \"after\"").expect("an end");
    assert!(text.starts_with(&log[..end]) && text.ends_with(&log[end..]));
    let added = &text[end..text.len() - (log.len() - end)];
    let added = added
        .strip_prefix(",\n    ")
        .and_then(|it| it.strip_suffix("\n  "));
    let added: Value = serde_json::from_str(added.expect("a record")).expect("JSON");
    assert_eq!(added["type"], "validation_failed");
}
