//! Runs with many returns: folders, streams, lists, threads and filters.

mod expected;
mod folders;
mod named;
mod streams;
mod texts;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use crate::common::{World, piped, run_onto_full_disk, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::Value;

/// A valid blocked return of one line.
fn blocked(number: usize) -> String {
    format!(
        r#"{{"status":"blocked","summary":"Part {number} is done. The rest is not.","artifacts":[],"metadata":{{"session_id":"s{number}","agent_type":"agent{}","delegation_depth":1,"delegation_path":["orchestrator","agent{}"]}},"errors":[{{"type":"timeout","message":"m","recoverable":true,"recommendation":"r"}}]}}"#,
        number % 3,
        number % 3,
    )
}

/// Every fifth line of a stream is broken, each in its way.
fn stream(lines: usize) -> String {
    let line = |number: usize| match number % 10 {
        4 => blocked(number).replace("\"blocked\"", "\"done\""),
        9 => "not JSON at all".to_owned(),
        _ => blocked(number),
    };
    (0..lines).map(|number| line(number) + "\n").collect()
}

fn records(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
fn text_shows_failures_under_headings_and_ends_with_totals() {
    let world = World::new();
    let output = piped(&world, "--lines", stream(10));
    let text = stdout(&output);
    let headings: Vec<_> = text.lines().filter(|line| line.starts_with("== ")).collect();
    assert_eq!(headings, ["== -:5", "== -:10"]);
    assert!(text.contains("       at -:5:11 (/status)\n"), "{text}");
    let totals = "\n\n10 returns: 8 valid, 2 invalid (0 warnings)\n";
    assert!(text.ends_with(totals), "{text}");
    let verbose = stdout(&piped(&world, "--lines -v", stream(10)));
    assert_eq!(verbose.matches("== -:").count(), 10);
    let quiet = stdout(&piped(&world, "--lines -q", stream(10)));
    assert!(quiet.starts_with("== -:5\n[FAIL] ") && quiet.ends_with(totals), "{quiet}");
    assert!(!quiet.contains("[PASS]") && text.contains("\n\n== -:10\n"));
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let world = World::new();
    let text = stream(3_000);
    world.write("in.ndjson", &text);
    fs::create_dir(world.path("in")).expect("a folder");
    for (number, line) in text.lines().take(500).enumerate() {
        world.write(&format!("in/{number:04}.json"), line);
    }
    for options in ["in.ndjson in", "in in.ndjson --format json", "in.ndjson --format jsonl"] {
        let one = world.check(&format!("{options} -j 1"));
        for threads in [2, 7] {
            let many = world.check(&format!("{options} -j {threads}"));
            assert!(
                one.stdout == many.stdout && one.stderr == many.stderr,
                "{options} -j {threads}"
            );
        }
        one.assert().code(1);
    }
}

#[test]
fn a_reader_that_leaves_ends_the_run() {
    let world = World::new();
    world.write("in.ndjson", stream(50_000));
    let mut command = world.retval();
    command
        .args(["check", "in.ndjson", "--format", "jsonl", "-j", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(answers.next().is_some());
    drop(answers);
    let output = child.wait_with_output().expect("it ends");
    // The verdict of what was read until then.
    output.assert().code(1).stderr(is_empty());
}

#[test]
fn a_full_disk_ends_the_run_with_2() {
    let world = World::new();
    world.write("in.ndjson", stream(50_000));
    let mut command = world.retval();
    command.args(["check", "in.ndjson", "--format", "jsonl", "-j", "4"]);
    run_onto_full_disk(&mut command)
        .assert()
        .code(2)
        .stderr(contains("cannot write to standard output: No space left"));
}

#[test]
fn memory_stays_flat() {
    let world = World::new();
    let wide = format!("\"notes\":\"{}\",\"status\"", "n".repeat(700));
    let returns = stream(10_000).replace("\"status\"", &wide);
    let path = world.write("in.ndjson", returns.repeat(3));
    assert!(fs::metadata(&path).expect("a file").len() > 24_000_000);
    assert_eq!(within(&world, "in.ndjson -j 2"), Some(1));
}

/// The exit code of a check with 60 MB of memory, of which the program without optimisation takes 40.
fn within(world: &World, arguments: &str) -> Option<i32> {
    let script = format!("ulimit -v 60000; \"$0\" check {arguments} > /dev/null");
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).arg(world.retval().get_program());
    let status = shell.current_dir(world.path("")).status();
    status.expect("bash runs").code()
}

#[test]
fn memory_is_bounded_for_findings_too() {
    let world = World::new();
    // Two bytes a line become a thousand of report: more than there is memory beside the program.
    world.write("in.ndjson", "x\n".repeat(22_000));
    assert_eq!(within(&world, "in.ndjson --format jsonl -j 2"), Some(1));
}

#[test]
fn missing_files_are_looked_up_again() {
    let world = World::new();
    let claim = blocked(1).replace("\"blocked\"", "\"completed\"").replace(
        "\"artifacts\":[]",
        "\"artifacts\":[{\"type\":\"plan\",\"path\":\"late.md\",\"summary\":\"x\"}]",
    );
    let mut command = world.retval();
    command
        .args(["check", "--lines", "--format", "jsonl", "--root", "project"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for is_there in [false, true] {
        if is_there {
            world.write("project/late.md", "text");
        }
        writeln!(stdin, "{claim}").expect("it reads");
        let record: Value =
            serde_json::from_str(&answers.next().expect("an answer").expect("UTF-8"))
                .expect("a record");
        assert_eq!(record["valid"], is_there);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_reader_that_leaves_ends_even_a_run_that_waits() {
    let world = World::new();
    // In a shell, because here a test next to this one may have the other end of a pipe open while it starts a
    // program. The input stays open, and says no more.
    let script = "mkfifo in out; exec 3<>in; \"$R\" check --lines --format jsonl -j 2 <in >out 3>&- & \
                  exec 4<out 4<&-; echo x >&3; wait $!";
    let mut shell = Command::new("bash");
    shell.args(["-c", script]).current_dir(world.path(""));
    shell.env("R", world.retval().get_program());
    assert_eq!(shell.status().expect("it ends").code(), Some(1));
}

#[test]
fn a_folder_that_is_excluded_is_named_in_any_way() {
    let world = World::new();
    world.write("in/node_modules/a.json", blocked(1));
    world.write("in/b.json", blocked(1));
    for glob in ["node_modules/", "./node_modules", "node_modules"] {
        world
            .check(&format!("in --exclude {glob}"))
            .assert()
            .code(0)
            .stdout(contains("1 return: "));
    }
}
