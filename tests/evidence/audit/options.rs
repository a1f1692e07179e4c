//! Which runs are counted, and their agents.

use std::path::Path;

use super::made::{Agent, Session};
use super::{audit, json, runs};
use crate::common::{World, run, stderr, stdout};
use serde_json::json;

/// Two projects, with 24 planners in the first week and 3 scouts in the second.
fn two_projects(world: &World) -> std::path::PathBuf {
    let history = world.path("history");
    let mut first = Session::new(&history.join("one"), "s1", "/home/ana/tides", 2);
    for at in 0..24 {
        let answer = if at < 6 { "" } else { "The plan is ready." };
        first.call(&Agent::new(&format!("p{at}"), "planner", answer));
    }
    first.write();
    let mut second = Session::new(&history.join("two"), "s2", "/home/ana/moon", 10);
    for at in 0..3 {
        second.call(&Agent::new(&format!("s{at}"), "scout", "Nothing to see."));
    }
    second.write();
    history
}

#[test]
fn options_choose_the_runs() {
    let world = World::new();
    let history = two_projects(&world);
    for (options, count) in [
        ("", 27),
        ("--since 2026-11-05T00:00:00Z", 3),
        ("--project tides", 24),
        ("--project /home/ana/moon", 3),
        ("--project /home/ana", 27),
        ("--project moon --project tides", 27),
        ("--agents scout", 3),
        ("--agents !scout", 24),
        ("--agents s* --project tides", 0),
    ] {
        assert_eq!(runs(&world, &history, options).len(), count, "{options}");
    }
    let report = json(&world, &history, "--agents scout");
    assert_eq!(report["sources"]["left_out"], 24);
}

#[test]
fn agents_are_rows_and_the_largest_is_first() {
    let world = World::new();
    let history = two_projects(&world);
    let report = json(&world, &history, "");
    let rows = report["agents"].as_array().expect("rows");
    let names: Vec<_> = rows.iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, ["planner", "scout"]);
    assert_eq!(rows[1]["runs"], 3);
    assert_eq!(rows[0]["lost"], json!({"count": 6, "of": 24, "share": 0.25}));
}

#[test]
fn without_a_path_the_histories_of_the_clients_are_read() {
    let world = World::new();
    let home = world.path("home");
    let claude = home.join(".claude/projects/-work-tides");
    let mut session = Session::new(&claude, "s1", "/home/ana/tides", 2);
    session.call(&Agent::new("a1", "planner", "The plan is ready."));
    session.write();
    let moved = world.path("moved");
    let mut session = Session::new(&moved.join("projects/-work"), "s2", "/work", 3);
    session.call(&Agent::new("b1", "scout", "Nothing to see."));
    session.write();
    let agents = |variables: &[(&str, &Path)]| {
        let mut command = world.retval();
        command.args(["audit", "--format", "jsonl"]);
        let output = run(command.envs(variables.iter().copied()));
        (
            output.status.code(),
            stdout(&output).matches("\"agent\":\"planner\"").count(),
            stdout(&output).lines().count(),
        )
    };
    assert_eq!(agents(&[("HOME", &home)]), (Some(0), 1, 1));
    assert_eq!(agents(&[("HOME", &home), ("CLAUDE_CONFIG_DIR", &moved)]), (Some(0), 0, 1));
    // No folder of a client, and one without a transcript.
    for home in [None, Some(world.path("empty"))] {
        let mut command = world.retval();
        command.arg("audit").env("CODEX_HOME", world.path("codex"));
        if let Some(home) = home {
            std::fs::create_dir_all(home.join(".claude/projects/-work")).expect("a folder");
            command.env("HOME", home);
        }
        let output = run(&mut command);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stdout(&output), "");
        assert_eq!(
            stderr(&output),
            format!(
                "error: there is no history of a client in ~/.claude/projects, {codex}/sessions, \
                 {codex}/archived_sessions, ~/.copilot/session-state, ~/.gemini/tmp, ~/.qwen/projects: \
                 name a folder with transcripts\n",
                codex = world.path("codex").display()
            )
        );
    }
}

#[test]
fn bad_values_are_refused() {
    let world = World::new();
    let history = two_projects(&world);
    for (options, error) in [
        ("--agents [", "cannot use the glob ["),
        ("--profile nothing", "unknown profile `nothing`"),
    ] {
        let output = audit(&world, &[&history], options);
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(stderr(&output).contains(error), "{options}: {}", stderr(&output));
    }
}
