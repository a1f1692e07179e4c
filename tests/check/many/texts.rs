//! Streams with one text per line, and what the root must have.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use super::{blocked, records};
use crate::common::{World, piped, stderr, stdout};

/// Texts that no line of a stream could hold, or that readers of text would change.
const HOSTILE: [&[u8]; 9] = [
    b"",
    b"\n \n",
    b"{}\r\n{}\n",
    b"\xef\xbb\xbf{}",
    b"\xff\xfe{",
    b"\xed\xa0\x80",
    b"Done.\x00\x1b[2J",
    "Erledigt.\u{2028}{}\u{1f600}".as_bytes(),
    br#"{"status":"\ud800"}"#,
];

/// A text as a string of JSON. Bytes that are not UTF-8 stay as they are.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut line = b"\"".to_vec();
    for part in text.utf8_chunks() {
        let valid = json!(part.valid()).to_string();
        line.extend_from_slice(&valid.as_bytes()[1..valid.len() - 1]);
        line.extend_from_slice(part.invalid());
    }
    line.push(b'"');
    line
}

/// A record without what says where it came from.
fn placeless(mut record: Value) -> Value {
    let members = record.as_object_mut().expect("an object");
    members.insert("line".to_owned(), Value::Null);
    record
}

#[test]
fn each_text_gets_the_record_that_it_gets_alone() {
    let world = World::new();
    let pretty = serde_json::from_str::<Value>(&blocked(0)).expect("JSON");
    let pretty = serde_json::to_string_pretty(&pretty).expect("JSON");
    let wrong = pretty.replace("\"blocked\"", "\"done\"");
    let texts = [pretty.as_bytes(), wrong.as_bytes()];
    let texts: Vec<_> = texts.into_iter().chain(HOSTILE).collect();
    let lines: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
    let output = piped(&world, "--lines=texts --format jsonl", lines.join(&b'\n'));
    let together = records(&output);
    assert_eq!(together.len(), texts.len());
    for (index, (record, text)) in together.into_iter().zip(&texts).enumerate() {
        assert_eq!(record["line"], index + 1);
        let alone = records(&piped(&world, "--format jsonl -", text)).remove(0);
        assert_eq!(placeless(record), alone, "{text:?}");
    }
    output.assert().code(1).stderr(is_empty());
}

#[test]
fn the_order_is_that_of_the_lines_for_any_number_of_threads() {
    let world = World::new();
    let line = |number| json!({"text": blocked(number), "id": format!("row {number}")});
    let lines: Vec<_> = (0..3_000).map(|it| line(it).to_string() + "\n").collect();
    let check = |jobs| {
        let options = format!("--lines=texts --format jsonl -j {jobs}");
        stdout(&piped(&world, &options, lines.concat()))
    };
    let one = check(1);
    assert_eq!(one, check(4));
    for (number, record) in one.lines().enumerate() {
        let record: Value = serde_json::from_str(record).expect("a record");
        assert_eq!(record["id"], format!("row {number}"));
        assert_eq!(record["valid"], true);
    }
}

#[test]
fn a_line_has_expectations_of_its_own() {
    let world = World::new();
    world.write("there/specs/a.md", "# A\n");
    let done = blocked(0).replace("blocked", "completed").replace(
        "\"artifacts\":[]",
        r#""artifacts":[{"type":"plan","path":"specs/a.md","summary":"A"}]"#,
    );
    let lines = [
        json!({"text": done, "session": "s0", "root": "there", "agent": "agent0"}),
        json!({"text": done, "session": "s0", "root": null}),
        json!({"text": done, "session": "other", "root": "there"}),
        json!({"text": done, "agent": "agent1", "root": "there"}),
        json!(done),
    ];
    let lines: Vec<_> = lines.iter().map(|line| line.to_string() + "\n").collect();
    let options = "--lines=texts --format jsonl --session s0";
    let found: Vec<_> = records(&piped(&world, options, lines.concat()))
        .iter()
        .map(|record| {
            let rules = record["findings"].as_array().expect("a list");
            let rules = rules.iter().map(|it| it["rule"].as_str().expect("a rule"));
            rules.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let missing = "artifact-not-found";
    let expected = ["", missing, "session-mismatch", "agent-mismatch", missing];
    assert_eq!(found, expected);
}

#[test]
fn a_bad_line_is_not_checked_and_loses_no_other() {
    let world = World::new();
    let lines = [
        json!(blocked(0)).to_string(),
        "Done.".to_owned(),
        r#"{"text":"{}","sesion":"s","id":"a"}"#.to_owned(),
        r#"{"text":"{}","root":"no/such","id":"b"}"#.to_owned(),
        String::new(),
        json!({"text": blocked(1), "id": "c"}).to_string(),
    ];
    let output = piped(&world, "--lines=texts --format jsonl", lines.join("\n"));
    let found: Vec<_> = records(&output)
        .iter()
        .map(|it| (it["line"].clone(), it["valid"].clone(), it["id"].clone()))
        .collect();
    let null = Value::Null;
    let expected = [
        (json!(1), json!(true), null.clone()),
        (json!(2), null.clone(), null.clone()),
        (json!(3), null.clone(), null.clone()),
        (json!(4), null, json!("b")),
        (json!(6), json!(true), json!("c")),
    ];
    assert_eq!(found, expected);
    let error = stderr(&output);
    assert_eq!(
        error,
        "error: cannot check line 2 of standard input: it is not a text: expected a string, or an object with the member `text`\n\
         error: cannot check line 3 of standard input: it is not a text: unknown field `sesion`, \
         expected one of `text`, `session`, `agent`, `root`, `id`, after byte 21\n\
         error: cannot check line 4 of standard input: cannot use no/such as the root: No such file \
         or directory (os error 2)\n"
    );
    output.assert().code(2);
}

#[test]
fn reports_about_files_name_the_line() {
    let world = World::new();
    world.write("in.ndjson", "\"\"\n\"{\\n  \\\"status\\\": 5}\"\n");
    let concise = stdout(&world.check("in.ndjson --lines=texts --format concise -q"));
    assert!(concise.contains("\nin.ndjson:2:1: error[field-type] "), "{concise}");
    world.check("in.ndjson --lines=texts --format sarif=out.sarif");
    let sarif = fs::read_to_string(world.path("out.sarif")).expect("a report");
    assert!(sarif.contains(r#""region":{"startLine":2}"#), "{sarif}");
    let github = stdout(&world.check("in.ndjson --lines=texts --format github"));
    assert!(github.contains("file=in.ndjson,line=2,col=1,"), "{github}");
}

#[test]
fn the_filter_passes_lines_as_they_are() {
    let world = World::new();
    let good = json!({"text": blocked(0), "id": "a"}).to_string();
    let input = format!("{good}\r\n\"bad\"\nno text\n");
    for (which, passed) in [("valid", format!("{good}\r\n")), ("invalid", "\"bad\"\n".to_owned())] {
        let options = format!("--lines=texts --filter {which}");
        piped(&world, &options, &input).assert().code(2).stdout(passed);
    }
}

#[test]
fn the_limit_is_that_of_a_text_not_of_its_line() {
    let world = World::new();
    let text = |length| format!("\"{}\"\n", "\\u0000".repeat(length));
    let input = [text(100_000), text(100_001), text(1_000_000), json!(blocked(0)).to_string()];
    let options = "--lines=texts --format jsonl --max-bytes 100000";
    let messages: Vec<_> = records(&piped(&world, options, input.concat()))
        .iter()
        .map(|it| it["findings"][0]["rule"].clone())
        .collect();
    let limit = json!("json-limit");
    assert_eq!(messages, [json!("json-syntax"), limit.clone(), limit, Value::Null]);
}

#[test]
fn options_that_cannot_be_meant_are_refused() {
    let world = World::new();
    world.write("in.json", "{}");
    let said = "invalid value 'text' for '--lines[=<texts>]'";
    world.check("--lines=text").assert().code(2).stderr(contains(said));
}

#[test]
fn a_root_without_its_marker_checks_nothing() {
    let world = World::new();
    world.write("in.json", blocked(0));
    world.write("there/.mounted", "");
    fs::create_dir(world.path("away")).expect("a folder");
    world.write("retval.toml", "root-has = \".mounted\"\n");
    world.check("in.json --root there").assert().code(0);
    world.check("in.json --root away --exit-zero").assert().code(2).stdout(is_empty()).stderr(
        "error: root-has .mounted: the root away has no such file or folder; is it the right \
             folder, and is it mounted?\n",
    );
    let line = |root| json!({"text": blocked(0), "root": root}).to_string() + "\n";
    let output =
        piped(&world, "--lines=texts --root there --format jsonl", line("away") + &line("there"));
    let valid: Vec<_> = records(&output).iter().map(|it| it["valid"].clone()).collect();
    assert_eq!(valid, [Value::Null, json!(true)]);
    output.assert().code(2);
}

#[test]
fn a_root_that_goes_away_during_the_run_is_told() {
    let world = World::new();
    world.write("there/.mounted", "");
    world.write("retval.toml", "root-has = \".mounted\"\n");
    let options = "check --lines=texts --root there --format jsonl";
    let mut command = world.retval();
    command.args(options.split(' '));
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.stderr(Stdio::piped()).spawn().expect("retval runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    input.write_all(b"\"a\"\n").expect("it reads");
    output.read_line(&mut String::new()).expect("a record");
    fs::remove_file(world.path("there/.mounted")).expect("a file");
    drop(input);
    let ended = child.wait_with_output().expect("it ends");
    assert!(stderr(&ended).contains("is it mounted?"));
    ended.assert().code(2);
}
