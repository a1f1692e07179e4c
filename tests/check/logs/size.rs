//! A record is short, whatever the return contains. A log has a limit.

use std::fs;

use assert_cmd::assert::OutputAssertExt as _;
use serde_json::json;

use super::{PHANTOM, records};
use crate::common::{World, piped, stderr};

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
    let output = piped(&world, "--errors-json errors.json -q", &hostile);
    output.assert().code(1);
    let size = fs::metadata(world.path("errors.json")).expect("a log").len();
    assert!(size < 32 * 1024, "{size}");
    let record = &records(&world, "errors.json")[0];
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
        let _ = fs::remove_file(world.path("errors.json"));
        piped(&world, "--errors-json errors.json -q", returned).assert().code(1);
        let records = records(&world, "errors.json");
        let expected = json!({"bytes": returned.len(), "excerpt": excerpt});
        assert_eq!(records[0]["returned"], expected);
    }
}

#[test]
fn a_log_that_is_too_large_stays_as_it_is() {
    let world = World::new();
    let log = format!("{{\"errors\": [], \"x\": \"{}\"}}", "x".repeat(64 << 20));
    world.write("errors.json", &log);
    let output = world.check(&format!("{PHANTOM} --errors-json errors.json"));
    assert_eq!(
        stderr(&output),
        "error: cannot add to the error log errors.json: it is larger than 67108864 bytes: move it away, and a new one is made\n"
    );
    output.assert().code(2);
    let text = fs::read_to_string(world.path("errors.json")).expect("a log");
    assert!(text == log);
}
