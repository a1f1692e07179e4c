//! A process that is ended while it writes leaves each file whole, and at most temporary files that
//! their names tell.

use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use std::{fs, process::Command};

use super::{PHANTOM, names, records};
use crate::common::World;

/// Options that replace a file again and again, or at the end of a run.
const OPTIONS: [&str; 3] = [
    "--errors-json out/errors.json",
    "--format json=out/v.json",
    "--baseline out/known.json --update-baseline",
];

const FILES: [&str; 3] = ["errors.json", "known.json", "v.json"];

/// Ends processes by a signal, at many moments.
fn end_by(world: &World, signal: &str, rounds: u64) {
    for round in 0..rounds {
        for options in OPTIONS {
            let mut command = world.retval();
            command.arg("check").args(PHANTOM.split(' ')).args(options.split(' '));
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("it runs");
            thread::sleep(Duration::from_micros(round * 397 % 12_000));
            let id = child.id().to_string();
            let killed = Command::new("kill").args(["-s", signal, &id]).status();
            assert!(killed.expect("kill runs").success());
            child.wait().expect("it ends");
        }
    }
}

#[test]
fn signals_leave_whole_files_and_temporary_ones() {
    for signal in ["TERM", "INT", "HUP", "KILL"] {
        let world = World::new();
        fs::create_dir(world.path("out")).expect("a folder");
        end_by(&world, signal, 60);
        let mut left = names(&world, "out");
        left.retain(|name| !FILES.contains(&&**name));
        let is_temporary = |name: &String| {
            name.starts_with(".retval-") && Path::new(name).extension() == Some("tmp".as_ref())
        };
        assert!(left.iter().all(is_temporary), "{signal}: {left:?}");
        if world.path("out/errors.json").exists() {
            records(&world, "out/errors.json");
        }
    }
}
