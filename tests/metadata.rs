//! Metadata files: what depends on the clock, on options and on the file's place.

mod common;

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, stdout};
use predicates::str::contains;

const EARLY: &str = "rules/started-at-missing/pass/there.json";

fn rules(world: &World, options: &str) -> String {
    let output = world.check(&format!(
        "{EARLY} --profile return-meta --root project --format github {options}"
    ));
    stdout(&output)
}

#[test]
fn unfinished_work_is_stale_after_a_day_or_what_is_set() {
    let world = World::new();
    let is_stale = |options: &str| rules(&world, options).contains("started-at-implausible");
    assert!(!is_stale("--now 2026-01-29T10:29:00Z"));
    assert!(is_stale("--now 2026-01-29T10:31:00Z"));
    assert!(!is_stale("--now 2026-01-29T10:31:00Z --stale-after 2d"));
    // Today is long after the start.
    assert!(is_stale(""));
    world.write("retval.toml", "stale-after = \"100000d\"\n");
    assert!(!is_stale(""));
    assert!(is_stale("--stale-after 24h"));
}

#[test]
fn an_age_or_a_time_that_is_none_is_refused() {
    let world = World::new();
    for (options, message) in [
        (
            "--stale-after 24",
            "expected a number and one of s, m, h, d",
        ),
        (
            "--now yesterday",
            "invalid value 'yesterday' for '--now <TIME>'",
        ),
    ] {
        let output = world.check(&format!("{EARLY} {options}"));
        output.assert().code(2).stderr(contains(message));
    }
    world.write("retval.toml", "stale-after = \"soon\"\n");
    let output = world.check(EARLY);
    let message = "1:15: expected a number and one of s, m, h, d, such as 24h";
    output.assert().code(2).stderr(contains(message));
}
