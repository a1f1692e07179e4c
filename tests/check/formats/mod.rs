//! Prints the same returns in every format, and compares the complete outputs and the positions in them.
//!
//! The inputs are `fixtures/formats/set`, a missing file and standard input.
//! `fixtures/formats/FORMAT.expected` has the output. `UPDATE=1 cargo test` writes it again. Read the
//! diff afterwards.

use std::collections::BTreeMap;
use std::fs;

use crate::common::xml::XmlDocument;
use crate::common::{World, fixtures, piped, stderr, stdout};
use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, Options, Parser, Tag};
use retval::Format;
use serde_json::Value;

const SET: &str = "formats/set gone.json - --root project";

/// The set in one format.
fn render(format: &str) -> String {
    let input = fs::read(fixtures().join("formats/stdin.txt")).expect("a fixture");
    let output = piped(&World::new(), &format!("{SET} --format {format}"), input);
    // What prints no reasons leaves them to standard error.
    let told = if ["next", "return"].contains(&format) {
        "gone.json:1:1: error[not-checked] cannot read gone.json: "
    } else {
        "error: cannot read gone.json: "
    };
    let missing = format!("{told}No such file or directory (os error 2)\n");
    assert!(stderr(&output).contains(&missing), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2), "{format}");
    stdout(&output)
}

#[test]
fn every_format_prints_the_expected_output() {
    for name in Format::ALL.map(Format::as_str) {
        let expected = fixtures().join(format!("formats/{name}.expected"));
        let found = render(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &found).expect("an expectation");
        }
        assert_eq!(found, fs::read_to_string(&expected).unwrap_or_default(), "{name}");
    }
}

/// Where a finding stands, by one format: `FILE:LINE:COLUMN`, and its rule.
type Place = (String, String);

fn place(source: &str, line: &Value, column: &Value, rule: &Value) -> Place {
    let rule = rule.as_str().expect("a rule");
    (format!("{source}:{line}:{column}"), rule.to_owned())
}

fn records() -> Vec<Value> {
    let text = render("jsonl");
    let records = text.lines().map(serde_json::from_str);
    records.map(|record| record.expect("a record")).collect()
}

fn places_of_json() -> Vec<Place> {
    let mut places = Vec::new();
    for record in records() {
        let source = record["source"].as_str().expect("a source");
        for finding in record["findings"].as_array().expect("findings") {
            let (line, column) = (&finding["line"], &finding["column"]);
            places.push(place(source, line, column, &finding["rule"]));
        }
    }
    places
}

/// Places as the lines below a finding have them.
fn places_of_lines(text: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(at) = line.strip_prefix("       at ") {
            let at = at.split_once(" (/").map_or(at, |(at, _)| at);
            let rule = lines.next().and_then(|line| line.split_once("rule: "));
            places.push((at.to_owned(), rule.expect("a rule").1.to_owned()));
        }
    }
    places
}

/// The properties and the message of a workflow command, with the runner's escapes undone.
fn command(line: &str) -> Option<(BTreeMap<String, String>, String)> {
    let undo = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n");
        let text = text.replace("%3A", ":").replace("%2C", ",");
        text.replace("%25", "%")
    };
    let (head, message) = line.strip_prefix("::")?.split_once("::")?;
    let properties = head.split_once(' ').expect("properties").1.split(',').map(|property| {
        let (key, value) = property.split_once('=').expect("a value");
        (key.to_owned(), undo(value))
    });
    Some((properties.collect(), undo(message)))
}

fn places_of_github() -> Vec<Place> {
    let text = render("github");
    let commands = text.lines().filter_map(command);
    let place = |(properties, message): (BTreeMap<String, String>, String)| {
        let rule = properties["title"].clone();
        let at = match properties.get("file") {
            Some(file) => format!("{file}:{}:{}", properties.get("line")?, properties["col"]),
            // What has no file says its place in the message.
            None => message.split_once("\nat ")?.1.to_owned(),
        };
        Some((at, rule))
    };
    commands.filter_map(place).collect()
}

fn places_of_concise() -> Vec<Place> {
    let text = render("concise");
    let place = |line: &str| {
        let (at, rest) = line.split_once(": ")?;
        let (_, rule) = rest.split_once('[')?;
        let (rule, _) = rule.split_once("] ")?;
        Some((at.to_owned(), rule.to_owned()))
    };
    let places = text.lines().filter_map(place);
    places.filter(|(_, rule)| rule != "not-checked").collect()
}

/// A list says the source once, and code spans hold what is not fixed.
fn places_of_markdown() -> Vec<Place> {
    let text = render("markdown");
    let (mut places, mut source) = (Vec::new(), "");
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("**`") {
            source = name.trim_end_matches("`**");
        } else if let Some((_, rest)) = line.split_once("** `")
            && let Some((rule, rest)) = rest.split_once("` at ")
            && let Some((at, _)) = rest.split_once(": ")
        {
            // The name of a return in a stream ends with its line.
            let (line, _) = at.split_once(':').expect("a column");
            let file = source.strip_suffix(&format!(":{line}")).unwrap_or(source);
            places.push((format!("{file}:{at}"), rule.to_owned()));
        }
    }
    places
}

#[test]
fn markdown_has_hostile_text_in_code_only() {
    let world = World::new();
    let evil = "`` ](http://x) <img src=x> @all **b** | #1 www.x.org ```` ~~~ &lt;";
    let text = format!("{{\"status\": {}}}", Value::from(evil));
    world.write("in/`]<b>*`.json", &text);
    world.write("in/``` x.json", &text);
    let output = world.check("in --format markdown");
    let text = stdout(&output);
    assert!(text.contains("@all"), "{text}");
    for event in Parser::new_ext(&text, Options::all()) {
        match event {
            Event::Text(words) => {
                let is_ours = !words.contains(['@', '<', '`', '&', '|', '#', '~']);
                assert!(is_ours, "{words}");
            }
            Event::Start(Tag::Paragraph | Tag::Strong | Tag::List(_) | Tag::Item)
            | Event::End(_)
            | Event::SoftBreak
            | Event::Code(_) => {}
            event => panic!("{event:?}: {text}"),
        }
    }
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

fn places_of_sarif() -> Vec<Place> {
    let log: Value = serde_json::from_str(&render("sarif")).expect("JSON");
    let findings = results(&log).iter().filter(|it| it["ruleId"] != "not-checked");
    let place = |result: &Value| {
        let location = &result["locations"][0]["physicalLocation"];
        let (uri, region) = (&location["artifactLocation"]["uri"], &location["region"]);
        let uri = percent_decode_str(uri.as_str().expect("a URI"));
        let source = uri.decode_utf8().expect("UTF-8");
        let (line, column) = (&region["startLine"], &region["startColumn"]);
        place(&source, line, column, &result["ruleId"])
    };
    findings.map(place).collect()
}

#[test]
fn lines_and_columns_agree_across_all_formats() {
    let sorted = |mut places: Vec<Place>| {
        places.sort();
        places
    };
    let expected = places_of_json();
    assert!(expected.len() >= 9, "{expected:?}");
    for format in Format::ALL {
        let (places, expected) = match format {
            Format::Text => (places_of_lines(&render("text")), expected.clone()),
            Format::Github => (places_of_github(), expected.clone()),
            Format::Sarif => (places_of_sarif(), expected.clone()),
            Format::Concise => (places_of_concise(), expected.clone()),
            Format::Markdown => (places_of_markdown(), expected.clone()),
            // A case has its failures before its warnings.
            Format::Junit => {
                let places = places_of_lines(&XmlDocument::read(&render("junit")).text);
                (sorted(places), sorted(expected.clone()))
            }
            // A return and feedback name members by their pointers, a word and a value name nothing. JSON
            // is what is expected.
            Format::FailedReturn
            | Format::Feedback
            | Format::Next
            | Format::Return
            | Format::Json
            | Format::Jsonl => continue,
            format => panic!("no places are known of {}", format.as_str()),
        };
        assert_eq!(places, expected, "{}", format.as_str());
    }
}

#[test]
fn regions_are_the_spans_of_the_file() {
    let log: Value = serde_json::from_str(&render("sarif")).expect("JSON");
    let mut looked_at = 0;
    for result in results(&log) {
        let location = &result["locations"][0]["physicalLocation"];
        let uri = location["artifactLocation"]["uri"].as_str().expect("a URI");
        let path = percent_decode_str(uri).decode_utf8().expect("UTF-8");
        let Ok(text) = fs::read_to_string(fixtures().join(path.as_ref())) else {
            continue;
        };
        let number = |key: &str| {
            let number = location["region"][key].as_u64().expect("a number");
            usize::try_from(number).expect("small")
        };
        let (start, length) = (number("byteOffset"), number("byteLength"));
        for (edge, line, column) in
            [(start, "startLine", "startColumn"), (start + length, "endLine", "endColumn")]
        {
            let before = &text[..edge];
            let ahead = before.rsplit('\n').next().expect("a line");
            assert_eq!(number(line), before.matches('\n').count() + 1, "{result}");
            assert_eq!(number(column), ahead.chars().count() + 1, "{result}");
        }
        looked_at += 1;
    }
    assert!(looked_at >= 8, "{looked_at}");
}
