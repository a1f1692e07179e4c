//! Nothing that a return, a path, an argument, a setting or a payload says is seen but escaped, in
//! any format and from any command; and machines still get it exactly.

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod library;
mod streams;

use std::process::Output;

use common::fixtures;
use retval::internal::escape::is_hidden;
use serde::Deserialize;

/// A text that somebody may send to be shown.
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

/// `fixtures/hostile/strings.json`, each text as often as it is to be repeated.
fn corpus() -> Vec<Hostile> {
    let text = std::fs::read_to_string(fixtures().join("hostile/strings.json"));
    let mut corpus: Vec<Hostile> =
        serde_json::from_str(&text.expect("a fixture")).expect("the corpus");
    for hostile in &mut corpus {
        hostile.text = hostile.text.repeat(std::mem::take(&mut hostile.times));
    }
    corpus
}

/// The corpus without the texts that no argument and no name can be as long as.
fn short() -> Vec<Hostile> {
    let mut corpus = corpus();
    corpus.retain(|hostile| hostile.text.len() < 10_000);
    corpus
}

/// What an argument, a variable or a file's name can be: no NUL ends it.
fn arguments() -> Vec<Hostile> {
    let mut corpus = short();
    corpus.retain(|hostile| !hostile.text.contains('\0'));
    corpus
}

/// The short texts in fewer, for what costs a process each: those that matter by where they stand
/// alone, the others side by side, as far as nothing is cut.
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

/// Holds what was printed to what may be: nothing hidden but the layout's line feeds, and no line
/// that a build log takes for a command, or a reader for one of retval's own.
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
    for older in ["##[", "##vso["] {
        assert!(!text.contains(older), "{what}, {format}: {older} in {text}");
    }
    for line in text.lines() {
        let line = line.trim_start();
        let is_command = line.starts_with("::") && !(format == "github" && is_annotation(line));
        let is_forged = line.starts_with("forged");
        assert!(!is_command && !is_forged, "{what}, {format}: {line}");
    }
}

/// How many bytes there are before the first that might hide something. By hand, for there are
/// gigabytes and tests are not optimized.
fn plain(printed: &[u8]) -> usize {
    let mut at = 0;
    while at < printed.len() && (printed[at] == b'\n' || matches!(printed[at], b' '..=b'~')) {
        at += 1;
    }
    at
}

/// Both streams of a run.
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

/// Whether a line is an annotation as the format makes it: known properties, a message.
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
        text.expect("a fixture").replace("##", "").as_bytes(),
    );
    assert!(short().len() > 40 && corpus().len() == short().len() + 3);
}
