//! Hostile texts, and what must be true of everything that is printed about them.

use serde::Deserialize;
use serde_json::{Value, json};

use super::fixtures;

/// A hostile text to be displayed.
#[derive(Deserialize)]
pub(crate) struct Hostile {
    pub(crate) name: String,
    pub(crate) text: String,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

/// The texts of `fixtures/hostile/strings.json`, each repeated as given there.
pub(crate) fn corpus() -> Vec<Hostile> {
    let text = std::fs::read_to_string(fixtures().join("hostile/strings.json"));
    let mut corpus: Vec<Hostile> =
        serde_json::from_str(&text.expect("a fixture")).expect("the corpus");
    for hostile in &mut corpus {
        hostile.text = hostile.text.repeat(std::mem::take(&mut hostile.times));
    }
    corpus
}

/// The corpus without texts that are too long for an argument or a name.
pub(crate) fn short() -> Vec<Hostile> {
    let mut corpus = corpus();
    corpus.retain(|hostile| hostile.text.len() < 10_000);
    corpus
}

/// The short texts combined into fewer, for tests that run one process per text. A text that
/// depends on its position stays alone; others are joined while nothing is truncated.
pub(crate) fn packed(corpus: Vec<Hostile>) -> Vec<Hostile> {
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
pub(crate) fn hold(what: &str, format: &str, printed: &[u8]) {
    let text = std::str::from_utf8(printed).expect("UTF-8");
    let start = text.floor_char_boundary(plain(printed));
    if let Some(hidden) = text[start..].chars().find(|it| *it != '\n' && is_hidden(*it)) {
        panic!("{what}, {format}: {hidden:?} in {}", excerpt(text, hidden));
    }
    for misread in ["##[", "##vso[", "<script", "</system-reminder"] {
        assert!(!text.contains(misread), "{what}, {format}: {misread} in {text}");
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

fn excerpt(text: &str, hidden: char) -> &str {
    let line = text.split('\n').find(|line| line.contains(hidden));
    let line = line.unwrap_or_default();
    &line[..line.floor_char_boundary(300)]
}

/// Whether a line is an annotation in the form of the format: known properties and a message.
fn is_annotation(line: &str) -> bool {
    let known = ["file", "line", "col", "endColumn", "title"];
    let rest = line.strip_prefix("::error ").or(line.strip_prefix("::warning "));
    let Some((properties, message)) = rest.and_then(|rest| rest.split_once("::")) else {
        return false;
    };
    let mut properties = properties.split(',').map(|property| property.split_once('='));
    !message.is_empty() && properties.all(|it| it.is_some_and(|(key, _)| known.contains(&key)))
}

/// A return with `text` in every member that a record shows.
pub(crate) fn everywhere(text: &str, status: &str) -> Value {
    json!({
        "status": status, "summary": text, text: text,
        "artifacts": [{ "path": text, "type": text, "summary": text }],
        "metadata": {
            "session_id": text, "agent_type": text, "delegation_depth": 1,
            "delegation_path": [text, text],
        },
        "errors": [{ "type": text, "code": text, "message": text, "recommendation": text }],
    })
}

/// Whether a character is invisible or misleads, by a list of its own: it is not that of the escaper.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || character.is_whitespace() && character != ' '
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}'
        )
}
