//! Runs `retval check` on files with hostile names and streams of hostile returns, with hostile
//! options.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::process::Output;

use assert_cmd::assert::OutputAssertExt as _;
use retval::Format;
use serde_json::{Value, json};

use super::{arguments, hold_output};
use crate::common::hostile::{corpus, everywhere, hold, short};
use crate::common::xml::XmlDocument;
use crate::common::{World, feed, stderr, stdout};

/// A stream with two returns per text: one has it as the status, the other claims success.
fn stream(texts: &[String]) -> String {
    let lines = texts.iter().flat_map(|text| {
        [everywhere(text, text), everywhere(text, "completed")].map(|line| line.to_string() + "\n")
    });
    lines.collect()
}

fn texts() -> Vec<String> {
    short().into_iter().map(|hostile| hostile.text).collect()
}

/// Possible file names, some of which are not UTF-8.
fn names() -> Vec<OsString> {
    let texts = arguments().into_iter().map(|hostile| hostile.text.replace('/', "|"));
    let texts = texts.filter(|text| text.len() < 200);
    let raw: [&[u8]; 3] = [b"\xff\xfe", b"\x9b31m", b"a\xc2\n::error::\xe2\x80"];
    texts.map(OsString::from).chain(raw.map(|raw| OsString::from_vec(raw.to_vec()))).collect()
}

/// Writes returns into a folder. Each has a hostile name, in a folder with the same name.
fn hostile_files(world: &World) -> Vec<String> {
    let write = |name: &OsStr| {
        let mut path = b"names/".to_vec();
        path.extend([name.as_bytes(), b"/", name.as_bytes(), b".json"].concat());
        let path = OsString::from_vec(path);
        let place = world.path("").join(&path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("folders");
        fs::write(place, everywhere("x", "done").to_string()).expect("a file");
        path.to_string_lossy().into_owned()
    };
    names().iter().map(|name| write(name)).collect()
}

/// Checks all of them in one format.
fn check(world: &World, format: &str, detail: &str) -> Output {
    let mut retval = world.retval();
    retval.args("check names in.ndjson --rule field-unknown=error".split(' '));
    retval.args(["--session", "\u{1b}[31m\u{202e}", "--agent", "\n::error::x"]);
    retval.args(["--format", format]).args(detail.split_whitespace());
    retval.output().expect("it runs")
}

/// Whether standard error says why returns are invalid, because the format does not.
fn lacks_reasons(format: &str) -> bool {
    ["next", "return"].contains(&format)
}

fn world() -> (World, Vec<String>, Vec<String>) {
    let world = World::new();
    let files = hostile_files(&world);
    let texts = texts();
    world.write("in.ndjson", stream(&texts));
    (world, files, texts)
}

#[test]
fn no_format_shows_input_unescaped() {
    let (world, ..) = world();
    for format in Format::ALL.map(Format::as_str) {
        for detail in ["", "-q", "-v --strict"] {
            let output = check(&world, format, detail);
            hold_output(detail, format, &output);
            assert_eq!(stderr(&output).is_empty(), !lacks_reasons(format), "{format}");
            output.assert().code(1);
        }
    }
}

#[test]
fn every_machine_format_carries_names_and_values_exactly() {
    let (world, files, texts) = world();
    let lines = stdout(&check(&world, "jsonl", ""));
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("a record"));
    let records: Vec<Value> = lines.collect();
    let document: Value = serde_json::from_str(&stdout(&check(&world, "json", ""))).expect("JSON");
    assert_eq!(document["returns"].as_array(), Some(&records));

    let (of_files, of_lines) = records.split_at(files.len());
    let sources: BTreeSet<_> = of_files.iter().filter_map(|it| it["source"].as_str()).collect();
    assert_eq!(sources, files.iter().map(String::as_str).collect());
    for (record, (index, text)) in
        of_lines.iter().zip(texts.iter().enumerate().flat_map(|it| [it, it]))
    {
        let text = text.as_str();
        let status = if record["line"] == 2 * index + 1 { text } else { "completed" };
        assert_eq!(record["status"], status);
        for place in ["/session_id", "/agent_type", "/artifacts/0/path"] {
            assert_eq!(record.pointer(place).and_then(Value::as_str), Some(text), "{place}");
        }
        let pointer = format!("/{}", text.replace('~', "~0").replace('/', "~1"));
        assert!(
            record["findings"]
                .as_array()
                .expect("findings")
                .iter()
                .any(|it| it["pointer"] == pointer.as_str())
        );
    }
    sarif(&world, &records);
    junit(&world, &records);
}

/// The location of each finding, by URI and pointer, agrees with the record.
fn sarif(world: &World, records: &[Value]) {
    let log: Value = serde_json::from_str(&stdout(&check(world, "sarif", ""))).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let mut results = results.iter();
    for record in records {
        for finding in record["findings"].as_array().expect("findings") {
            let result = results.next().expect("a result for each finding");
            let location = &result["locations"][0];
            let uri =
                location["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a URI");
            let path = percent_encoding::percent_decode_str(uri).decode_utf8().expect("UTF-8");
            assert_eq!(record["source"], path.as_ref());
            let name = &location["logicalLocations"][0]["fullyQualifiedName"];
            assert_eq!(
                name.as_str().unwrap_or_default(),
                finding["pointer"].as_str().unwrap_or_default()
            );
            let message = finding["message"].as_str().expect("a message");
            let plain = result["message"]["text"].as_str().expect("a text");
            let plain = plain.replace("{{", "{").replace("}}", "}").replace("]\\u{28}", "](");
            assert!(plain.starts_with(message), "{plain}");
        }
    }
    assert!(results.next().is_none());
}

/// Each test case has the escaped source as its name, and fails with the escaped status.
fn junit(world: &World, records: &[Value]) {
    let xml = XmlDocument::read(&stdout(&check(world, "junit", "")));
    let cases: Vec<_> = xml.elements.iter().filter(|it| it.name == "testcase").collect();
    assert_eq!(cases.len(), records.len());
    let statuses = xml.text.split("Invalid status: ").skip(1);
    let statuses: BTreeSet<_> =
        statuses.filter_map(|rest| rest.lines().next()).map(unescaped).collect();
    for (case, record) in cases.iter().zip(records) {
        let source = record["source"].as_str().expect("a source");
        let line = record["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        assert_eq!(unescaped(&case.attributes["file"]), source);
        assert_eq!(unescaped(&case.attributes["name"]), format!("{source}{line}"));
        let status = record["status"].as_str().expect("a status");
        let shown = match status.char_indices().nth(200) {
            Some((end, _)) => {
                format!("{}… ({} characters)", &status[..end], status.chars().count())
            }
            None => status.to_owned(),
        };
        // A blank status is reported as an empty field, not as an unknown status.
        let findings = record["findings"].as_array().expect("findings");
        let is_blank = |it: &Value| it["rule"] == "field-empty" && it["pointer"] == "/status";
        let is_known = status == "completed" || findings.iter().any(is_blank);
        assert!(is_known || statuses.contains(&shown), "{shown}");
    }
}

/// A text that was shown, without its escapes.
fn unescaped(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown.chars();
    while let Some(character) = rest.next() {
        text.push(match character {
            '\\' => match rest.next().expect("an escape") {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits: String =
                        rest.by_ref().skip(1).take_while(|it| *it != '}').collect();
                    let code = u32::from_str_radix(&digits, 16).expect("a number");
                    char::from_u32(code).expect("a character")
                }
                other => other,
            },
            other => other,
        });
    }
    text
}

#[test]
fn logs_and_baselines_carry_names_and_values_exactly() {
    let (world, files, texts) = world();
    let mut retval = world.retval();
    retval.args("check names in.ndjson --errors-json log/errors.json -q".split(' '));
    let output = retval.args("--baseline log/known.json --update-baseline".split(' ')).output();
    let output = output.expect("it runs");
    hold_output("update", "text", &output);
    // Files whose names are not UTF-8 are in no baseline.
    output.assert().code(1);
    let baseline = fs::read(world.path("log/known.json")).expect("a baseline");
    hold("baseline", "json", &baseline);
    let baseline: Value = serde_json::from_slice(&baseline).expect("JSON");
    let entries = baseline["accepted"].as_array().expect("entries");
    for file in files.iter().filter(|file| !file.contains('\u{fffd}')) {
        let path = world.path(file).display().to_string();
        assert!(entries.iter().any(|it| it["source"] == path.as_str()), "{path:?}");
    }

    let mut retval = world.retval();
    let output =
        retval.args("check names in.ndjson --errors-json log/errors.json -q".split(' ')).output();
    output.expect("it runs").assert().code(1);
    let log = fs::read(world.path("log/errors.json")).expect("a log");
    hold("log", "json", &log);
    let log: Value = serde_json::from_slice(&log).expect("JSON");
    let records = log["errors"].as_array().expect("records");
    let sources: BTreeSet<_> =
        records.iter().filter_map(|it| it["context"]["source"].as_str()).collect();
    assert!(files.iter().all(|file| sources.contains(file.as_str())));
    for text in texts {
        let record = records.iter().find(|it| it["context"]["session_id"] == text.as_str());
        let record = record.unwrap_or_else(|| panic!("{text:?} is in no record"));
        // A long name is cut, and its length is told.
        let path = record["trajectory"]["delegation_path"].as_array().expect("names");
        assert_eq!(path.len(), 2);
        for name in path {
            let name = name.as_str().expect("a name");
            let kept = name.split_once("… (").map_or(name, |(kept, _)| kept);
            assert!(text.starts_with(kept), "{text:?}: {name:?}");
        }
    }
}

#[test]
fn megabytes_pass_through_every_format() {
    let world = World::new();
    let mut corpus = corpus();
    corpus.retain(|hostile| hostile.text.len() >= 10_000);
    let line = |text: &str| json!({ "status": "partial", "metadata": { "session_id": text } });
    let lines = corpus.iter().map(|hostile| line(&hostile.text).to_string() + "\n");
    world.write("in.ndjson", lines.collect::<String>());
    for format in Format::ALL.map(Format::as_str) {
        let mut retval = world.retval();
        retval.args("check in.ndjson --max-bytes 100000000 --session s --format".split(' '));
        let output = retval.arg(format).output().expect("it runs");
        hold_output("megabytes", format, &output);
        let sessions = stdout(&output).matches("\"session_id\":").count();
        assert!(!matches!(format, "json" | "jsonl" | "failed-return") || sessions == corpus.len());
        assert_eq!(stderr(&output).is_empty(), !lacks_reasons(format), "{format}");
        output.assert().code(1);
    }
}

#[test]
fn a_list_of_hostile_paths_is_read_and_reported_escaped() {
    let (world, files, _) = world();
    let mut list: Vec<u8> = Vec::new();
    for name in names() {
        list.extend([b"gone/", name.as_bytes(), b"\0"].concat());
        list.extend([b"names/", name.as_bytes(), b"/", name.as_bytes(), b".json\0"].concat());
    }
    for format in Format::ALL.map(Format::as_str) {
        let mut retval = world.retval();
        retval.args(["check", "--files-from", "-", "--format", format]);
        let output = feed(&mut retval, &list);
        hold_output("list", format, &output);
        if format == "jsonl" {
            let text = stdout(&output);
            let checked = text.lines().filter(|line| line.contains("\"valid\":false")).count();
            assert_eq!((checked, text.lines().count()), (files.len(), 2 * files.len()));
        }
        output.assert().code(2);
    }
}

#[test]
fn a_filter_passes_bytes_and_reports_escaped() {
    let (world, _, texts) = world();
    let text = stream(&texts);
    for format in Format::ALL.map(Format::as_str) {
        let mut retval = world.retval();
        retval.args("check --lines --filter invalid --format".split(' ')).arg(format);
        let output = feed(&mut retval, &text);
        assert!(output.stdout == text.as_bytes(), "lines pass as they are");
        hold("filter", format, &output.stderr);
        output.assert().code(1);
    }
}
