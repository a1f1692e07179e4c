//! The cost of evidence is bounded, whatever a transcript or a repository contains.
// Limits of data and watches of folders are those of Linux.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::process::{Command, Output};

use common::{World, run, stderr, stdout};
use miniz_oxide::deflate::compress_to_vec_zlib;
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
    says(
        id,
        &json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
    )
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
    [
        prompt(),
        call("t1", "Read", &input),
        result("t1", content),
        done(),
    ]
    .concat()
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
    let world = World::with_rules();
    let only_read = "contradicted: no call wrote it; the agent used only Read";
    let too_much = "unknown: the record is not complete: it is too large to be kept";
    let no_end = "unknown: the record is not complete: its end is missing";
    let escapes = "\"\n".repeat(600_000);
    let many_calls: String = (0..20_000)
        .map(|at| call(&format!("t{at}"), "Read", &json!({"file_path": "a"})))
        .collect();
    let long_ids: String = (0..4_000)
        .map(|at| call(&format!("t{at}{}", "x".repeat(4_000)), "Read", &json!({})))
        .collect();
    let agents: String = (0..5_000)
        .map(|at| record("user", &format!("b{at}"), &json!({"content": "x"})))
        .collect();
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
        (
            "messages",
            around(&[messages, reads("x")].concat()),
            only_read,
        ),
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

/// A transcript of huge size that has hardly any content.
fn sparse(world: &World, name: &str, text: &str, size: u64) {
    world.write(name, text);
    let file = File::options().append(true).open(world.path(name));
    file.and_then(|file| file.set_len(size))
        .expect("a sparse file");
}

#[test]
fn a_line_without_an_end_is_passed_over() {
    let world = World::with_rules();
    sparse(
        &world,
        "endless.jsonl",
        &(prompt() + "{\"type\":"),
        300 << 20,
    );
    assert_eq!(
        reason(&world, "endless.jsonl"),
        "unknown: the record is not complete: line 2 is too long"
    );
}

#[test]
fn foreign_lines_before_the_first_record_are_passed() {
    let world = World::with_rules();
    let record = |size: usize| format!("{{\"level\":\"{}\"}}\n", "x".repeat(size));
    world.write("own.jsonl", reads("x"));
    let whole = reason(&world, "own.jsonl");
    for (name, foreign, expected) in [
        ("records", record(100).repeat(30_000), &*whole),
        ("a long one", record(2 << 20).repeat(3), &*whole),
        (
            "too long",
            record(3 << 20),
            "unknown: the record is not complete: line 1 is too long",
        ),
        (
            "longer than a document may be",
            format!("{{}}\n{}", record(9 << 20)),
            "unknown: the record is not complete: line 2 is too long",
        ),
        (
            "text",
            "Some words.\n".repeat(300_000),
            "unknown: the record is not complete: line 1 cannot be read",
        ),
        (
            "text after records",
            record(100).repeat(30_000) + "Some words.\n",
            "unknown: the record is not complete: line 30001 cannot be read",
        ),
    ] {
        world.write("foreign.jsonl", foreign + &reads("x"));
        assert_eq!(reason(&world, "foreign.jsonl"), expected, "{name}");
    }
}

/// What is no object may have been half of one, however many lines come before it or after it.
#[test]
fn a_foreign_line_without_an_object_makes_the_record_incomplete() {
    let world = World::with_rules();
    let objects = "{\"level\":\"info\"} {}\n";
    for line in ["42", "null", "\"text\"", "[{}]", "{} 42", "Some words."] {
        for (before, after) in [(0, 0), (0, 130_000), (130_000, 0)] {
            let foreign = objects.repeat(before) + line + "\n" + &objects.repeat(after);
            world.write("foreign.jsonl", foreign + &reads("x"));
            let number = before + 1;
            let expected =
                format!("unknown: the record is not complete: line {number} cannot be read");
            assert_eq!(reason(&world, "foreign.jsonl"), expected, "{line}");
        }
    }
}

#[test]
fn foreign_lines_have_a_limit() {
    let world = World::with_rules();
    world.write("own.jsonl", reads("x"));
    let mebibyte = format!("{{\"level\":\"{}\"}}\n", "x".repeat((1 << 20) - 13));
    world.write("foreign.jsonl", mebibyte.repeat(64) + &reads("x"));
    assert_eq!(reason(&world, "foreign.jsonl"), reason(&world, "own.jsonl"));
    world.write("foreign.jsonl", mebibyte.repeat(64) + "\n" + &reads("x"));
    let output = check(&world, "foreign.jsonl");
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (
            Some(2),
            "error: --transcript foreign.jsonl: it is no transcript of a known client\n".to_owned()
        )
    );
}

#[test]
fn no_more_than_a_gigabyte_is_read() {
    let world = World::with_rules();
    sparse(&world, "huge.jsonl", &reads("x"), 100 << 30);
    assert_eq!(
        reason(&world, "huge.jsonl"),
        "unknown: the record is not complete: line 5 is too long"
    );
    let output = check(&world, "huge.jsonl");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_document_is_read_in_little_memory() {
    let world = World::with_rules();
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

/// A pack with a commit and a difference from it of 15 MB, and an index in which both packs have the
/// difference under sixteen names with the same beginning.
fn hostile_packs(world: &World) {
    let folder = world.path("project/.git/objects/pack");
    fs::create_dir_all(&folder).expect("a folder");
    for name in [1, 2] {
        let mut pack =
            BufWriter::new(File::create(folder.join(format!("pack-{name}.pack"))).expect("a pack"));
        let commit = compress_to_vec_zlib(b"tree ", 1);
        let size = 15 << 20;
        let delta = compress_to_vec_zlib(&vec![0; size], 1);
        let head = [b"PACK\0\0\0\x02\0\0\0\x02" as &[u8], &[0x15], &commit].concat();
        let at = head.len();
        let mut length = vec![0x60 | 0x80 | u8::try_from(size & 15).expect("four bits")];
        let mut rest = size >> 4;
        while rest > 0x7f {
            length.push(0x80 | u8::try_from(rest & 0x7f).expect("seven bits"));
            rest >>= 7;
        }
        length.push(u8::try_from(rest).expect("seven bits"));
        let back = u8::try_from(at - 12).expect("a short way");
        for part in [&head, &length, &vec![back], &delta] {
            pack.write_all(part).expect("it is written");
        }
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255_u32 {
            let count = if first < 0xab { 0_u32 } else { 16 };
            index.extend(count.to_be_bytes());
        }
        for last in 0..16_u8 {
            let id = [&[0xab, 0xcd, 0xef, 0x01][..], &[0; 14], &[name, last]].concat();
            index.extend(id);
        }
        index.extend([0; 4 * 16]);
        for _ in 0..16 {
            index.extend(u32::try_from(at).expect("near").to_be_bytes());
        }
        fs::write(folder.join(format!("pack-{name}.idx")), index).expect("an index");
    }
    fs::write(world.path("project/.git/HEAD"), "ref: refs/heads/main\n").expect("a file");
}

#[test]
fn a_repository_that_unpacks_to_too_much_is_unknown() {
    let world = World::with_rules();
    hostile_packs(&world);
    let arguments = format!("check {RETURN} --root project --rev abcdef01 --format json");
    let output = run(world.retval().args(arguments.split(' ')));
    assert_eq!(
        claim(&output, "artifact-unchanged"),
        "unknown: the file or the history is too large"
    );
}

#[test]
fn no_path_of_a_transcript_is_opened_outside_of_the_root() {
    let world = World::with_rules();
    fs::create_dir(world.path("outside")).expect("a folder");
    world.write("outside/tides.md", "secret");
    std::os::unix::fs::symlink(world.path("outside"), world.path("project/link")).expect("a link");
    let outside = world.path("outside/tides.md").display().to_string();
    let mut records = prompt();
    let names = [
        &outside,
        "../outside/tides.md",
        "link/tides.md",
        "docs/../../outside/tides.md",
    ];
    for (at, name) in names.into_iter().enumerate() {
        let (write, run) = (format!("w{at}"), format!("r{at}"));
        records += &call(&write, "Write", &json!({"file_path": name}));
        records += &result(&write, "ok");
        records += &call(
            &run,
            "Bash",
            &json!({"command": format!("cp a {name} && tee {name}")}),
        );
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
    assert_eq!(
        opened.err(),
        Some(rustix::io::Errno::WOULDBLOCK),
        "{}",
        stdout(&output)
    );
    fs::read(&outside).expect("it is ours");
    assert!(
        rustix::io::read(&watch, &mut events).is_ok(),
        "the watch sees it"
    );
}
