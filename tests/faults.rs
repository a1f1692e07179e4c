//! Full disks, dead and dying processes, readers and writers that do not behave: what was told as
//! written is written, no file is half one, and the exit code says how it went.
#![cfg(target_os = "linux")]

mod common;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, is_root, run, run_onto_full_disk, stderr, stdout};
use predicates::str::{contains, is_empty};
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
        writeln!(
            told,
            "skipped: nothing can be mounted at {}",
            place.display()
        )
        .expect("it is told");
        None
    }

    /// A disk of so many kilobytes that is full.
    fn full(world: &World, folder: &str) -> Option<Self> {
        let disk = Self::new(world, folder, &["-t", "tmpfs", "-o", "size=64k", "tmpfs"])?;
        world.write(&format!("{folder}/old.json"), "{\"errors\": []}");
        // A page, so that the next line needs another.
        world.write(&format!("{folder}/old.jsonl"), page());
        world.write(
            &format!("{folder}/known.json"),
            "{\"version\":1,\"accepted\":[]}",
        );
        let mut filler = File::create(disk.0.join("filler")).expect("a file");
        while filler.write_all(&[b'x'; 512]).is_ok() {}
        Some(disk)
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).expect("a folder").flatten();
        let mut names: Vec<_> = names
            .map(|it| it.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// A log of 1,365 lines and 4,096 bytes.
fn page() -> String {
    "{}\n".repeat(1_364) + "{ }\n"
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
    bash.args(["-c", script])
        .env("R", world.retval().get_program())
        .current_dir(world.path(""));
    bash.stdin(Stdio::null()).output().expect("bash runs")
}

fn records(world: &World, log: &str) -> Vec<Value> {
    let text = fs::read_to_string(world.path(log)).expect("a log");
    if log.ends_with("jsonl") {
        let lines = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")));
        return lines.collect();
    }
    let log: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    log["errors"].as_array().expect("an array").clone()
}

fn left_behind(world: &World, folder: &str) -> Vec<String> {
    let names = fs::read_dir(world.path(folder))
        .expect("a folder")
        .flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".retval-")).collect()
}

#[test]
fn killed_concurrent_writers_lose_no_reported_record() {
    const WRITERS: u64 = 8;
    const ROUNDS: u64 = 25;
    for log in ["log/errors.json", "log/errors.jsonl"] {
        let world = World::new();
        fs::create_dir(world.path("log")).expect("a folder");
        let told: Vec<String> = thread::scope(|scope| {
            let writers = (0..WRITERS).map(|writer| {
                let world = &world;
                scope.spawn(move || {
                    let one = |round: u64| {
                        let session = format!("session-{writer}-{round}");
                        let mut child = spawn(
                            world,
                            &format!("check {PHANTOM} --errors-json {log} --session {session}"),
                        );
                        if !round.is_multiple_of(4) {
                            thread::sleep(Duration::from_micros(
                                (round * 7 + writer) * 311 % 20_000,
                            ));
                            child.kill().expect("a signal");
                        }
                        let code = child.wait().expect("it ends").code();
                        assert!(matches!(code, None | Some(1)), "{code:?}");
                        code.map(|_| session)
                    };
                    (0..ROUNDS).filter_map(one).collect::<Vec<_>>()
                })
            });
            let writers: Vec<_> = writers.collect();
            writers
                .into_iter()
                .flat_map(|it| it.join().expect("no panic"))
                .collect()
        });
        assert!(told.len() >= usize::try_from(WRITERS * ROUNDS / 4).expect("few"));
        let records = records(&world, log);
        let sessions: Vec<_> = records
            .iter()
            .filter_map(|it| it["context"]["session_id"].as_str())
            .collect();
        let unique: HashSet<_> = sessions.iter().copied().collect();
        assert_eq!(
            (unique.len(), records.len()),
            (sessions.len(), sessions.len()),
            "none twice"
        );
        assert!(told.iter().all(|session| unique.contains(session.as_str())));
        // One that was killed between giving a file its first name and its last leaves that file.
        let left = left_behind(&world, "log");
        let killed = usize::try_from(WRITERS * ROUNDS).expect("few") - told.len();
        assert!(left.len() <= killed, "{killed} were killed: {left:?}");
    }
}

/// Whether this process and its children ignore a signal, as they do HUP below `nohup`.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("a process");
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.expect("a mask").trim(), 16).expect("a number");
    mask & (1 << (signal - 1)) != 0
}

#[test]
fn a_run_that_is_ended_leaves_no_half_output() {
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("KILL", 9)] {
        if is_ignored(number) {
            continue;
        }
        let world = World::new();
        world.write("out/v.json", "old");
        let mut child = spawn(
            &world,
            "check --ndjson --format json --output out/v.json --format jsonl",
        );
        let mut stdin = child.stdin.take().expect("a pipe");
        writeln!(stdin, "{VALID}").expect("it reads");
        let mut first = String::new();
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
        answers.read_line(&mut first).expect("an answer");
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", signal, &id])
                .status()
                .expect("kill runs")
                .success()
        );
        assert_eq!(end(child).status.code(), None, "{signal}");
        let left: Vec<_> = fs::read_dir(world.path("out"))
            .expect("a folder")
            .flatten()
            .collect();
        assert_eq!(left.len(), 1, "{signal}: {left:?}");
        assert_eq!(
            fs::read_to_string(world.path("out/v.json")).expect("a file"),
            "old"
        );
    }
}

#[test]
fn a_lock_is_waited_for_and_dies_with_its_holder() {
    let world = World::new();
    for (log, text) in [("errors.json", "{\"errors\": []}"), ("errors.jsonl", "")] {
        world.write(log, text);
        let mut holder = Command::new("bash");
        holder
            .args(["-c", &format!("exec 9<{log}; flock 9; echo held; read")])
            .current_dir(world.path(""));
        let mut holder = holder
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash runs");
        let mut held = String::new();
        BufReader::new(holder.stdout.as_mut().expect("a pipe"))
            .read_line(&mut held)
            .expect("a line");
        assert_eq!(held, "held\n");
        let mut child = spawn(&world, &format!("check {PHANTOM} --errors-json {log}"));
        thread::sleep(Duration::from_millis(300));
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it waits");
        holder.kill().expect("a signal");
        holder.wait().expect("it ends");
        assert_eq!(end(child).status.code(), Some(1));
        assert_eq!(records(&world, log).len(), 1);
    }
}

#[test]
fn an_endless_file_is_not_a_log() {
    let world = World::new();
    for log in ["pipe.json", "pipe.jsonl"] {
        assert!(
            Command::new("mkfifo")
                .arg(world.path(log))
                .status()
                .expect("mkfifo runs")
                .success()
        );
    }
    for log in ["pipe.json", "pipe.jsonl", "/dev/zero", "/dev/null"] {
        let output = end(spawn(
            &world,
            &format!("check {PHANTOM} --errors-json {log}"),
        ));
        output
            .assert()
            .code(2)
            .stdout(contains("[FAIL]"))
            .stderr(contains("it is not a regular file"));
    }
}

#[test]
fn a_full_disk_keeps_the_old_file_and_reports_an_error() {
    let world = World::new();
    let Some(disk) = Mounted::full(&world, "full") else {
        return;
    };
    let before = disk.names();
    for (options, what) in [
        (
            "--format json --output full/old.json --format text",
            "full/old.json: No space left",
        ),
        (
            "--format json --output full/new.json --format text",
            "full/new.json: No space left",
        ),
        ("--errors-json full/old.json", "cannot add to the error log"),
        ("--errors-json full/new.json", "cannot add to the error log"),
        (
            "--errors-json full/old.jsonl",
            "cannot add to the error log",
        ),
        (
            "--errors-json full/new/errors.json",
            "cannot add to the error log",
        ),
        (
            "--baseline full/known.json --update-baseline",
            "cannot write the baseline",
        ),
    ] {
        let output = world.check(&format!("{PHANTOM} {options} -v"));
        let told = stderr(&output);
        assert_eq!(told.lines().count(), 1, "{options}: {told}");
        output
            .assert()
            .code(2)
            .stderr(contains(what))
            .stderr(contains("No space left"));
    }
    assert_eq!(
        fs::read_to_string(world.path("full/old.json")).expect("a file"),
        "{\"errors\": []}"
    );
    assert_eq!(
        fs::read_to_string(world.path("full/old.jsonl")).expect("a file"),
        page()
    );
    let new = |name: &String| !before.contains(name) && disk.0.join(name).is_file();
    assert!(!disk.names().iter().any(new), "{:?}", disk.names());
    // There is room again: nothing was broken.
    fs::remove_file(disk.0.join("filler")).expect("it is there");
    world
        .check(&format!("{PHANTOM} --errors-json full/old.json"))
        .assert()
        .code(1);
    world
        .check(&format!("{PHANTOM} --errors-json full/old.jsonl"))
        .assert()
        .code(1);
    assert_eq!(
        (
            records(&world, "full/old.json").len(),
            records(&world, "full/old.jsonl").len()
        ),
        (1, 1_366)
    );
}

#[test]
fn a_disk_that_fills_up_leaves_no_half_line() {
    let world = World::new();
    let Some(_disk) = Mounted::new(
        &world,
        "small",
        &["-t", "tmpfs", "-o", "size=256k", "tmpfs"],
    ) else {
        return;
    };
    world.write("in.ndjson", "not JSON\n".repeat(3_000));
    for log in ["small/errors.jsonl", "small/errors.json"] {
        let output = world.check(&format!("in.ndjson -q --errors-json {log}"));
        output.assert().code(2).stderr(contains("No space left"));
        let text = fs::read_to_string(world.path(log)).expect("a log");
        assert!(text.is_empty() || text.ends_with('\n'));
        assert!(records(&world, log).len() < 3_000);
        fs::remove_file(world.path(log)).expect("it is there");
    }
    let output = world.check("in.ndjson --format jsonl --output small/out.jsonl");
    output.assert().code(2).stderr(contains("No space left"));
    assert_eq!(
        fs::read_dir(world.path("small")).expect("a folder").count(),
        0
    );
}

#[test]
fn a_read_only_disk_is_checked_and_not_written_to() {
    let world = World::new();
    let Some(_disk) = Mounted::new(&world, "fixed", &["-t", "tmpfs", "tmpfs"]) else {
        return;
    };
    world.write("fixed/plan.md", "# Plan\n");
    world.write("fixed/old.json", "{\"errors\": []}");
    let mut remount = Command::new("mount");
    let remounted = remount
        .args(["-o", "remount,ro"])
        .arg(world.path("fixed"))
        .status();
    assert!(remounted.expect("mount runs").success());
    world.write("in.json", VALID);
    world.check("in.json --root fixed").assert().code(0);
    for options in [
        "--format json --output fixed/new.json --format text",
        "--format json --output fixed/old.json --format text",
        "--errors-json fixed/old.json",
        "--errors-json fixed/new.json",
        "--errors-json fixed/new.jsonl",
        "--baseline fixed/known.json --update-baseline",
    ] {
        let output = world.check(&format!("{PHANTOM} {options} -v"));
        output
            .assert()
            .code(2)
            .stdout(contains("[INFO] Artifact count: 1"))
            .stderr(contains("ead-only file"));
    }
}

/// Every command that prints, with what it needs.
const PRINTING: [&str; 14] = [
    "check in.json",
    "check in.json --format json",
    "check in.json in.json --statistics",
    "check --help",
    "--version",
    "help",
    "help hooks",
    "man hooks",
    "instruct",
    "explain",
    "explain json-syntax --format json",
    "schema",
    "config",
    "convert in.json --from return --to return-v1",
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
    // A hook that cannot answer stops nobody, whether or not the harness passes its arguments.
    for line in ["hook", "hook --print-config codex", ""] {
        let output = bash(
            &world,
            &format!(
                "echo x | \"$R\" {line} > /dev/full; echo $?; echo x | \"$R\" {line} | true; echo ${{PIPESTATUS[1]}}"
            ),
        );
        assert_eq!(stdout(&output), "0\n0\n", "{line}");
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
            assert!(
                stdout(&output).ends_with(&format!("code {code}\n")),
                "{line} {to}"
            );
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
        "convert --from return --to return-v1",
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
fn an_input_that_trickles_is_checked_as_it_is() {
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
fn in_a_deleted_root_nothing_is_found() {
    let world = World::new();
    world.write("root/plan.md", "# Plan\n");
    world.write("root/later.md", "# Plan\n");
    let mut child = spawn(&world, "check --ndjson --format jsonl --root root");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut ask = |text: &str| {
        writeln!(stdin, "{text}").expect("it reads");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("an answer");
        let record: Value = serde_json::from_str(&answer).expect("a record");
        record["artifacts"][0]["state"]
            .as_str()
            .expect("a state")
            .to_owned()
    };
    assert_eq!(ask(VALID), "ok");
    fs::remove_dir_all(world.path("root")).expect("it is there");
    assert_eq!(ask(&VALID.replace("plan.md", "later.md")), "not-found");
    assert_eq!(
        ask(&VALID.replace("plan.md", "../root/later.md")),
        "outside-root"
    );
    drop(stdin);
    end(child).assert().code(1).stderr(is_empty());

    for script in [
        "mkdir here; cd here; rmdir ../here; echo '{}' | \"$R\" check",
        "echo '{}' | \"$R\" check --root gone",
    ] {
        let output = bash(&world, script);
        output
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("as the root: No such file or directory"));
    }
}

#[test]
fn a_user_without_a_writable_folder_gets_an_error() {
    let world = World::new();
    world.rights("", 0o555);
    for options in [
        "--format json --output new.json",
        "--errors-json new.json",
        "--baseline new.json --update-baseline",
    ] {
        let mut retval = world.retval_as_nobody();
        retval
            .arg("check")
            .args(PHANTOM.split(' '))
            .args(options.split(' '));
        run(&mut retval)
            .assert()
            .code(2)
            .stderr(contains("ermission denied"));
    }
    world.rights("", 0o755);
    assert!(is_root() || left_behind(&world, "").is_empty());
}
