//! Outputs that no one can read, and inputs without a return.

use std::fs;
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt as _;

use super::PHANTOM;
use crate::common::{World, stdout};

#[test]
fn a_verbose_report_shows_the_lines_of_findings() {
    let world = World::new();
    world.write("return.json", PHANTOM);
    for (options, is_shown) in [("-v", true), ("", false), ("-q", false)] {
        let output = world.check(&format!("return.json {options} --format text=b.txt"));
        output.assert().code(1).stdout("").stderr("");
        let text = fs::read_to_string(world.path("b.txt")).expect("a report");
        assert_eq!(text.contains("\n       1 | {\"status\""), is_shown, "{text}");
    }
}

#[test]
fn a_pipe_with_a_reader_gets_a_report_of_any_length() {
    let world = World::new();
    // More than a pipe holds, so that writing waits for the reader.
    let stream = format!("{PHANTOM}\n").repeat(5000);
    world.write("many.ndjson", &stream);
    let made = Command::new("mkfifo").arg(world.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let reader = Command::new("sh")
        .args(["-c", "exec wc -l < pipe"])
        .current_dir(world.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let output = world.check("many.ndjson --format jsonl=pipe");
    output.assert().code(1).stdout("");
    let counted = reader.wait_with_output().expect("it ends");
    assert_eq!(stdout(&counted).trim(), "5000");
}

#[test]
fn an_empty_folder_is_reported_once_on_each_stream() {
    let world = World::new();
    fs::create_dir(world.path("empty")).expect("a folder");
    let report = "== empty\n[SKIP] Not checked: no returns in empty: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out\n\n0 returns: 0 valid, 0 invalid (0 warnings); 1 source not checked\n";
    let error = "error: no returns in empty: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out\n";
    let apart = world.check("empty");
    apart.assert().code(2).stdout(report).stderr(error);
    let quiet = world.check("empty -q");
    quiet.assert().code(2).stderr(error);
}
