//! The cost of evidence is bounded, whatever a transcript or a repository contains.
// Limits of data and watches of folders are those of Linux.
#![cfg(target_os = "linux")]

mod lines;
mod repositories;

use std::fs::{self};
use std::process::{Command, Output};

use crate::common::{World, run, stderr, stdout};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use serde_json::{Value, json};

/// KiB of memory that a check may take for its data, which is all but the program itself.
const DATA: usize = 12 << 10;

const RETURN: &str = "rules/artifact-unwritten/fail/only-read.json";

/// A record of the agent `a1`.
fn says(id: &str, content: &Value) -> String {
    let message = json!({"id": id, "role": "assistant", "content": content});
    record("assistant", "a1", &message)
}

fn record(role: &str, agent: &str, message: &Value) -> String {
    let record = json!({
        "type": role, "isSidechain": true, "agentId": agent, "sessionId": "7d3e0c1a",
        "timestamp": "2026-01-28T11:00:00Z", "message": message,
    });
    record.to_string() + "\n"
}

fn prompt() -> String {
    record("user", "a1", &json!({"role": "user", "content": "Plan."}))
}

fn call(id: &str, tool: &str, input: &Value) -> String {
    says(id, &json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]))
}

fn result(id: &str, content: &str) -> String {
    let content = json!([{"type": "tool_result", "tool_use_id": id, "content": content}]);
    record("user", "a1", &json!({"role": "user", "content": content}))
}

fn done() -> String {
    says("last", &json!([{"type": "text", "text": "Done."}]))
}

/// An agent that reads, and says so in between.
fn reads(content: &str) -> String {
    let input = json!({"file_path": "docs/tides.md"});
    [prompt(), call("t1", "Read", &input), result("t1", content), done()].concat()
}

fn check(world: &World, transcript: &str) -> Output {
    let arguments = format!(
        "check {RETURN} --root project --transcript {transcript} --agent-id a1 --format json"
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("ulimit -d {DATA}; exec \"$0\" {arguments}")])
        .arg(world.retval().get_program());
    bash.current_dir(world.path("")).env_clear();
    run(&mut bash)
}

/// The reason for what is said of the file, in bounded memory.
fn reason(world: &World, transcript: &str) -> String {
    let output = check(world, transcript);
    claim(&output, "artifact-unwritten")
}

fn claim(output: &Output, rule: &str) -> String {
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(output)));
    let claims = report["returns"][0]["evidence"].as_array();
    let mut claims = claims.into_iter().flatten();
    let claim = claims.find(|claim| claim["rule"] == rule);
    claim.map_or_else(
        || panic!("{rule}: {}", stdout(output)),
        |claim| {
            format!(
                "{}: {}",
                claim["value"].as_str().unwrap_or_default(),
                claim["reason"].as_str().unwrap_or_default()
            )
        },
    )
}

#[test]
fn every_hostile_transcript_is_read_in_little_memory() {
    let world = World::with("rules/artifact-unwritten");
    let only_read = "contradicted: no call wrote it; the agent used only Read";
    let too_much = "unknown: the record is not complete: it is too large to be kept";
    let no_end = "unknown: the record is not complete: its end is missing";
    let escapes = "\"\n".repeat(600_000);
    let many_calls: String =
        (0..20_000).map(|at| call(&format!("t{at}"), "Read", &json!({"file_path": "a"}))).collect();
    let long_ids: String = (0..4_000)
        .map(|at| call(&format!("t{at}{}", "x".repeat(4_000)), "Read", &json!({})))
        .collect();
    let agents: String =
        (0..5_000).map(|at| record("user", &format!("b{at}"), &json!({"content": "x"}))).collect();
    let messages: String = (0..40_000)
        .map(|at| {
            let usage = json!({"input_tokens": 1});
            let message = json!({"id": format!("m{at}"), "content": [], "usage": usage});
            record("assistant", &format!("b{}", at % 50), &message)
        })
        .collect();
    let around = |records: &str| [&prompt(), records, &done()].concat();
    let nested = format!("{{\"type\":\"user\",\"x\":{}\n", "[".repeat(1 << 20));
    let shapes = [
        ("a line of 2 MB", reads(&"x".repeat(2 << 20)), only_read),
        ("a line of escapes", reads(&escapes), only_read),
        ("calls", around(&many_calls), too_much),
        ("long ids", around(&long_ids), no_end),
        ("agents", [prompt(), agents, reads("x")].concat(), too_much),
        ("messages", around(&[messages, reads("x")].concat()), only_read),
        (
            "nesting",
            [prompt(), nested, reads("x")].concat(),
            "unknown: the record is not complete: line 2 cannot be read",
        ),
    ];
    for (name, text, expected) in shapes {
        world.write("hostile.jsonl", &text);
        assert_eq!(reason(&world, "hostile.jsonl"), expected, "{name}");
    }
}

#[test]
fn a_document_is_read_in_little_memory() {
    let world = World::with("rules/artifact-unwritten");
    let head = r#"{"info":{"id":"a1"},"messages":["#;
    let turn = |id: usize| {
        let input = json!({"filePath": "/elsewhere/a.md"});
        let state = json!({"status": "completed", "input": input, "output": "x".repeat(500)});
        let part =
            json!({"type": "tool", "callID": format!("t{id}"), "tool": "read", "state": state});
        let info = json!({"id": "m", "role": "assistant", "time": {"created": 1, "completed": 2}});
        json!({"info": info, "parts": [part]}).to_string()
    };
    let task = json!({
        "info": {"id": "u", "role": "user", "time": {"created": 1}},
        "parts": [{"type": "text", "text": "Plan."}],
    });
    let turns = (0..6_000).map(turn);
    let turns: Vec<String> = [task.to_string()].into_iter().chain(turns).collect();
    let end = json!({
        "info": {"id": "n", "role": "assistant", "time": {"created": 1, "completed": 2}},
        "parts": [{"type": "text", "text": "Done."}],
    });
    let text = format!("{head}{},{end}]}}", turns.join(","));
    world.write("whole.json", &text);
    assert_eq!(
        reason(&world, "whole.json"),
        "contradicted: no call wrote it; the agent used only read"
    );
    world.write("cut.json", &text[..text.len() / 2]);
    assert_eq!(
        reason(&world, "cut.json"),
        "unknown: the record is not complete: line 1 cannot be read"
    );
}

#[test]
fn no_path_of_a_transcript_is_opened_outside_of_the_root() {
    let world = World::with("rules/artifact-unwritten");
    fs::create_dir(world.path("outside")).expect("a folder");
    world.write("outside/tides.md", "secret");
    std::os::unix::fs::symlink(world.path("outside"), world.path("project/link")).expect("a link");
    let outside = world.path("outside/tides.md").display().to_string();
    let mut records = prompt();
    let names = [&outside, "../outside/tides.md", "link/tides.md", "docs/../../outside/tides.md"];
    for (at, name) in names.into_iter().enumerate() {
        let (write, run) = (format!("w{at}"), format!("r{at}"));
        records += &call(&write, "Write", &json!({"file_path": name}));
        records += &result(&write, "ok");
        records += &call(&run, "Bash", &json!({"command": format!("cp a {name} && tee {name}")}));
        records += &result(&run, "ok");
    }
    world.write("outside.jsonl", records + &done());
    let watch = inotify::init(CreateFlags::NONBLOCK).expect("inotify");
    let of = WatchFlags::OPEN | WatchFlags::ACCESS;
    inotify::add_watch(&watch, world.path("outside"), of).expect("a watch");
    let output = check(&world, "outside.jsonl");
    assert!(!claim(&output, "artifact-unwritten").is_empty());
    assert!(!stdout(&output).contains("secret"));
    let mut events = [0; 256];
    let opened = rustix::io::read(&watch, &mut events);
    assert_eq!(opened.err(), Some(rustix::io::Errno::WOULDBLOCK), "{}", stdout(&output));
    fs::read(&outside).expect("it is ours");
    assert!(rustix::io::read(&watch, &mut events).is_ok(), "the watch sees it");
}
