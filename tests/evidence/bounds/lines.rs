//! Long lines, and lines of other programs before a transcript.

use std::fs::File;

use super::{check, prompt, reads, reason};
use crate::common::{World, stderr};

/// A transcript of huge size that has hardly any content.
fn sparse(world: &World, name: &str, text: &str, size: u64) {
    world.write(name, text);
    let file = File::options().append(true).open(world.path(name));
    file.and_then(|file| file.set_len(size)).expect("a sparse file");
}

#[test]
fn a_line_without_an_end_is_passed_over() {
    let world = World::with("rules/artifact-unwritten");
    sparse(&world, "endless.jsonl", &(prompt() + "{\"type\":"), 300 << 20);
    assert_eq!(
        reason(&world, "endless.jsonl"),
        "unknown: the record is not complete: line 2 cannot be read"
    );
}

#[test]
fn foreign_lines_before_the_first_record_are_passed() {
    let world = World::with("rules/artifact-unwritten");
    let record = |size: usize| format!("{{\"level\":\"{}\"}}\n", "x".repeat(size));
    world.write("own.jsonl", reads("x"));
    let whole = reason(&world, "own.jsonl");
    for (name, foreign, expected) in [
        ("records", record(100).repeat(30_000), &*whole),
        ("a long one", record(2 << 20).repeat(3), &*whole),
        ("too long", record(3 << 20), "unknown: the record is not complete: line 1 cannot be read"),
        (
            "longer than a document may be",
            format!("{{}}\n{}", record(9 << 20)),
            "unknown: the record is not complete: line 2 cannot be read",
        ),
        (
            "text",
            "Some words.\n".repeat(300_000),
            "unknown: the record is not complete: line 1 cannot be read",
        ),
        (
            "text after records",
            record(100).repeat(30_000) + "Some words.\n",
            "unknown: the record is not complete: line 30001 cannot be read",
        ),
    ] {
        world.write("foreign.jsonl", foreign + &reads("x"));
        assert_eq!(reason(&world, "foreign.jsonl"), expected, "{name}");
    }
}

/// What is no object may have been half of one, however many lines come before it or after it.
#[test]
fn a_foreign_line_without_an_object_makes_the_record_incomplete() {
    let world = World::with("rules/artifact-unwritten");
    let objects = "{\"level\":\"info\"} {}\n";
    for line in ["42", "null", "\"text\"", "[{}]", "{} 42", "Some words."] {
        for (before, after) in [(0, 0), (0, 130_000), (130_000, 0)] {
            let foreign = objects.repeat(before) + line + "\n" + &objects.repeat(after);
            world.write("foreign.jsonl", foreign + &reads("x"));
            let number = before + 1;
            let expected =
                format!("unknown: the record is not complete: line {number} cannot be read");
            assert_eq!(reason(&world, "foreign.jsonl"), expected, "{line}");
        }
    }
}

#[test]
fn foreign_lines_have_a_limit() {
    let world = World::with("rules/artifact-unwritten");
    world.write("own.jsonl", reads("x"));
    let mebibyte = format!("{{\"level\":\"{}\"}}\n", "x".repeat((1 << 20) - 13));
    world.write("foreign.jsonl", mebibyte.repeat(64) + &reads("x"));
    assert_eq!(reason(&world, "foreign.jsonl"), reason(&world, "own.jsonl"));
    world.write("foreign.jsonl", mebibyte.repeat(64) + "\n" + &reads("x"));
    let output = check(&world, "foreign.jsonl");
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (
            Some(2),
            "error: --transcript foreign.jsonl: not a transcript of a known client\n".to_owned()
        )
    );
}

#[test]
fn no_more_than_a_gigabyte_is_read() {
    let world = World::with("rules/artifact-unwritten");
    sparse(&world, "huge.jsonl", &reads("x"), 100 << 30);
    assert_eq!(
        reason(&world, "huge.jsonl"),
        "unknown: the record is not complete: line 5 cannot be read"
    );
    let output = check(&world, "huge.jsonl");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
