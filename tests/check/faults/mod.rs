//! Full disks, killed processes, and readers and writers that misbehave. Everything that was reported as
//! written is written, no file is incomplete, and the exit code is right.
#![cfg(target_os = "linux")]

mod disks;
mod processes;
mod streams;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::World;
use serde_json::Value;

const PLAN: &str = "profiles/return/completed-plan.json --root project";
const PHANTOM: &str = "rules/artifact-not-found/fail/phantom.json --root project";
const VALID: &str = r#"{"status":"completed","summary":"The tides are told. They are high.","artifacts":[{"type":"plan","path":"plan.md","summary":"x"}],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}"#;

/// Longer than anything here may take, shorter than anyone waits.
const LONG: Duration = Duration::from_mins(1);

/// A file system of its own in a folder of the world, gone with this.
struct Mounted(PathBuf);

impl Mounted {
    /// None, and a word of it, where this user may mount nothing.
    fn new(world: &World, folder: &str, arguments: &[&str]) -> Option<Self> {
        let place = world.path(folder);
        fs::create_dir_all(&place).expect("a folder");
        let mut mount = Command::new("mount");
        let mounted = mount.args(arguments).arg(&place).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(place));
        }
        let mut told = std::io::stderr().lock();
        writeln!(told, "skipped: nothing can be mounted at {}", place.display())
            .expect("it is told");
        None
    }

    /// A disk of so many kilobytes that is full.
    fn full(world: &World, folder: &str) -> Option<Self> {
        let disk = Self::new(world, folder, &["-t", "tmpfs", "-o", "size=64k", "tmpfs"])?;
        world.write(&format!("{folder}/old.json"), "{\"errors\": []}");
        world.write(&format!("{folder}/known.json"), "{\"version\":1,\"accepted\":[]}");
        let mut filler = File::create(disk.0.join("filler")).expect("a file");
        while filler.write_all(&[b'x'; 512]).is_ok() {}
        Some(disk)
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).expect("a folder").flatten();
        let mut names: Vec<_> =
            names.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

fn spawn(world: &World, options: &str) -> Child {
    let mut retval = world.retval();
    retval.args(options.split_whitespace());
    retval
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs")
}

/// Waits for the end of a process that has no reason to stay.
#[track_caller]
fn end(mut child: Child) -> Output {
    let started = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if started.elapsed() > LONG {
            child.kill().expect("a signal");
            panic!("it hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

fn bash(world: &World, script: &str) -> Output {
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).env("R", world.retval().get_program()).current_dir(world.path(""));
    bash.stdin(Stdio::null()).output().expect("bash runs")
}

fn records(world: &World, log: &str) -> Vec<Value> {
    let text = fs::read_to_string(world.path(log)).expect("a log");
    let log: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    log["errors"].as_array().expect("an array").clone()
}

fn left_behind(world: &World, folder: &str) -> Vec<String> {
    let names = fs::read_dir(world.path(folder)).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".retval-")).collect()
}
