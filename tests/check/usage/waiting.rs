//! Files whose read blocks or never ends. Mistakes are reported without reading them; without a mistake,
//! they are read up to a limit.

use std::fs;
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt as _;

use super::{PHANTOM, refused};
use crate::common::{World, stderr, stdout};

const JOBS: &str = "error: invalid value 'x' for '--jobs <N>': expected a number from 1 to 1024\n\n\
                    For more information, try '--help'.\n";

const PROFILE: &str = "error: unknown profile `nope`; expected one of return, return-v1, return-meta, \
                       compact, handoff, any\n";

/// A folder with a return and a named pipe that no one writes to.
fn world() -> World {
    let world = World::new();
    world.write("return.json", PHANTOM);
    let made = Command::new("mkfifo").arg(world.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    world
}

#[test]
fn wrong_values_are_reported_without_blocking() {
    let world = world();
    for option in ["--baseline", "--config", "--files-from"] {
        for file in ["pipe", "/dev/zero"] {
            let line = format!("check {option} {file} -j x");
            assert_eq!(refused(&world, &[], &line), JOBS, "{line}");
        }
    }
    let evidence = "error: invalid value 'x' for '--evidence <MODE>'";
    let line = "check --baseline pipe --evidence x return.json";
    assert!(refused(&world, &[], line).starts_with(evidence));
    let said = refused(&world, &[], "check -j x --config pipe");
    assert!(said.starts_with("error: invalid value 'x' for"), "{said}");
}

#[test]
fn other_mistakes_are_reported_without_blocking() {
    let world = world();
    let line = "check --baseline pipe --files-from pipe --profile nope";
    assert_eq!(refused(&world, &[], line), PROFILE);
    world.write("retval.toml", "foo = 1\n");
    assert_eq!(
        refused(&world, &[], "check return.json --baseline pipe"),
        "error: retval.toml:1:1: unknown key `foo`\n"
    );
}

#[test]
fn nothing_is_read_without_a_limit() {
    let world = world();
    assert_eq!(
        refused(&world, &[], "check return.json --config /dev/zero"),
        "error: /dev/zero is larger than 1048576 bytes, too large for a configuration\n"
    );
    assert_eq!(
        refused(&world, &[], "check return.json --baseline /dev/zero"),
        "error: cannot use the baseline /dev/zero: it is larger than 268435456 bytes\n"
    );
}

#[test]
fn a_pipe_that_an_option_names_is_read() {
    let world = world();
    let update = world.check("return.json --baseline accepted.json --update-baseline");
    update.assert().code(0);
    for (options, content, code, shown) in [
        ("return.json --baseline pipe", "accepted.json", 0, "valid"),
        ("--files-from pipe --format concise", "list.txt", 1, "return.json:"),
    ] {
        world.write("list.txt", "return.json\n");
        let child = world
            .retval()
            .arg("check")
            .args(options.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let text = fs::read(world.path(content)).expect("it is there");
        fs::write(world.path("pipe"), text).expect("it is read");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stdout(&output).contains(shown), "{options}: {}", stdout(&output));
    }
}
