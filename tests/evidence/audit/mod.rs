//! `retval audit`, at the process boundary.
//!
//! `fixtures/audit` has its outputs for `fixtures/transcripts`. `UPDATE=1 cargo test` writes them again.

mod history;
mod made;
mod options;
mod page;
mod private;
mod profiles;

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{World, fixtures, run, stderr, stdout};
use serde_json::Value;

/// Runs `retval audit` over folders, with options that are split at white space.
fn audit(world: &World, folders: &[&Path], options: &str) -> Output {
    let mut command = world.retval();
    command.arg("audit").args(folders);
    run(command.args(options.split_whitespace()))
}

/// What it prints, if it succeeds.
fn report(world: &World, folder: &Path, options: &str) -> String {
    let output = audit(world, &[folder], options);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

fn json(world: &World, folder: &Path, options: &str) -> Value {
    let text = report(world, folder, &format!("--format json {options}"));
    serde_json::from_str(&text).expect("JSON")
}

/// A line for each run.
fn runs(world: &World, folder: &Path, options: &str) -> Vec<Value> {
    let text = report(world, folder, &format!("--format jsonl {options}"));
    let lines = text.lines().map(serde_json::from_str);
    lines.map(|line| line.expect("JSON")).collect()
}

#[test]
fn the_report_of_the_fixtures_is_the_one_that_is_kept() {
    let world = World::new();
    let transcripts = fixtures().join("transcripts");
    for format in ["text", "json", "jsonl"] {
        let text = report(&world, &transcripts, &format!("--no-config --format {format}"));
        let expected = fixtures().join(format!("audit/{format}.expected"));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &text).expect("it is written");
        }
        let expected = fs::read_to_string(expected).expect("expectations");
        assert_eq!(text, expected, "{format}");
    }
}

#[test]
fn every_run_of_the_report_has_a_line() {
    let world = World::new();
    let transcripts = fixtures().join("transcripts");
    let report = json(&world, &transcripts, "");
    let runs = runs(&world, &transcripts, "");
    assert_eq!(report["runs"], runs.len());
    let outcomes = report["outcomes"].as_array().expect("outcomes");
    for outcome in outcomes {
        let own = runs.iter().filter(|run| run["outcome"] == outcome["outcome"]);
        assert_eq!(outcome["rate"]["count"], own.count(), "{outcome}");
    }
}
