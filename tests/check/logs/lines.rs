//! A log with one record per line: an incomplete line is repaired, and no other record is lost.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt as _;
use serde_json::Value;

use super::{PHANTOM, records};
use crate::common::World;

#[test]
fn an_incomplete_line_is_repaired_by_the_next_writer() {
    let whole = "{\"id\":\"err_1\",\"other\":true}";
    for (before, kept) in [
        // Of a record of ours that was cut off, nothing was told.
        ("{\"id\":\"err_17", ""),
        ("{\"id", ""),
        (
            "{\"id\":\"err_1\"}\n{\"id\":\"err_2\",\"message\":\"no",
            "{\"id\":\"err_1\"}\n",
        ),
        // What may be another program's stays, on a line of its own.
        (whole, "{\"id\":\"err_1\",\"other\":true}\n"),
        ("{\"level\":\"warn\",", "{\"level\":\"warn\",\n"),
        ("plain text", "plain text\n"),
        ("a\nb\n", "a\nb\n"),
        ("", ""),
    ] {
        let world = World::new();
        world.write("errors.jsonl", before);
        let output = world.check(&format!("{PHANTOM} --errors-json errors.jsonl"));
        output.assert().code(1);
        let text = fs::read_to_string(world.path("errors.jsonl")).expect("a log");
        let record = text.strip_prefix(kept);
        let record = record.unwrap_or_else(|| panic!("{before}: {text}"));
        assert!(
            record.ends_with('\n') && record.lines().count() == 1,
            "{text}"
        );
        let record: Value = serde_json::from_str(record).expect("a record");
        assert_eq!(record["type"], "validation_failed");
    }
}

#[test]
fn a_writer_that_is_killed_tears_at_most_its_last_line() {
    let world = World::new();
    // Records of several pages, so that a write can be cut off.
    let line = format!("{}\n", "\u{1f30a}".repeat(2_000));
    world.write("in.ndjson", line.repeat(300));
    let options = "check in.ndjson -q -j 2 --errors-json errors.jsonl";
    for round in 0..60_u64 {
        let mut retval = world.retval();
        let retval = retval.args(options.split(' '));
        let spawned = retval.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = spawned.expect("it runs");
        std::thread::sleep(Duration::from_micros(5_000 + round * 1_973 % 60_000));
        child.kill().expect("a signal");
        child.wait().expect("it ends");
        let Ok(text) = fs::read_to_string(world.path("errors.jsonl")) else {
            continue;
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for line in text[..whole].lines() {
            assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
        }
    }
    let output = world.check(&format!("{PHANTOM} --errors-json errors.jsonl"));
    output.assert().code(1);
    assert!(!records(&world, "errors.jsonl").is_empty());
}
