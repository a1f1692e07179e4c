//! Diagnoses text that is meant as JSON.

use serde_json::Error;

use crate::json::error_offset::offset;
use crate::json::syntax::{Fault, literal, prose};
use crate::json::truncation::{end_of_json, is_cut_off, is_left_open};
use crate::text::Span;
use crate::text::escape;

/// The fault at the position where the parser stopped.
pub(crate) fn inside(text: &str, error: &Error) -> Fault {
    if error.is_eof() || is_cut_off(text) {
        return Fault::truncated(end_of_json(text));
    }
    let at = offset(text, error);
    let rest = &text[at..];
    let first = rest.chars().next().unwrap_or('\u{0}');
    let here = Span::new(at, first.len_utf8().min(rest.len()));
    if let Some((start, (what, length))) = word_around(text, at) {
        return Fault::new(what, "use a JSON value", Span::new(start, length));
    }
    if is_after_the_value(text, at) {
        return after_the_value(text, at);
    }
    if is_left_open(rest) {
        return Fault::truncated(end_of_json(text));
    }
    if let Some(control) = raw_control(text, at, error) {
        let fix = "escape line breaks and tabs in strings, such as \\n";
        return Fault::new(
            "has a raw control character in a string",
            fix,
            Span::new(control, 1),
        );
    }
    let (what, fix) = match first {
        '/' | '#' => COMMENT,
        '\'' => (
            "has single quotes for strings",
            "put strings in double quotes",
        ),
        '“' | '”' | '„' | '‘' | '’' => (
            "has typographic quotes for strings",
            "put strings in plain double quotes",
        ),
        '}' | ']' if text[..at].trim_end().ends_with(',') => {
            let comma = Span::new(text[..at].trim_end().len() - 1, 1);
            let fix = "remove the comma before the closing bracket";
            return Fault::new("has a trailing comma", fix, comma);
        }
        _ => return other(error, text, at, here),
    };
    Fault::new(what, fix, here)
}

const COMMENT: (&str, &str) = ("has a comment in it", "remove the comments");

/// Finds a literal of another language at `at`, such as `None`. Returns its byte offset, what is wrong,
/// and its length in bytes. The parser may have consumed its first letters and a sign.
fn word_around(text: &str, at: usize) -> Option<(usize, (&'static str, usize))> {
    let word = text[..at].trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let start = word.len();
    let signed = word.ends_with('-').then(|| start - 1);
    [signed, Some(start), Some(at)]
        .into_iter()
        .flatten()
        .find_map(|start| Some((start, literal(&text[start..])?)))
}

/// The fault of a word in place of a value. The parser may have consumed its first letters.
fn unknown_word(message: &str, text: &str, at: usize) -> Option<Fault> {
    let is_value = ["expected ident", "expected value"].contains(&message);
    let before = text[..at].trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let rest = &text[before.len()..];
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let length = end.unwrap_or(rest.len());
    (is_value && rest.starts_with(char::is_alphabetic)).then(|| {
        Fault::new(
            "has a word that is no JSON value",
            "put text in double quotes: only true, false, null and numbers go without",
            Span::new(before.len(), length),
        )
    })
}

/// The byte offset of a control character inside a string. The parser stops at or shortly before it.
fn raw_control(text: &str, at: usize, error: &Error) -> Option<usize> {
    let is_in_a_string = error.to_string().starts_with("control character");
    let found = text.as_bytes()[at..]
        .iter()
        .position(u8::is_ascii_control)?;
    is_in_a_string.then_some(at + found)
}

fn is_after_the_value(text: &str, at: usize) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(&text[..at]).is_ok()
}

fn after_the_value(text: &str, at: usize) -> Fault {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with(['{', '[']) {
        return prose(text, start);
    }
    let rest = text[at..].trim_end();
    let place = Span::new(at, rest.len());
    let next = serde_json::Deserializer::from_str(rest)
        .into_iter::<serde::de::IgnoredAny>()
        .next();
    let is_value = rest.starts_with(['{', '[', '"']) && matches!(next, Some(Ok(_)));
    let is_comment = rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#');
    let (what, fix) = match rest.chars().next() {
        _ if is_value => ("is several JSON values", "return one object"),
        _ if is_comment => COMMENT,
        Some('}' | ']') => (
            "has one closing bracket too many",
            "close each bracket once",
        ),
        _ => ("has text after the JSON", "end with the closing brace"),
    };
    Fault::new(what, fix, place)
}

fn other(error: &Error, text: &str, at: usize, here: Span) -> Fault {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    if let Some(word) = unknown_word(message, text, at) {
        return word;
    }
    let rest = &text[at..];
    let begins_key = rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    let lacks_comma = message.starts_with("expected `,`");
    let is_after_a_string = text[..at].trim_end().ends_with('"');
    let (what, fix) = if message.contains("hex escape") {
        (
            "has half a surrogate pair in a string",
            "write the character itself or both halves",
        )
    } else if message.contains("key must be a string") && begins_key {
        ("has a key without quotes", "put keys in double quotes")
    } else if message.contains("escape") {
        (
            "has an escape in a string that JSON does not allow",
            "write a backslash as \\\\ and use the escapes of JSON: \\n, \\\", \\u0041",
        )
    } else if lacks_comma && is_after_a_string && rest.starts_with(char::is_alphanumeric) {
        (
            "has quotes inside a string that are not escaped",
            "write a quote in a string as \\\"",
        )
    } else if lacks_comma && rest.starts_with('"') {
        (
            "is missing a comma between two members",
            "add a comma there",
        )
    } else {
        let what = format!("is broken JSON ({})", escape::truncated(message));
        return Fault::new(what, "write it with a JSON library", here);
    };
    Fault::new(what, fix, here)
}
