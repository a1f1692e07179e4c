//! Untrusted text from returns, paths, arguments, settings and payloads is escaped in every format
//! and by every command; machine-readable output still has its exact value.

mod commands;
mod library;
mod payloads;
mod settings;
mod streams;

use std::process::Output;

use crate::common::fixtures;
use retval::internal::escape::is_hidden;
use serde::Deserialize;
use serde_json::Value;

/// A return to check.
const RETURN: &str = r#"{"status":"partial","summary":"One. Two.","artifacts":[],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}"#;

/// A hostile text to be displayed.
#[derive(Deserialize)]
struct Hostile {
    name: String,
    text: String,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

/// The texts of `fixtures/hostile/strings.json`, each repeated as given there.
fn corpus() -> Vec<Hostile> {
    let text = std::fs::read_to_string(fixtures().join("hostile/strings.json"));
    let mut corpus: Vec<Hostile> =
        serde_json::from_str(&text.expect("a fixture")).expect("the corpus");
    for hostile in &mut corpus {
        hostile.text = hostile.text.repeat(std::mem::take(&mut hostile.times));
    }
    corpus
}

/// The corpus without texts that are too long for an argument or a name.
fn short() -> Vec<Hostile> {
    let mut corpus = corpus();
    corpus.retain(|hostile| hostile.text.len() < 10_000);
    corpus
}

/// The texts that can be an argument, an environment variable or a file name: they contain no NUL.
fn arguments() -> Vec<Hostile> {
    let mut corpus = short();
    corpus.retain(|hostile| !hostile.text.contains('\0'));
    corpus
}

/// The short texts combined into fewer, for tests that run one process per text. A text that
/// depends on its position stays alone; others are joined while nothing is truncated.
fn packed(corpus: Vec<Hostile>) -> Vec<Hostile> {
    const UNCUT: usize = 150;
    let mut packed: Vec<Hostile> = Vec::new();
    for hostile in corpus {
        let stands_alone = hostile.text.starts_with([':', ' ', '#']);
        let last = packed.last_mut().filter(|last| {
            !stands_alone && last.text.chars().count() + hostile.text.chars().count() < UNCUT
        });
        match last {
            Some(last) => last.text += &hostile.text,
            None => packed.push(hostile),
        }
    }
    packed
}

/// Asserts that output is safe: no hidden characters except line feeds, no tag of a text, and no line that
/// a build log takes for a command, or that a reader takes for a line by retval.
#[track_caller]
fn hold(what: &str, format: &str, printed: &[u8]) {
    let text = std::str::from_utf8(printed).expect("UTF-8");
    let start = text.floor_char_boundary(plain(printed));
    if let Some(hidden) = text[start..]
        .chars()
        .find(|it| *it != '\n' && is_hidden(*it))
    {
        panic!("{what}, {format}: {hidden:?} in {}", excerpt(text, hidden));
    }
    for misread in ["##[", "##vso[", "<script", "</system-reminder"] {
        assert!(
            !text.contains(misread),
            "{what}, {format}: {misread} in {text}"
        );
    }
    for line in text.lines() {
        let line = line.trim_start();
        let is_command = line.starts_with("::") && !(format == "github" && is_annotation(line));
        let is_forged = line.starts_with("forged");
        assert!(!is_command && !is_forged, "{what}, {format}: {line}");
    }
}

/// The number of bytes before the first one that might be hidden. A plain loop, because tests are
/// not optimized and check gigabytes.
fn plain(printed: &[u8]) -> usize {
    let mut at = 0;
    while at < printed.len() && (printed[at] == b'\n' || matches!(printed[at], b' '..=b'~')) {
        at += 1;
    }
    at
}

/// Checks both streams of a run.
#[track_caller]
fn hold_output(what: &str, format: &str, output: &Output) {
    hold(what, format, &output.stdout);
    hold(what, format, &output.stderr);
}

fn excerpt(text: &str, hidden: char) -> &str {
    let line = text.split('\n').find(|line| line.contains(hidden));
    let line = line.unwrap_or_default();
    &line[..line.floor_char_boundary(300)]
}

/// Whether a line is an annotation in the form of the format: known properties and a message.
fn is_annotation(line: &str) -> bool {
    let known = ["file", "line", "col", "endColumn", "title"];
    let rest = line
        .strip_prefix("::error ")
        .or(line.strip_prefix("::warning "));
    let Some((properties, message)) = rest.and_then(|rest| rest.split_once("::")) else {
        return false;
    };
    let mut properties = properties
        .split(',')
        .map(|property| property.split_once('='));
    !message.is_empty() && properties.all(|it| it.is_some_and(|(key, _)| known.contains(&key)))
}

#[test]
fn the_corpus_is_harmless_to_look_at() {
    let text = std::fs::read_to_string(fixtures().join("hostile/strings.json"));
    hold(
        "the fixture",
        "json",
        text.expect("a fixture")
            .replace("##", "")
            .replace('<', "")
            .as_bytes(),
    );
    assert!(short().len() > 40 && corpus().len() == short().len() + 3);
}

fn has_string(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => own == text,
        Value::Array(items) => items.iter().any(|item| has_string(item, text)),
        Value::Object(members) => members.values().any(|member| has_string(member, text)),
        _ => false,
    }
}
