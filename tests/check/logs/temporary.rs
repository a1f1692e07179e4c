//! No temporary file remains beside an output, however the process ends.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::{PHANTOM, names, records};
use crate::common::{World, is_root};

/// Options that replace a file again and again, or at the end of a run.
const OPTIONS: [&str; 3] = [
    "--errors-json out/errors.json",
    "--format json --output out/v.json",
    "--baseline out/known.json --update-baseline",
];

const FILES: [&str; 3] = ["errors.json", "known.json", "v.json"];

/// Ends processes by a signal, at many moments.
fn end_by(world: &World, signal: &str, wrapper: &[&str], rounds: u64) {
    for round in 0..rounds {
        for options in OPTIONS {
            let binary = world.retval();
            let mut command = match wrapper {
                [] => Command::new(binary.get_program()),
                [program, arguments @ ..] => {
                    let mut command = Command::new(program);
                    command.args(arguments).arg(binary.get_program());
                    command
                }
            };
            command
                .arg("check")
                .args(PHANTOM.split(' '))
                .args(options.split(' '));
            command.current_dir(world.path(""));
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
fn signals_leave_no_temporary_file() {
    for signal in ["TERM", "INT", "HUP"] {
        let world = World::new();
        fs::create_dir(world.path("out")).expect("a folder");
        end_by(&world, signal, &[], 60);
        let names = names(&world, "out");
        assert!(
            names.iter().all(|name| FILES.contains(&&**name)),
            "{signal}: {names:?}"
        );
        if world.path("out/errors.json").exists() {
            records(&world, "out/errors.json");
        }
    }
}

#[test]
fn files_of_a_killed_process_are_removed_by_the_next_run() {
    let world = World::new();
    fs::create_dir(world.path("out")).expect("a folder");
    end_by(&world, "KILL", &[], 60);
    for options in OPTIONS {
        world.check(&format!("{PHANTOM} {options}"));
    }
    assert_eq!(names(&world, "out"), FILES);
}

/// Without `/proc` a file without a name cannot get one, so it has a name from the start.
#[test]
fn signals_leave_no_temporary_file_on_file_systems_without_unnamed_files() {
    if !is_root() {
        let mut told = std::io::stderr().lock();
        writeln!(told, "skipped: only root can mount").expect("it is told");
        return;
    }
    let world = World::new();
    fs::create_dir(world.path("out")).expect("a folder");
    let script = "mount -t tmpfs none /proc && exec \"$@\"";
    let wrapper = ["unshare", "-m", "bash", "-c", script, "-"];
    end_by(&world, "TERM", &wrapper, 40);
    let names = names(&world, "out");
    assert!(
        names.iter().all(|name| FILES.contains(&&**name)),
        "{names:?}"
    );
}
