//! Transcripts that change while they are read: the client appends to them, truncates them, or replaces
//! them.
//!
//! The program is stopped at each of its first system calls after it has opened the file, so that each
//! run of the test covers every order of reading and changing.
// Only there a program can be stopped like that.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::World;
use nix::sys::ptrace::{self, Options};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use serde_json::{Value, json};

const RETURN: &str = "rules/artifact-unwritten/fail/only-read.json";
const FILE: &str = "agent.jsonl";

/// System calls after the file was opened, at which it is changed. By the last one it has been read.
const STOPS: std::ops::Range<usize> = 0..16;

fn record(role: &str, content: &Value) -> String {
    let message = json!({ "id": "m", "role": role, "content": content });
    let record = json!({
        "type": role, "isSidechain": true, "agentId": "a1", "sessionId": "7d3e0c1a",
        "timestamp": "2026-01-28T11:00:00Z", "message": message,
    });
    record.to_string() + "\n"
}

fn call(id: &str, tool: &str, result: &str) -> String {
    let input = json!({ "file_path": "docs/tides.md" });
    let call = json!([{ "type": "tool_use", "id": id, "name": tool, "input": input }]);
    let result = json!([{ "type": "tool_result", "tool_use_id": id, "content": result }]);
    record("assistant", &call) + &record("user", &result)
}

/// An agent that only reads. It takes several reads to read that.
fn reads() -> String {
    let long = call("t1", "Read", &"High at noon. ".repeat(50_000));
    record("user", &"Plan.".into()) + &long
}

fn writes() -> String {
    call("t2", "Write", "ok")
}

fn done() -> String {
    record("assistant", &json!([{ "type": "text", "text": "Done." }]))
}

/// Whether a process has this file open.
fn has_open(process: Pid, file: &Path) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten();
    let mut open = open.flatten();
    open.any(|it| fs::read_link(it.path()).is_ok_and(|path| path == file))
}

/// What a check says of the claim, if the transcript is changed at some system call after it was opened.
fn value_if(world: &World, stop: usize, change: impl FnOnce(&Path)) -> String {
    let file = world.path(FILE).canonicalize().expect("a file");
    let mut change = Some(change);
    let mut command = Command::new("sh");
    // The shell waits for a line until it is traced, and becomes the program then.
    let script = "read -r _; exec \"$@\" < /dev/null";
    command.args(["-c", script, "sh"]).arg(world.retval().get_program());
    let options =
        format!("check {RETURN} --root project --transcript {FILE} --agent-id a1 --format json");
    command.args(options.split(' ')).current_dir(world.path("")).env_clear();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
    let process = Pid::from_raw(child.id().cast_signed());
    ptrace::seize(process, Options::PTRACE_O_TRACESYSGOOD).expect("a child can be traced");
    ptrace::interrupt(process).expect("it stops");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"\n").expect("it is read");
    let mut since_open = None;
    let code = loop {
        match waitpid(process, None).expect("it goes on or ends") {
            WaitStatus::Exited(_, code) => break code,
            WaitStatus::PtraceSyscall(_) if change.is_some() => {
                if since_open.is_none() && has_open(process, &file) {
                    since_open = Some(0);
                }
                if since_open == Some(stop)
                    && let Some(change) = change.take()
                {
                    change(&file);
                }
                since_open = since_open.map(|stops| stops + 1);
            }
            status => assert!(!matches!(status, WaitStatus::Signaled(..)), "{status:?}"),
        }
        ptrace::syscall(process, None).expect("it goes on");
    };
    // It has been waited for already, which the standard library cannot know.
    let _ = child.wait();
    assert!(change.is_none(), "the file was changed");
    assert!(code < 2, "{code}");
    let mut text = String::new();
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_to_string(&mut text).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let claims = report["returns"][0]["evidence"].as_array().expect("claims");
    let claim = claims.iter().find(|claim| claim["rule"] == "artifact-unwritten");
    claim.expect("a claim")["value"].as_str().expect("a value").to_owned()
}

#[test]
fn a_transcript_that_grows_contradicts_nothing_before_it_ends() {
    let world = World::with("rules/artifact-unwritten");
    for stop in STOPS {
        world.write(FILE, reads());
        let value = value_if(&world, stop, |file| {
            let mut file = File::options().append(true).open(file).expect("it is there");
            file.write_all((writes() + &done()).as_bytes()).expect("it grows");
        });
        assert!(matches!(value.as_str(), "unknown" | "shown"), "{stop}: {value}");
    }
}

#[test]
fn a_transcript_that_is_cut_off_contradicts_only_what_was_read_whole() {
    let world = World::with("rules/artifact-unwritten");
    for stop in STOPS {
        world.write(FILE, reads() + &done());
        let value = value_if(&world, stop, |file| {
            let file = File::options().write(true).open(file).expect("it is there");
            file.set_len(400_000).expect("it is cut off");
        });
        let expected: &[&str] = match stop {
            0 => &["unknown"],
            _ => &["unknown", "contradicted"],
        };
        assert!(expected.contains(&value.as_str()), "{stop}: {value}");
    }
}

#[test]
fn a_transcript_that_is_replaced_or_removed_is_read_as_it_was_when_it_was_opened() {
    let world = World::with("rules/artifact-unwritten");
    for stop in STOPS {
        world.write(FILE, reads() + &done());
        world.write("other.jsonl", reads() + &writes() + &done());
        let value = value_if(&world, stop, |file| {
            fs::rename(world.path("other.jsonl"), file).expect("it is replaced");
        });
        assert_eq!(value, "contradicted", "{stop}");
        world.write(FILE, reads() + &done());
        let value = value_if(&world, stop, |file| {
            fs::remove_file(file).expect("it is removed");
        });
        assert_eq!(value, "contradicted", "{stop}");
    }
}
