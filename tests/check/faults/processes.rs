//! Processes that are killed or terminated, alone and while others run.

use std::collections::HashSet;
use std::fs::{self};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::{PHANTOM, VALID, end, left_behind, records, spawn};
use crate::common::World;

#[test]
fn killed_concurrent_writers_lose_no_reported_record() {
    const WRITERS: u64 = 8;
    const ROUNDS: u64 = 25;
    let log = "log/errors.json";
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
                        thread::sleep(Duration::from_micros((round * 7 + writer) * 311 % 20_000));
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
        writers.into_iter().flat_map(|it| it.join().expect("no panic")).collect()
    });
    assert!(told.len() >= usize::try_from(WRITERS * ROUNDS / 4).expect("few"));
    let records = records(&world, log);
    let sessions: Vec<_> =
        records.iter().filter_map(|it| it["context"]["session_id"].as_str()).collect();
    let unique: HashSet<_> = sessions.iter().copied().collect();
    assert_eq!((unique.len(), records.len()), (sessions.len(), sessions.len()), "none twice");
    assert!(told.iter().all(|session| unique.contains(session.as_str())));
    // One that was killed while it wrote a file leaves that file.
    let left = left_behind(&world, "log");
    let killed = usize::try_from(WRITERS * ROUNDS).expect("few") - told.len();
    assert!(left.len() <= killed, "{killed} were killed: {left:?}");
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
        let mut child = spawn(&world, "check --lines --format json=out/v.json --format jsonl");
        let mut stdin = child.stdin.take().expect("a pipe");
        writeln!(stdin, "{VALID}").expect("it reads");
        let mut first = String::new();
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
        answers.read_line(&mut first).expect("an answer");
        let id = child.id().to_string();
        assert!(
            Command::new("kill").args(["-s", signal, &id]).status().expect("kill runs").success()
        );
        assert_eq!(end(child).status.code(), None, "{signal}");
        let left = left_behind(&world, "out");
        assert!(
            left.iter().all(|name| Path::new(name).extension() == Some("tmp".as_ref())),
            "{signal}: {left:?}"
        );
        assert!(left.len() <= 1, "{signal}: {left:?}");
        assert_eq!(fs::read_to_string(world.path("out/v.json")).expect("a file"), "old");
    }
}

#[test]
fn a_run_waits_for_a_lock_and_a_killed_process_releases_it() {
    let world = World::new();
    let log = "errors.json";
    world.write(log, "{\"errors\": []}");
    let mut holder = Command::new("bash");
    holder
        .args(["-c", &format!("exec 9<{log}; flock 9; echo held; read")])
        .current_dir(world.path(""));
    let mut holder =
        holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("bash runs");
    let mut held = String::new();
    BufReader::new(holder.stdout.as_mut().expect("a pipe")).read_line(&mut held).expect("a line");
    assert_eq!(held, "held\n");
    let mut child = spawn(&world, &format!("check {PHANTOM} --errors-json {log}"));
    thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().expect("it can be asked"), None, "it waits");
    holder.kill().expect("a signal");
    holder.wait().expect("it ends");
    assert_eq!(end(child).status.code(), Some(1));
    assert_eq!(records(&world, log).len(), 1);
}
