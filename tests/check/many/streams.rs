//! Streams with one return per line.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};
use walkdir::WalkDir;

use super::{blocked, records, stream};
use crate::common::{World, fixtures, piped, stderr, stdout};

#[test]
fn lines_are_numbered_as_in_the_file() {
    let world = World::new();
    let text = format!(
        "{}\r\n\n  \n{}\nbroken",
        blocked(0),
        blocked(1).replace("\"blocked\"", "\"done\"")
    );
    world.write("in.ndjson", &text);
    let output = world.check("in.ndjson --format jsonl");
    let records = records(&output);
    let lines: Vec<_> =
        records.iter().map(|record| record["line"].as_u64().expect("a line")).collect();
    assert_eq!(lines, [1, 4, 5], "blank lines are no returns");
    let finding = &records[1]["findings"][0];
    let offset = usize::try_from(finding["offset"].as_u64().expect("a number")).expect("small");
    assert_eq!((&finding["line"], &finding["column"]), (&4.into(), &11.into()));
    assert!(text[offset..].starts_with("\"done\""));
    assert_eq!(records[2]["findings"][0]["rule"], "json-syntax");
    output.assert().code(1);
}

#[test]
fn broken_streams_are_findings() {
    let world = World::new();
    let truncated = format!("{}\n{}", blocked(0), &blocked(1)[..60]);
    for (input, lines, what) in [
        (truncated.into_bytes(), 2, "it is truncated"),
        (vec![0xff; 1_000], 1, "it is not valid UTF-8"),
        (vec![0; 1_000], 1, "it is"),
    ] {
        let output = piped(&world, "--lines --format jsonl", &input);
        let records = records(&output);
        assert_eq!(records.len(), lines);
        let message = records[lines - 1]["findings"][0]["message"].as_str().expect("a message");
        assert!(message.contains(what), "{message}");
        output.assert().code(1);
    }
    piped(&world, "--lines", "")
        .assert()
        .code(0)
        .stdout("0 returns: 0 valid, 0 invalid (0 warnings)\n");
}

#[test]
fn a_line_over_the_limit_is_skipped_and_the_stream_continues() {
    let world = World::new();
    let text = format!("{}\n{}\n{}\n", blocked(0), "x".repeat(3_000_000), blocked(1));
    let output = piped(&world, "--lines --format jsonl --max-bytes 1000000", &text);
    let records = records(&output);
    let valid: Vec<_> = records.iter().map(|record| record["valid"].as_bool()).collect();
    assert_eq!(valid, [Some(true), Some(false), Some(true)]);
    let finding = &records[1]["findings"][0];
    assert_eq!((&finding["rule"], &finding["line"]), (&"json-limit".into(), &2.into()));
    assert_eq!(records[2]["line"], 3);
    world.write("in/large.json", " ".repeat(2_000));
    let output = world.check("in --max-bytes 1000");
    output
        .assert()
        .code(1)
        .stdout(contains("[FAIL] Return exceeds a limit: larger than 1000 bytes"));
}

#[test]
fn no_line_between_lines_over_the_limit_is_lost() {
    let world = World::new();
    // Their output is many times as long as they are, so blocks become smaller.
    let short = "{\"status\":\"oops\"}\n";
    let long = |bytes: usize| "x".repeat(bytes) + "\n";
    let between = long(300_000) + &short.repeat(3) + &long(600_000) + short;
    let some = short.repeat(3) + &long(12_000) + short + &long(5_000);
    world.write("in.ndjson", between + &short.repeat(2_000) + &some.repeat(20));
    let found = |threads: &str| -> Vec<_> {
        let mut retval = world.retval();
        let options = ["check", "in.ndjson", "--max-bytes", "2000", "--format", "jsonl"];
        let output = retval.args(options).args(["-j", threads]).output();
        let records = records(&output.expect("it runs"));
        let found = records.iter().map(|record| {
            let rule = record["findings"][0]["rule"].as_str().expect("a rule");
            (record["line"].as_u64().expect("a line"), rule.to_owned())
        });
        found.collect()
    };
    let text = fs::read_to_string(world.path("in.ndjson")).expect("text");
    let rule = |line: &str| {
        if line.len() > 2_000 { "json-limit" } else { "field-missing" }
    };
    let expected = (1..).zip(text.lines().map(|line| rule(line).to_owned()));
    let expected: Vec<_> = expected.collect();
    assert_eq!(found("1"), expected);
    assert_eq!(found("2"), expected);
}

#[test]
fn a_filter_passes_lines_as_they_are() {
    let world = World::new();
    let text = stream(3_000).replacen('\n', "\r\n", 7);
    let sort = |valid: bool| -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines.filter(|(number, _)| (number % 5 != 4) == valid).map(|(_, line)| line).collect()
    };
    let good = piped(&world, "--lines --filter valid", &text);
    assert_eq!(stdout(&good), sort(true));
    assert!(stderr(&good).ends_with("3000 returns: 2400 valid, 600 invalid (0 warnings)\n"));
    good.assert().code(1);
    let bad = piped(&world, "--lines --filter invalid --format jsonl=findings", &text);
    assert_eq!(stdout(&bad), sort(false));
    assert_eq!(fs::read_to_string(world.path("findings")).expect("a file").lines().count(), 3_000);
    bad.assert().stderr(is_empty());
}

#[test]
fn a_filter_adds_no_line_feed_but_between_lines() {
    let world = World::new();
    world.write("a.ndjson", blocked(0));
    world.write("b.ndjson", blocked(1));
    let output = world.check("a.ndjson b.ndjson --filter valid");
    assert_eq!(stdout(&output), format!("{}\n{}", blocked(0), blocked(1)));
    world
        .check("profiles --filter valid")
        .assert()
        .code(2)
        .stderr(contains("--filter needs one return per line"));
    piped(&world, "--filter valid", blocked(0)).assert().code(2);
}

#[test]
fn each_record_is_seen_before_the_next_line_is_written() {
    let world = World::new();
    let mut command = world.retval();
    command
        .args(["check", "--lines", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for number in 1..=20 {
        writeln!(stdin, "{}", blocked(number)).expect("it reads");
        let record: Value =
            serde_json::from_str(&answers.next().expect("an answer").expect("UTF-8"))
                .expect("a record");
        assert_eq!(record["line"], number);
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_line_of_json_white_space_is_blank() {
    let world = World::new();
    let output = piped(&world, "--lines", " \t\r\n\n\x0c\n");
    let text = stdout(&output);
    assert!(text.contains("is empty") && text.contains("at -:3:1"), "{text}");
    assert!(text.ends_with("1 return: 0 valid, 1 invalid (0 warnings)\n"), "{text}");
}

#[test]
fn the_size_of_reads_does_not_change_the_output() {
    let world = World::new();
    let slow = |options: &str, parts: &[&str]| {
        let mut command = world.retval();
        command
            .arg("check")
            .args(options.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("it runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        for part in parts {
            stdin.write_all(part.as_bytes()).expect("it reads");
            std::thread::sleep(std::time::Duration::from_millis(60));
        }
        drop(stdin);
        stdout(&child.wait_with_output().expect("it ends"))
    };
    let options = "--lines --max-bytes 20 --format jsonl";
    let (line, blank) = ("x".repeat(20), " ".repeat(30));
    assert_eq!(slow(options, &[&line, "\r", "\n"]), slow(options, &[&format!("{line}\r\n")]));
    assert_eq!(slow(options, &[&blank, "\n"]), slow(options, &[&format!("{blank}\n")]));
    let long = "z".repeat(50);
    let filter = "--lines --max-bytes 20 --filter invalid";
    assert_eq!(slow(filter, &[&long, "\nx\n"]), slow(filter, &[&format!("{long}\nx\n")]));
    let list = "--files-from - --format jsonl --root project";
    let path = "profiles/return/completed-plan.json";
    assert_eq!(
        slow(list, &[&path[..9], &path[9..], "\0", path, "\0"]),
        slow(list, &[&format!("{path}\0{path}\0")])
    );
}

#[test]
fn a_file_that_is_written_between_two_returns_of_a_pipe_is_found() {
    let world = World::new();
    let line = r#"{"status": "completed", "summary": "Wrote it. It is there.", "artifacts": [{"type": "plan", "path": "late.md", "summary": "Plan"}], "metadata": {"session_id": "s", "duration_seconds": 1, "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]}}"#;
    let mut child = world
        .retval()
        .args(["check", "--lines", "--format", "jsonl", "-j", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |text: &str| {
        stdin.write_all(text.as_bytes()).expect("it is read");
        let answer = answers.next().expect("an answer").expect("UTF-8");
        answer.contains("artifact-not-found")
    };
    let twice = format!("{line}\n{line}\n");
    assert!(ask(&twice));
    assert!(ask(""), "the second answer");
    world.write("late.md", "text");
    assert!(!ask(&format!("{line}\n")));
    drop(stdin);
    let _ = child.wait();
}

/// The returns of all fixtures, each on one line. Those are left out that would be passed over.
fn lines_of_fixtures() -> Vec<String> {
    let files = ["rules", "profiles"].map(|folder| WalkDir::new(fixtures().join(folder)));
    let files = files.into_iter().flat_map(WalkDir::sort_by_file_name);
    let files = files.map(|file| file.expect("a file").into_path());
    let returns = files.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let lines = returns.map(|path| {
        let bytes = fs::read(path).expect("a return");
        String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ")
    });
    lines.filter(|line| !line.trim().is_empty()).collect()
}

#[test]
fn text_json_and_exit_code_agree_and_a_stream_is_the_sum_of_its_lines() {
    let world = World::new();
    let lines = lines_of_fixtures();
    assert!(lines.len() > 400, "{}", lines.len());
    for (index, line) in lines.iter().enumerate() {
        world.write(&format!("lines/{index:04}.json"), line);
    }
    for profile in ["return", "return-meta", "compact"] {
        let options = format!("--profile {profile} --root project");
        let alone = records(&world.check(&format!("lines {options} --format jsonl")));
        let stream = lines.join("\n");
        let output = piped(&world, &format!("{options} --lines --format jsonl"), stream);
        let mut start = 0;
        for (index, (mut record, mut alone)) in records(&output).into_iter().zip(alone).enumerate()
        {
            assert_eq!(alone["source"], format!("lines/{index:04}.json"));
            alone["source"] = json!("-");
            alone["line"] = json!(index + 1);
            for finding in alone["findings"].as_array_mut().expect("findings") {
                finding["line"] = json!(index + 1);
                let offset = finding["offset"].as_u64().expect("bytes");
                finding["offset"] = json!(offset + start);
                // Only a file can be skipped.
                if finding["rule"] == "not-a-return" {
                    finding["help"] =
                        json!("Fix the subagent to return an object with these fields");
                    let finding = finding.as_object_mut().expect("a finding");
                    finding.remove("suggestion").expect("how to skip the file");
                }
            }
            start += lines[index].len() as u64 + 1;
            assert_eq!(record.take(), alone, "{profile}: {}", lines[index]);
        }
        assert_eq!(output.status.code(), Some(1));
    }
    for index in (0..lines.len()).step_by(20) {
        let path = format!("lines/{index:04}.json");
        let output = world.check(&format!("{path} --root project"));
        let record = &records(&world.check(&format!("{path} --root project --format jsonl")))[0];
        let is_valid = record["valid"].as_bool().expect("a verdict");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(i32::from(!is_valid)), "{text}");
        let (passed, failed) = (
            text.contains("\n[PASS] Return validation succeeded\n"),
            text.contains("\nError: Subagent return validation failed\n"),
        );
        assert_eq!((passed, failed), (is_valid, !is_valid), "{text}");
    }
}
