//! The files that a return claims are looked up below the root and nowhere else, whatever the file
//! system contains.
#![cfg(target_os = "linux")]

mod outside;
mod paths;
mod races;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::{World, is_root, piped, stderr, stdout};
use serde_json::{Value, json};

/// Bytes of the file that no one inside may learn of.
const SECRET: usize = 31_337;

/// Longer than a look at any path takes, shorter than anyone waits.
const SOON: Duration = Duration::from_mins(1);

/// A valid return that claims one path.
fn claiming(path: &str) -> String {
    json!({
        "status": "completed", "summary": "One thing. Another.",
        "artifacts": [{ "type": "plan", "path": path, "summary": "x" }],
        "metadata": {
            "session_id": "s", "agent_type": "a", "delegation_depth": 1, "delegation_path": ["orchestrator","a"],
        },
    })
    .to_string()
}

fn record(output: &Output) -> Value {
    let text = stdout(output);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(output)))
}

/// The rules that a claim breaks, and its state.
fn checked(record: &Value) -> (Vec<&str>, &str) {
    let findings = record["findings"].as_array().expect("findings");
    let rules = findings.iter().filter_map(|it| it["rule"].as_str()).collect();
    (rules, record["artifacts"][0]["state"].as_str().expect("a state"))
}

/// A world with a secret next to the root, and every way to it that a file system has.
fn world() -> World {
    let world = World::new();
    world.write("secret/key.pem", "k".repeat(SECRET));
    world.write("project/in/deep/plan.md", "# Plan\n");
    let outside = world.path("secret");
    for (link, target) in [
        ("out.pem", Path::new("../secret/key.pem")),
        ("out-folder", Path::new("../secret")),
        ("out-absolute", &outside),
        ("out-twice", Path::new("out-folder")),
        ("in/out", Path::new("../../secret")),
        ("out-process", Path::new("/proc/self/cwd/secret")),
        ("out-root", Path::new("/proc/self/root")),
        ("round", Path::new("round")),
        ("one", Path::new("other")),
        ("other", Path::new("one")),
        ("dangling", Path::new("nowhere")),
        ("to-zero", Path::new("/dev/zero")),
    ] {
        symlink(target, world.path("project").join(link)).expect("a link");
    }
    for hop in 0..60 {
        let target = if hop == 0 { "docs".to_owned() } else { format!("hop{}", hop - 1) };
        symlink(target, world.path(&format!("project/hop{hop}"))).expect("a link");
    }
    let made =
        Command::new("mkfifo").args([world.path("project/pipe"), outside.join("pipe")]).status();
    assert!(made.expect("mkfifo runs").success());
    if is_root() {
        for (name, kind, major) in [("device", "c", "1"), ("disk", "b", "7")] {
            let mut mknod = Command::new("mknod");
            mknod.arg(world.path("project").join(name)).args([kind, major, "5"]);
            assert!(mknod.status().expect("mknod runs").success());
        }
    }
    world
}

/// Checks a claim and sees that it does not hang.
fn check(world: &World, options: &str, path: &str) -> Value {
    let started = Instant::now();
    let output = piped(world, &format!("--format jsonl {options}"), claiming(path));
    assert!(started.elapsed() < SOON, "{path}");
    assert_eq!(stderr(&output), "", "{path}");
    record(&output)
}

/// Each claim breaks the rule, or none, and has the state.
fn each(world: &World, paths: &[&str], rule: &str, state: &str) {
    let rules: &[&str] = if rule.is_empty() { &[] } else { &[rule] };
    for path in paths {
        let record = check(world, "--root project", path);
        let shown: String = path.chars().take(80).collect();
        assert_eq!(checked(&record), (rules.to_vec(), state), "{shown}");
    }
}
