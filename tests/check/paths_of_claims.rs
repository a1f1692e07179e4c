//! The cost of a claim is bounded, whatever its path is.
#![cfg(target_os = "linux")]

#[path = "../../benches/hostile/ways.rs"]
mod ways;

use std::path::Path;
use std::process::Command;

use crate::common::{World, piped, stderr, stdout};
use serde_json::{Value, json};
use ways::{Way, Ways};

fn claiming(paths: &[&str]) -> String {
    let artifacts: Vec<_> =
        paths.iter().map(|path| json!({ "type": "plan", "path": path, "summary": "x" })).collect();
    json!({
        "status": "completed", "summary": "One thing. Another.", "artifacts": artifacts,
        "metadata": {
            "session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator","a"],
        },
    })
    .to_string()
}

/// The states of a return's claims.
fn states(world: &World, paths: &[&str]) -> Vec<String> {
    let output = piped(world, "--root project --format jsonl", claiming(paths));
    assert_eq!(stderr(&output), "");
    let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
    let artifacts = record["artifacts"].as_array().expect("artifacts");
    let state = |artifact: &Value| artifact["state"].as_str().expect("a state").to_owned();
    artifacts.iter().map(state).collect()
}

/// The system calls for a return's claims.
fn system_calls(world: &World, paths: &[&str]) -> usize {
    world.write("claims.json", claiming(paths));
    let mut command = Command::new(world.retval().get_program());
    command.args("check claims.json --root project".split(' '));
    command.current_dir(world.path(""));
    crate::traced::system_calls(&command)
}

fn each_gets_its_verdict(levels: usize) {
    let world = World::new();
    let ways = Ways::new(&world.path(""), levels);
    for Way { name, path, state } in ways.all() {
        assert_eq!(states(&world, &[&path]), [state], "{name}, {levels} levels");
    }
    // And all in one return, whose claims share what was found.
    let all = ways.all();
    let paths: Vec<_> = all.iter().map(|way| way.path.as_str()).collect();
    let expected: Vec<_> = all.iter().map(|way| way.state).collect();
    assert_eq!(states(&world, &paths), expected, "{levels} levels");
}

#[test]
fn paths_of_a_few_levels() {
    each_gets_its_verdict(20);
}

#[test]
fn paths_of_as_many_levels_as_possible() {
    each_gets_its_verdict(1_990);
}

/// Were each folder on a way looked up from the top again, it would be the square of the levels.
#[test]
fn a_path_takes_as_many_calls_as_it_has_levels() {
    let levels = 400;
    let world = World::new();
    let ways = Ways::new(&world.path(""), levels);
    let all = ways.all();
    let most = 1_000 + 10 * levels;
    for Way { name, path, .. } in &all {
        let calls = system_calls(&world, &[path]);
        assert!(calls < most, "{calls}: {name}");
    }
    let paths: Vec<_> = all.iter().map(|way| way.path.as_str()).collect();
    let calls = system_calls(&world, &paths);
    assert!(calls < most * paths.len(), "{calls}");
}

#[test]
fn an_absolute_path_of_any_length_is_outside() {
    let world = World::new();
    let path = "/x".repeat(2_000_000);
    assert_eq!(states(&world, &[&path]), ["outside-root"]);
    let below = world.path("project").display().to_string() + &path;
    assert_eq!(states(&world, &[&below]), ["not-found"]);
}

#[test]
fn the_root_may_be_as_deep_as_a_path_is_long() {
    let world = World::new();
    let ways = Ways::new(&world.path(""), 1_900);
    let root = format!("project/deep{}", "/x".repeat(1_900));
    let above = ways.all().into_iter().find(|way| way.name == "absolute, outside");
    let above = above.expect("it is there").path;
    for (path, state) in [
        ("plan.md", "ok"),
        ("no.md", "not-found"),
        ("..", "outside-root"),
        (above.as_str(), "outside-root"),
    ] {
        let options = format!("--root {root} --format jsonl");
        let output = piped(&world, &options, claiming(&[path]));
        let record: Value = serde_json::from_str(&stdout(&output)).expect("a record");
        assert_eq!(record["artifacts"][0]["state"], state, "{}", Path::new(path).display());
    }
}
