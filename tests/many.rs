//! Many returns: folders, streams, lists, threads, filters.

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, piped, run_onto_full_disk, stderr, stdout};
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
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

#[test]
fn a_folder_is_walked_in_order_with_its_hidden_files() {
    let world = World::new();
    for name in [
        "b.json",
        "a/.return-meta.json",
        "a/z.json",
        "a/.hidden/x.json",
        "c.ndjson",
        "d.jsonl",
        "e.txt",
        ".git/f.json",
    ] {
        world.write(&format!("in/{name}"), blocked(1) + "\n");
    }
    std::os::unix::fs::symlink("../in", world.path("in/loop")).expect("a link");
    std::os::unix::fs::symlink("b.json", world.path("in/link.json")).expect("a link");
    let output = world.check("in --format jsonl");
    let found: Vec<_> = records(&output)
        .iter()
        .map(|record| format!("{}:{}", record["source"], record["line"]))
        .collect();
    let expected = [
        r#""in/a/.hidden/x.json":null"#,
        r#""in/a/.return-meta.json":null"#,
        r#""in/a/z.json":null"#,
        r#""in/b.json":null"#,
        r#""in/c.ndjson":1"#,
        r#""in/d.jsonl":1"#,
    ];
    assert_eq!(found, expected);
    assert_eq!(records(&output)[1]["profile"], "return-meta");
    output.assert().code(0).stderr(is_empty());
}

#[test]
fn globs_narrow_a_folder() {
    let world = World::new();
    for name in [
        "a.json",
        "x/a.json",
        "x/b.json",
        "node_modules/a.json",
        "x/.return-meta.json",
    ] {
        world.write(&format!("in/{name}"), blocked(1));
    }
    for (options, expected) in [
        (
            "--include a.json",
            vec!["in/a.json", "in/node_modules/a.json", "in/x/a.json"],
        ),
        (
            "--include x/*.json",
            vec!["in/x/.return-meta.json", "in/x/a.json", "in/x/b.json"],
        ),
        (
            "--include .return-meta.json",
            vec!["in/x/.return-meta.json"],
        ),
        (
            "--exclude node_modules --exclude b.*",
            vec!["in/a.json", "in/x/.return-meta.json", "in/x/a.json"],
        ),
        (
            "--include **/a.json --exclude x",
            vec!["in/a.json", "in/node_modules/a.json"],
        ),
    ] {
        let found = records(&world.check(&format!("in --format jsonl {options}")));
        let found: Vec<_> = found
            .iter()
            .map(|record| record["source"].as_str().expect("a source"))
            .collect();
        assert_eq!(found, expected, "{options}");
    }
    world
        .check("in --include [")
        .assert()
        .code(2)
        .stderr(contains("cannot use the glob ["));
    world
        .check("in --include none.json")
        .assert()
        .code(2)
        .stderr(contains("no returns in in"));
}

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
    let lines: Vec<_> = records
        .iter()
        .map(|record| record["line"].as_u64().expect("a line"))
        .collect();
    assert_eq!(lines, [1, 4, 5], "blank lines are no returns");
    let finding = &records[1]["findings"][0];
    let offset = usize::try_from(finding["offset"].as_u64().expect("a number")).expect("small");
    assert_eq!(
        (&finding["line"], &finding["column"]),
        (&4.into(), &11.into())
    );
    assert!(text[offset..].starts_with("\"done\""));
    assert_eq!(records[2]["findings"][0]["rule"], "json-syntax");
    output.assert().code(1);
}

#[test]
fn text_shows_failures_under_headings_and_ends_with_totals() {
    let world = World::new();
    let output = piped(&world, "--ndjson", stream(10));
    let text = stdout(&output);
    let headings: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("== "))
        .collect();
    assert_eq!(headings, ["== -:5", "== -:10"]);
    assert!(text.contains("       at -:5:11 (/status)\n"), "{text}");
    let totals = "\n\n10 returns: 8 valid, 2 invalid (0 warnings)\n";
    assert!(text.ends_with(totals), "{text}");
    let verbose = stdout(&piped(&world, "--ndjson -v", stream(10)));
    assert_eq!(verbose.matches("== -:").count(), 10);
    let quiet = stdout(&piped(&world, "--ndjson -q", stream(10)));
    assert!(
        quiet.starts_with("== -:5\n[FAIL] ") && quiet.ends_with(totals),
        "{quiet}"
    );
    assert!(!quiet.contains("[PASS]") && text.contains("\n\n== -:10\n"));
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let world = World::new();
    let text = stream(20_000);
    world.write("in.ndjson", &text);
    fs::create_dir(world.path("in")).expect("a folder");
    for (number, line) in text.lines().take(500).enumerate() {
        world.write(&format!("in/{number:04}.json"), line);
    }
    for options in [
        "in.ndjson in",
        "in in.ndjson --format json --statistics",
        "in.ndjson --format jsonl",
        "in --statistics",
    ] {
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
fn files_can_be_listed_by_another_program() {
    let world = World::new();
    world.write("a b.json", blocked(1));
    world.write("in/c.json", blocked(2));
    world.write("s.ndjson", stream(3));
    world.write("list", "a b.json\r\n\nin\ns.ndjson\n");
    assert_eq!(
        records(&world.check("--files-from list --format jsonl")).len(),
        5
    );
    assert_eq!(
        records(&piped(
            &world,
            "--files-from - --format jsonl",
            "a b.json\nin/c.json"
        ))
        .len(),
        2
    );
    world.write("new\nline.json", blocked(1));
    let found = records(&piped(
        &world,
        "--files-from - --format jsonl",
        "new\nline.json\0a b.json\0",
    ));
    assert_eq!(found[0]["source"], "new\nline.json");
    piped(&world, "--files-from - -", "")
        .assert()
        .code(2)
        .stderr(contains("standard input can be read only once"));
    world
        .check("--files-from gone")
        .assert()
        .code(2)
        .stderr(contains("cannot read gone"));
}

#[test]
fn unreadable_input_is_reported_and_the_rest_is_checked() {
    let world = World::new();
    world.write("in/a.json", blocked(1));
    world.write("in/z.json", blocked(2));
    world.write("in/locked.json", blocked(3));
    world.write("in/shut/b.json", blocked(4));
    world.write("in/\u{1b}[31m\n.json", "x");
    let fifo = std::process::Command::new("mkfifo")
        .arg(world.path("in/pipe.json"))
        .status()
        .expect("mkfifo runs");
    assert!(fifo.success());
    let _socket =
        std::os::unix::net::UnixListener::bind(world.path("in/socket.json")).expect("a socket");
    let invalid = std::os::unix::ffi::OsStrExt::as_bytes(world.path("in").as_os_str()).to_vec();
    let invalid = std::os::unix::ffi::OsStringExt::from_vec([&invalid[..], b"/\xff.json"].concat());
    let invalid: std::ffi::OsString = invalid;
    fs::write(invalid, blocked(5)).expect("a file");
    world.rights("in/locked.json", 0o000);
    world.rights("in/shut", 0o000);
    let output = common::run(
        world
            .retval_as_nobody()
            .args(["check", "in", "--format", "jsonl"]),
    );
    world.rights("in/shut", 0o755);
    let records = records(&output);
    let unread: Vec<_> = records
        .iter()
        .filter(|record| record["valid"].is_null())
        .map(|record| &record["source"])
        .collect();
    assert_eq!(
        unread,
        [
            "in/locked.json",
            "in/pipe.json",
            "in/shut",
            "in/socket.json"
        ]
    );
    let checked = records
        .iter()
        .filter(|record| record["valid"] == true)
        .count();
    assert_eq!(checked, 3, "{records:?}");
    assert_eq!(stderr(&output).lines().count(), 4, "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot read in/pipe.json: it is not a regular file"));
    output.assert().code(2);
}

#[test]
fn a_link_loop_ends() {
    let world = World::new();
    world.write("in/a.json", blocked(1));
    std::os::unix::fs::symlink(".", world.path("in/round")).expect("a link");
    std::os::unix::fs::symlink("self", world.path("in/self")).expect("a link");
    world
        .check("in")
        .assert()
        .code(0)
        .stdout("1 return: 1 valid, 0 invalid (0 warnings)\n");
    world
        .check("in/self")
        .assert()
        .code(2)
        .stderr(contains("cannot read in/self: "));
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
        let output = piped(&world, "--ndjson --format jsonl", &input);
        let records = records(&output);
        assert_eq!(records.len(), lines);
        let message = records[lines - 1]["findings"][0]["message"]
            .as_str()
            .expect("a message");
        assert!(message.contains(what), "{message}");
        output.assert().code(1);
    }
    piped(&world, "--ndjson", "")
        .assert()
        .code(0)
        .stdout("0 returns: 0 valid, 0 invalid (0 warnings)\n");
}

#[test]
fn a_line_over_the_limit_is_skipped_and_the_stream_continues() {
    let world = World::new();
    let text = format!(
        "{}\n{}\n{}\n",
        blocked(0),
        "x".repeat(3_000_000),
        blocked(1)
    );
    let output = piped(&world, "--ndjson --format jsonl --max-bytes 1000000", &text);
    let records = records(&output);
    let valid: Vec<_> = records
        .iter()
        .map(|record| record["valid"].as_bool())
        .collect();
    assert_eq!(valid, [Some(true), Some(false), Some(true)]);
    let finding = &records[1]["findings"][0];
    assert_eq!(
        (&finding["rule"], &finding["line"]),
        (&"json-limit".into(), &2.into())
    );
    assert_eq!(records[2]["line"], 3);
    world.write("in/large.json", " ".repeat(2_000));
    let output = world.check("in --max-bytes 1000");
    output.assert().code(1).stdout(contains(
        "[FAIL] Return exceeds a limit: larger than 1000 bytes",
    ));
}

#[test]
fn a_filter_passes_lines_as_they_are() {
    let world = World::new();
    let text = stream(3_000).replacen('\n', "\r\n", 7);
    let sort = |valid: bool| -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines
            .filter(|(number, _)| (number % 5 != 4) == valid)
            .map(|(_, line)| line)
            .collect()
    };
    let good = piped(&world, "--ndjson --filter valid", &text);
    assert_eq!(stdout(&good), sort(true));
    assert!(stderr(&good).ends_with("3000 returns: 2400 valid, 600 invalid (0 warnings)\n"));
    good.assert().code(1);
    let bad = piped(
        &world,
        "--ndjson --filter invalid --format jsonl --output findings",
        &text,
    );
    assert_eq!(stdout(&bad), sort(false));
    assert_eq!(
        fs::read_to_string(world.path("findings"))
            .expect("a file")
            .lines()
            .count(),
        3_000
    );
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
        .args(["check", "--ndjson", "--format", "jsonl"])
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
fn a_low_limit_of_open_files_does_not_change_the_verdict() {
    let world = World::new();
    let returned = |number: usize| {
        let claim =
            format!(r#"[{{"type":"report","path":"out/{number}/report.md","summary":"s"}}]"#);
        blocked(number)
            .replace("blocked", "completed")
            .replacen("[]", &claim, 1)
    };
    for number in 0..400 {
        world.write(&format!("in/{number}.json"), returned(number));
        world.write(&format!("out/{number}/report.md"), "text");
    }
    for files in [32, 140, 1024] {
        let mut shell = Command::new("sh");
        let limited = format!("ulimit -n {files}; exec \"$0\" check in -j 4");
        shell
            .args(["-c", &limited])
            .arg(assert_cmd::cargo::cargo_bin!("retval"))
            .current_dir(world.path(""));
        let output = shell.output().expect("it runs");
        output
            .assert()
            .code(0)
            .stdout("400 returns: 400 valid, 0 invalid (0 warnings)\n");
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
fn statistics_count_rules_agents_and_statuses() {
    let world = World::new();
    let output = piped(&world, "--ndjson --statistics", stream(30));
    let text = stdout(&output);
    let expected = "
rule            findings  returns
status-unknown  3         3
json-syntax     3         3

agent   returns  valid   most common failure
agent0  9        88.9 %  status-unknown
agent1  9        88.9 %  status-unknown
agent2  9        88.9 %  status-unknown
(none)  3        0 %     json-syntax

status   returns
blocked  24
done     3
(none)   3
";
    assert!(
        text.ends_with(&format!(
            "30 returns: 24 valid, 6 invalid (0 warnings)\n{expected}"
        )),
        "{text}"
    );
    let document: Value = serde_json::from_str(&stdout(&piped(
        &world,
        "--ndjson --statistics --format json",
        stream(30),
    )))
    .expect("JSON");
    assert_eq!(
        document["statistics"]["agents"][3]["commonest_failure"],
        "json-syntax"
    );
    assert_eq!(document["statistics"]["rules"][0]["returns"], 3);
}

#[test]
fn returns_without_a_name_have_their_own_row_in_the_statistics() {
    let world = World::new();
    let lines = r#"{"status": "(none)", "metadata": {"agent_type": "(none)"}}
{}
"#;
    let output = piped(&world, "--ndjson --statistics --format json", lines);
    let document: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let column = |table: &str, name: &str| {
        let rows = document["statistics"][table].as_array().expect("rows");
        rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        column("agents", "agent_type"),
        [Value::from("(none)"), Value::Null]
    );
    assert_eq!(
        column("statuses", "status"),
        [Value::from("(none)"), Value::Null]
    );
}

#[test]
fn a_line_of_json_white_space_is_blank() {
    let world = World::new();
    let output = piped(&world, "--ndjson", " \t\r\n\n\x0c\n");
    let text = stdout(&output);
    assert!(
        text.contains("only white space") && text.contains("at -:3:1"),
        "{text}"
    );
    assert!(
        text.ends_with("1 return: 0 valid, 1 invalid (0 warnings)\n"),
        "{text}"
    );
}

#[test]
fn memory_stays_flat() {
    let world = World::new();
    let block = stream(10_000);
    let path = world.write("in.ndjson", block.repeat(12));
    assert!(fs::metadata(&path).expect("a file").len() > 30_000_000);
    // The release binary is held to 8 MiB; this one carries its debug code, too.
    let mut shell = std::process::Command::new("bash");
    shell
        .args([
            "-c",
            "ulimit -v 200000; \"$0\" check in.ndjson -j 2 > /dev/null",
        ])
        .arg(world.retval().get_program());
    assert_eq!(
        shell
            .current_dir(world.path(""))
            .status()
            .expect("bash runs")
            .code(),
        Some(1)
    );
}

#[test]
fn memory_is_bounded_for_findings_too() {
    let world = World::new();
    // Two bytes a line become a thousand of report.
    world.write("in.ndjson", "x\n".repeat(100_000));
    let mut shell = std::process::Command::new("bash");
    shell.args([
        "-c",
        "ulimit -v 400000; \"$0\" check in.ndjson --format jsonl -j 8 > /dev/null",
    ]);
    shell
        .arg(world.retval().get_program())
        .current_dir(world.path(""));
    assert_eq!(shell.status().expect("bash runs").code(), Some(1));
}

#[test]
fn any_number_of_empty_streams_is_walked() {
    let world = World::new();
    for number in 0..8_000 {
        world.write(&format!("in/{number:05}.ndjson"), "");
    }
    for threads in [1, 2] {
        world
            .check(&format!("in -j {threads}"))
            .assert()
            .code(0)
            .stdout("0 returns: 0 valid, 0 invalid (0 warnings)\n");
    }
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
        .args([
            "check", "--ndjson", "--format", "jsonl", "--root", "project",
        ])
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
    let mut command = world.retval();
    command
        .args(["check", "--ndjson", "--format", "jsonl", "-j", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    drop(child.stdout.take());
    writeln!(stdin, "x").expect("it reads");
    // Its input stays open, and says no more.
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    drop(stdin);
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
    let options = "--ndjson --max-bytes 20 --format jsonl";
    let (line, blank) = ("x".repeat(20), " ".repeat(30));
    assert_eq!(
        slow(options, &[&line, "\r", "\n"]),
        slow(options, &[&format!("{line}\r\n")])
    );
    assert_eq!(
        slow(options, &[&blank, "\n"]),
        slow(options, &[&format!("{blank}\n")])
    );
    let long = "z".repeat(50);
    let filter = "--ndjson --max-bytes 20 --filter invalid";
    assert_eq!(
        slow(filter, &[&long, "\nx\n"]),
        slow(filter, &[&format!("{long}\nx\n")])
    );
    let list = "--files-from - --format jsonl --root project";
    let path = "profiles/return/completed-plan.json";
    assert_eq!(
        slow(list, &[&path[..9], &path[9..], "\0", path, "\0"]),
        slow(list, &[&format!("{path}\0{path}\0")])
    );
}

#[test]
fn an_empty_or_endless_list_is_no_success() {
    let world = World::new();
    world.write("none", "\n\n");
    world
        .check("--files-from none")
        .assert()
        .code(2)
        .stderr(contains("it lists no path"));
    let output = piped(&world, "--files-from -", "x".repeat(1_000_000));
    assert!(stderr(&output).len() < 200, "{}", stderr(&output).len());
    output
        .assert()
        .code(2)
        .stderr(contains("a line is too long to be a path"));
}

#[test]
fn results_are_written_before_the_input_ends() {
    let world = World::new();
    let plan = "profiles/return/completed-plan.json";
    for arguments in [vec![plan, "-"], vec!["profiles/return", "-"]] {
        let mut command = world.retval();
        command
            .args(["check", "--root", "project", "--format", "jsonl"])
            .args(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let stdin = child.stdin.take().expect("a pipe");
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(
            answers
                .next()
                .expect("an answer")
                .expect("UTF-8")
                .contains("completed-plan")
        );
        drop(stdin);
        let _ = child.wait();
    }
}

#[test]
fn a_file_that_is_written_between_two_returns_of_a_pipe_is_found() {
    let world = World::new();
    let line = r#"{"status": "completed", "summary": "Wrote it. It is there.", "artifacts": [{"type": "plan", "path": "late.md", "summary": "Plan"}], "metadata": {"session_id": "s", "duration_seconds": 1, "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]}}"#;
    let mut child = world
        .retval()
        .args(["check", "--ndjson", "--format", "jsonl", "-j", "1"])
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

#[test]
fn options_that_would_do_nothing_are_refused() {
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
    world
        .check("in/b.json --ndjson")
        .assert()
        .code(2)
        .stderr(contains("--ndjson applies to standard input"));
}
