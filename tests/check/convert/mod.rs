//! `retval convert`: complete outputs, conversions back, and conversions that are not possible.
//!
//! A folder of `fixtures/conversions` has a source, the options of its conversion, and both outputs.
//! `UPDATE=1 cargo test` writes the outputs again. Read the diff afterwards.

mod losses;
mod refusals;
mod statuses;

use std::fs;
use std::process::Output;

use crate::common::{World, feed, fixtures, piped, stderr, stdout};
use serde_json::{Value, json};

fn convert(world: &World, options: &str, input: impl AsRef<[u8]>) -> Output {
    let mut retval = world.retval();
    retval.args(["convert", "--root", "project"]);
    feed(retval.args(options.split_whitespace()), input)
}

/// The conversions among the fixtures: name, options, source.
fn conversions() -> Vec<(String, String, String)> {
    let folders = fs::read_dir(fixtures().join("conversions")).expect("a folder");
    let mut conversions: Vec<_> = folders
        .flatten()
        .map(|folder| {
            let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
            let name = folder.file_name().into_string().expect("UTF-8");
            (name, text("options").trim().to_owned(), text("source"))
        })
        .collect();
    conversions.sort();
    assert!(!conversions.is_empty());
    conversions
}

#[test]
fn outputs_are_as_expected() {
    let world = World::new();
    for (name, options, source) in conversions() {
        let output = convert(&world, &options, source);
        let code = output.status.code().expect("a code");
        let said = format!("{}exit {code}\n", stderr(&output));
        for (file, text) in [("output", stdout(&output)), ("stderr", said)] {
            let path = fixtures().join("conversions").join(&name).join(file);
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&path, &text).expect("a file");
            }
            let expected = fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(text, expected, "{name}/{file}");
        }
    }
}

/// The option that follows `name`.
fn option<'o>(options: &'o str, name: &str) -> &'o str {
    let mut words = options.split_whitespace();
    words.find(|word| *word == name).expect("it is there");
    words.next().expect("a value")
}

#[test]
fn the_exit_code_is_that_of_checking_the_output() {
    let world = World::new();
    let mut codes = Vec::new();
    for (name, options, source) in conversions() {
        let output = convert(&world, &options, source);
        let profile = option(&options, "--to");
        let checked = piped(
            &world,
            &format!("--profile {profile} --root project"),
            &output.stdout,
        );
        assert_eq!(output.status.code(), checked.status.code(), "{name}");
        codes.push(output.status.code());
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(1)));
}

#[test]
fn levels_of_the_configuration_are_those_of_its_check() {
    let world = World::new();
    let source = fs::read_to_string(world.path("profiles/return/completed-plan.json"))
        .expect("a return")
        .replace("\"plan\"", "\"plna\"");
    for (settings, code) in [
        ("", 0),
        ("strict = true\n", 1),
        ("[rules]\nartifact-type = \"error\"\n", 1),
        ("strict = true\n[rules]\nartifact-type = \"off\"\n", 0),
    ] {
        world.write("own.toml", settings);
        let options = "--from return --to return-v1 --config own.toml";
        let output = convert(&world, options, &source);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{settings}{}",
            stderr(&output)
        );
    }
}

/// A return of version 1.0 that says all that the standard lets it say.
fn full_v1() -> Value {
    json!({
        "status": "completed",
        "summary": "The tide tables are written. Their tests pass.",
        "artifacts": [
            {"type": "research", "path": "specs/12_tide_tables/reports/research-001.md", "summary": "Sources"},
            {"type": "test", "path": "tests/tides.rs", "summary": "Tests"},
            {"type": "documentation", "path": "docs/tides.md"},
            {"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md"}
        ],
        "metadata": {
            "session_id": "s", "duration_seconds": 3, "agent_type": "implementer",
            "delegation_depth": 2, "delegation_path": ["orchestrator", "implementer"],
            "retries": 1, "warnings": [], "cost": 0.25
        },
        "errors": [
            {"type": "cycle", "message": "a -> b -> a", "code": "DELEGATION_CYCLE", "recoverable": false},
            {"type": "timeout", "message": "slow", "recoverable": true}
        ],
        "next_steps": "None"
    })
}

#[test]
fn every_fixture_of_a_source_profile_converts_to_a_valid_return() {
    let world = World::new();
    let pairs = [
        ("return-v1", "return"),
        ("return-v1", "return-meta"),
        ("return", "return-v1"),
        ("return", "return-meta"),
    ];
    for (from, to) in pairs {
        for file in fs::read_dir(world.path(&format!("profiles/{from}")))
            .expect("a folder")
            .flatten()
        {
            let source = fs::read(file.path()).expect("a return");
            // Documentation alone shows no sort of work.
            let is_unclear = to == "return-meta" && file.file_name() == "task-executor.json";
            let status = if is_unclear {
                "--status implemented"
            } else {
                ""
            };
            let output = convert(&world, &format!("--from {from} --to {to} {status}"), source);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{from} {to}: {}",
                stderr(&output)
            );
        }
    }
}
