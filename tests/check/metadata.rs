//! Metadata files: checks that depend on the clock, on options and on the file's location.

use std::fs;
use std::process::Output;

use crate::common::{World, feed, fixtures, piped, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

const EARLY: &str = "rules/started-at-missing/pass/there.json";

fn rules(world: &World, options: &str) -> String {
    let output = world
        .check(&format!("{EARLY} --profile return-meta --root project --format github {options}"));
    stdout(&output)
}

#[test]
fn unfinished_work_is_stale_after_a_day_or_the_configured_age() {
    let world = World::new();
    let is_stale = |options: &str| rules(&world, options).contains("started-at-implausible");
    assert!(!is_stale("RETVAL_NOW=2026-01-29T10:29:00Z"));
    assert!(is_stale("RETVAL_NOW=2026-01-29T10:31:00Z"));
    // Today is long after the start.
    assert!(is_stale(""));
    world.write("retval.toml", "stale-after = \"2d\"\n");
    assert!(!is_stale("RETVAL_NOW=2026-01-29T10:31:00Z"));
    assert!(is_stale("RETVAL_NOW=2026-01-30T10:31:00Z"));
    world.write("retval.toml", "now = \"2026-01-29T10:31:00Z\"\n");
    assert!(is_stale(""));
    assert!(!is_stale("RETVAL_NOW=2026-01-29T10:29:00Z"));
    world.write("retval.toml", "stale-after = \"100000d\"\n");
    assert!(!is_stale(""));
}

#[test]
fn an_invalid_age_or_time_is_refused() {
    let world = World::new();
    let message = "error: the environment variable RETVAL_NOW: `now`: expected a time such as \
                   2026-01-28T10:30:00Z or @1769596200, or how long ago, such as 2h\n";
    let output = world.check(&format!("RETVAL_NOW=yesterday {EARLY}"));
    output.assert().code(2).stderr(message);
    world.write("retval.toml", "now = \"yesterday\"\n");
    let message = "error: retval.toml:1:7: `now`: expected a time such as";
    world.check(EARLY).assert().code(2).stderr(contains(message));
    world.write("retval.toml", "stale-after = \"soon\"\n");
    let output = world.check(EARLY);
    let message = "1:15: `stale-after`: expected a number and one of s, m, h, d, such as 24h";
    output.assert().code(2).stderr(contains(message));
}

#[test]
fn the_path_of_a_metadata_file_counts_in_every_way_it_can_be_named() {
    let world = World::new();
    let text = fs::read_to_string(
        fixtures().join("profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json"),
    )
    .expect("a fixture");
    let found = |output: &Output| stdout(output).contains("\"metadata-location\"");
    for (path, is_wrong) in [("specs/12_tide_tables", false), ("specs/12_Tide", true), ("x", true)]
    {
        world.write(&format!("project/{path}/.return-meta.json"), &text);
        let file = format!("{path}/.return-meta.json");
        let in_folder = world.path("project").join(path);
        for (folder, arguments) in [
            (world.path("project"), vec![file.as_str()]),
            (world.path("project"), vec![path]),
            (in_folder, vec![".return-meta.json"]),
        ] {
            let mut retval = world.retval();
            retval.current_dir(folder).args(["check", "--format", "jsonl"]).args(&arguments);
            let output = feed(&mut retval, &text);
            assert_eq!(found(&output), is_wrong, "{path} {arguments:?}: {}", stdout(&output));
        }
    }
    let output = piped(&world, "--profile return-meta --format jsonl", &text);
    assert!(!found(&output), "the path is not known");
}
