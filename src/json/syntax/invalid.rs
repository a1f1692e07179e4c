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
    match first {
        '/' | '#' => Fault::new("has a comment in it", "remove the comments", here),
        '\'' => Fault::new(
            "has single quotes for strings",
            "put strings in double quotes",
            here,
        ),
        '“' | '”' | '„' | '‘' | '’' => Fault::new(
            "has typographic quotes for strings",
            "put strings in plain double quotes",
            here,
        ),
        '}' | ']' if text[..at].trim_end().ends_with(',') => {
            let comma = text[..at].trim_end().len() - 1;
            Fault::new(
                "has a trailing comma",
                "remove the comma before the closing bracket",
                Span::new(comma, 1),
            )
        }
        _ => other(error, text, at, here),
    }
}

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
    if rest.starts_with(['{', '[', '"']) && matches!(next, Some(Ok(_))) {
        return Fault::new("is several JSON values", "return one object", place);
    }
    if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') {
        return Fault::new("has a comment in it", "remove the comments", place);
    }
    if rest.starts_with(['}', ']']) {
        return Fault::new(
            "has one closing bracket too many",
            "close each bracket once",
            place,
        );
    }
    Fault::new(
        "has text after the JSON",
        "end with the closing brace",
        place,
    )
}

fn other(error: &Error, text: &str, at: usize, here: Span) -> Fault {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    if let Some(word) = unknown_word(message, text, at) {
        return word;
    }
    if message.contains("hex escape") {
        return Fault::new(
            "has half a surrogate pair in a string",
            "write the character itself or both halves",
            here,
        );
    }
    if message.contains("key must be a string")
        && text[at..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
    {
        return Fault::new(
            "has a key without quotes",
            "put keys in double quotes",
            here,
        );
    }
    if message.contains("escape") {
        return Fault::new(
            "has an escape in a string that JSON does not allow",
            "write a backslash as \\\\ and use the escapes of JSON: \\n, \\\", \\u0041",
            here,
        );
    }
    let is_after_a_string = text[..at].trim_end().ends_with('"');
    if message.starts_with("expected `,`")
        && is_after_a_string
        && text[at..].starts_with(char::is_alphanumeric)
    {
        return Fault::new(
            "has quotes inside a string that are not escaped",
            "write a quote in a string as \\\"",
            here,
        );
    }
    if text[at..].starts_with('"') && message.starts_with("expected `,`") {
        return Fault::new(
            "is missing a comma between two members",
            "add a comma there",
            here,
        );
    }
    Fault::new(
        format!("is broken JSON ({})", escape::truncated(message)),
        "write it with a JSON library",
        here,
    )
}
