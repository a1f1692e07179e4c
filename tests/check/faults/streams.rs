//! Endless inputs, and outputs that no one reads.

use std::io::Write as _;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};

use super::{LONG, PHANTOM, PLAN, VALID, bash, end, spawn};
use crate::common::{World, run_onto_full_disk, stderr, stdout};

#[test]
fn an_endless_file_is_not_a_log() {
    let world = World::new();
    let made = Command::new("mkfifo").arg(world.path("pipe.json")).status();
    assert!(made.expect("mkfifo runs").success());
    for log in ["pipe.json", "/dev/zero", "/dev/null"] {
        let output = end(spawn(&world, &format!("check {PHANTOM} --errors-json {log}")));
        output.assert().code(2).stderr(contains("it is not a regular file"));
    }
}

/// Every command that prints, with what it needs.
const PRINTING: [&str; 13] = [
    "check in.json",
    "check in.json --format json",
    "check in.json in.json",
    "check --help",
    "--version",
    "help",
    "help hooks",
    "man check",
    "instruct",
    "explain",
    "explain json-syntax --format json",
    "schema",
    "config",
];

#[test]
fn a_closed_stderr_is_no_failure_and_a_full_disk_is_one() {
    let world = World::new();
    world.write("in.json", VALID);
    world.write("plan.md", "# Plan\n");
    for line in PRINTING {
        let mut child = spawn(&world, line);
        drop((child.stdin.take(), child.stdout.take()));
        end(child).assert().code(0);
        run_onto_full_disk(world.retval().args(line.split(' ')))
            .assert()
            .code(2)
            .stderr(contains("cannot write to standard output: No space left"));
    }
    // A hook that cannot answer stops no one, whether or not the client passes its arguments.
    for (line, codes) in
        [("hook", "0\n0\n"), ("hook --print-config codex", "0\n0\n"), ("", "1\n1\n")]
    {
        let output = bash(
            &world,
            &format!(
                "echo x | \"$R\" {line} > /dev/full; echo $?; echo x | \"$R\" {line} | true; echo ${{PIPESTATUS[1]}}"
            ),
        );
        assert_eq!(stdout(&output), codes, "{line}");
    }
}

#[test]
fn a_standard_error_that_is_full_or_gone_changes_no_verdict() {
    let world = World::new();
    for (line, code) in [
        ("check gone.json", 2),
        ("check --nothing", 2),
        (&format!("check {PHANTOM}"), 1),
        (&format!("check {PLAN}"), 0),
    ] {
        for to in ["/dev/full", "/dev/null", "&-"] {
            let output = bash(&world, &format!("\"$R\" {line} 2>{to}; echo code $?"));
            assert!(stdout(&output).ends_with(&format!("code {code}\n")), "{line} {to}");
        }
    }
}

#[test]
fn an_input_without_end_is_refused_at_its_limit() {
    let world = World::new();
    for line in [
        "check",
        "check --extract",
        "check --max-bytes 1000",
        "check --files-from -",
        "check --baseline /dev/zero",
    ] {
        let started = Instant::now();
        let mut child = spawn(&world, line);
        let mut stdin = child.stdin.take().expect("a pipe");
        let feeding = thread::spawn(move || while stdin.write_all(&[b'['; 8_192]).is_ok() {});
        let output = end(child);
        feeding.join().expect("no panic");
        assert!(matches!(output.status.code(), Some(1 | 2)), "{line}");
        assert!(output.stdout.len() + output.stderr.len() < 10_000, "{line}");
        assert!(started.elapsed() < LONG);
    }
}

#[test]
fn an_input_that_arrives_slowly_is_checked_completely() {
    let world = World::new();
    world.write("plan.md", "# Plan\n");
    let mut child = spawn(&world, "check");
    let mut stdin = child.stdin.take().expect("a pipe");
    for part in VALID.as_bytes().chunks(40) {
        stdin.write_all(part).expect("it reads");
        thread::sleep(Duration::from_millis(15));
    }
    drop(stdin);
    end(child).assert().code(0).stderr(is_empty());
}

#[test]
fn a_value_that_nobody_can_get_is_an_error() {
    let world = World::new();
    world.write("plan.md", "# Plan\n");
    let own = VALID.replace('\n', " ");
    world.write("in.ndjson", own);
    for line in [
        "--field status",
        "--field summary --format json=out.json",
        "--format return",
        "--format return=/dev/stdout",
        "--format failed-return",
        "--format next",
        "--filter valid",
    ] {
        for (to, code) in [("&-", 2), ("/dev/null", 0)] {
            let output = bash(&world, &format!("\"$R\" check in.ndjson {line} >{to}"));
            let said = stderr(&output);
            let is_told = said.contains("error: cannot write to standard output: it is closed\n");
            assert_eq!(
                (output.status.code(), is_told),
                (Some(code), code == 2),
                "{line} {to}: {said}"
            );
        }
    }
    // What it cannot write to is as good as closed.
    let output = bash(&world, "\"$R\" check in.ndjson --field status 1</dev/zero");
    output.assert().code(2);
    // The verdict alone needs no output, and neither does a value in a file.
    for (line, code) in
        [("", 0), ("--format json", 0), ("--format next=next.txt", 0), ("--session other", 1)]
    {
        let output = bash(&world, &format!("\"$R\" check in.ndjson {line} >&-"));
        output.assert().code(code);
    }
}
