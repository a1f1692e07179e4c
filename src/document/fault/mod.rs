//! Diagnoses text that is not JSON: what is wrong and how to fix it.

#[cfg(test)]
mod tests;

use std::str::{Utf8Error, from_utf8};

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::document::clues::{end_of_json, ends_early, is_left_open, length_of_value, offset};
use crate::document::extract::{Contents, contents};
use crate::document::tokens::Walker;
use crate::text::{Span, escape};

/// A reason why a return is not exactly one JSON value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What is wrong, to follow "the return …".
    pub(crate) what: String,
    /// How to fix it, to follow "Fix the agent return format: …".
    pub(crate) fix: &'static str,
    /// The bytes to report.
    pub(crate) place: Span,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>, fix: &'static str, place: Span) -> Self {
        Self {
            what: what.into(),
            fix,
            place,
        }
    }

    /// `words` are what is wrong and, after a semicolon, how to fix it.
    fn of(words: &'static str, place: Span) -> Self {
        let (what, fix) = words.split_once("; ").unwrap_or((words, ""));
        Self::new(what, fix, place)
    }

    /// JSON that is truncated here.
    fn truncated(end: usize) -> Self {
        let what = "is truncated: it ends before the JSON is complete";
        let fix = "return the whole object, shorter if necessary";
        Self::new(what, fix, Span::new(end, 0))
    }
}

const UTF8: &str = "write the return as UTF-8 text";
const ALONE: &str = "return the JSON object alone, with no text around it";
/// The fix for JSON that is truncated and also has text around it.
const WHOLE: &str = "return the whole object, shorter if necessary, with no text around it";
const COMMENT: &str = "has a comment in it; remove the comments";

/// The fault of bytes that are not UTF-8.
pub(crate) fn not_utf8(bytes: &[u8], error: Utf8Error) -> Fault {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Fault::new("is UTF-16", UTF8, Span::new(0, 2));
    }
    let (before, rest) = bytes.split_at(error.valid_up_to());
    let (half, after) = rest.split_at(error.error_len().unwrap_or(rest.len()));
    // JSON may be cut off inside a character.
    let is_half = from_utf8(half).is_err_and(|error| error.error_len().is_none());
    let is_end = from_utf8(after).is_ok_and(|after| end_of_json(after) == 0);
    if is_half && is_end && from_utf8(before).is_ok_and(is_truncated) {
        return Fault::truncated(before.len());
    }
    let place = Span::new(before.len(), error.error_len().unwrap_or(1));
    Fault::new("is not valid UTF-8", UTF8, place)
}

fn is_truncated(text: &str) -> bool {
    matches!(contents(text), Contents::Truncated { .. })
}

/// Diagnoses why no return could be extracted from `text`, which the parser rejected with `error`.
/// Text around a return is not an error here.
pub(crate) fn diagnose_inside(text: &str, contents: &Contents, error: &Error) -> Fault {
    match *contents {
        Contents::Several { second } => {
            let fix = "return only the final object, without drafts";
            Fault::new("contains more than one return", fix, second)
        }
        Contents::Inside { place } => {
            let fix = "return the object itself, not in a list or another object";
            Fault::new("contains an object only inside other JSON", fix, place)
        }
        Contents::Cited { place } => {
            let what = "contains an object only in a comment, an example or a quotation";
            Fault::new(what, "return the object itself, outside of these", place)
        }
        Contents::Truncated { .. } => Fault::truncated(end_of_json(text)),
        Contents::Broken { start } => match serde_json::from_str::<IgnoredAny>(&text[start..]) {
            Ok(_) => diagnose(text, error),
            Err(error) => {
                let mut fault = inside(&text[start..], &error);
                fault.place.start += start;
                fault.place.end += start;
                fault
            }
        },
        Contents::Nothing | Contents::One { .. } => match opening(text) {
            Some((Opening::Fence | Opening::Thoughts, place)) => {
                Fault::new("contains no JSON object", "return one JSON object", place)
            }
            Some((Opening::EmptyFence, place)) => Fault::truncated(place.end),
            Some((Opening::EndlessThoughts, _)) | None => diagnose(text, error),
        },
    }
}

/// Diagnoses `text`, which the parser rejected with `error`.
pub(crate) fn diagnose(text: &str, error: &Error) -> Fault {
    let start = start_of(text);
    let rest = &text[start..];
    if rest.is_empty() {
        let what = match text {
            "" => "is empty",
            _ => "contains only white space",
        };
        let fix = "end with the return as the final message";
        return Fault::new(what, fix, Span::default());
    }
    let first = Span::new(start, rest.ceil_char_boundary(1));
    if text.starts_with('\u{feff}') {
        let fix = "remove the byte-order mark";
        return Fault::new("starts with a byte-order mark", fix, first);
    }
    if let Some((opening, place)) = opening(text) {
        let (what, fix) = match opening {
            Opening::EndlessThoughts => (
                "is truncated: it ends inside a think block",
                "close the think block and return the whole object",
            ),
            Opening::Thoughts if is_truncated(text) => {
                ("is truncated JSON after a think block", WHOLE)
            }
            Opening::Thoughts => (
                "starts with a think block",
                "remove the think block before it",
            ),
            Opening::Fence if !is_truncated(text) => {
                ("is inside a Markdown fence", "remove the fence around it")
            }
            Opening::Fence | Opening::EmptyFence => {
                ("is truncated JSON in a Markdown fence", WHOLE)
            }
        };
        return Fault::new(what, fix, place);
    }
    if rest.chars().take(4).any(|character| character == '\0') {
        return Fault::new("is UTF-16 or binary", UTF8, first);
    }
    let is_comment = rest.starts_with("//") || rest.starts_with("/*");
    let is_word = literal(rest).is_some_and(|word| word == rest.trim_end());
    if rest.starts_with('{') || starts_a_list(rest) || is_comment || is_word {
        inside(text, error)
    } else {
        prose(text, start)
    }
}

/// The byte offset of the first character that is not white space.
fn start_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// What a text can begin with that is not JSON.
enum Opening {
    Fence,
    EmptyFence,
    Thoughts,
    EndlessThoughts,
}

/// How `text` begins, and the bytes to report.
fn opening(text: &str) -> Option<(Opening, Span)> {
    const THINK: &str = "<think";
    let start = start_of(text);
    let rest = text[start..].trim_end();
    let is_fence = rest.starts_with("```") || rest.starts_with("~~~");
    let line = rest.lines().next().unwrap_or(rest).trim_end();
    let (opening, length) = match rest.strip_prefix(THINK) {
        _ if is_fence && line == rest => (Opening::EmptyFence, line.len()),
        _ if is_fence => (Opening::Fence, line.len()),
        Some(thoughts) if thoughts.contains("</think") => (Opening::Thoughts, THINK.len()),
        Some(_) => (Opening::EndlessThoughts, THINK.len()),
        None => return None,
    };
    Some((opening, Span::new(start, length)))
}

/// Whether a bracket opens a list of values, not a tag such as `[INFO]` or a checkbox.
fn starts_a_list(rest: &str) -> bool {
    let Some(inner) = rest.strip_prefix('[').map(str::trim_start) else {
        return false;
    };
    let is_value = |first: char| "{[\"]-'“".contains(first) || first.is_ascii_digit();
    let mut words = ["true", "false", "null"].into_iter();
    inner.is_empty()
        || inner.starts_with(is_value)
        || words.any(|word| inner.starts_with(word))
        || literal(inner).is_some()
}

/// Finds a literal of another language at the start, such as `None` or `NaN`.
fn literal(rest: &str) -> Option<&'static str> {
    let goes_on = |next: char| next.is_alphanumeric() || next == ' ';
    let is_here = |word: &&str| {
        let after = rest.strip_prefix(word);
        after.is_some_and(|after| !after.starts_with(goes_on))
    };
    let numbers = ["NaN", "Infinity", "-Infinity"].into_iter();
    numbers
        .chain(["None", "True", "False", "undefined"])
        .find(is_here)
}

/// Diagnoses prose, with or without JSON inside.
fn prose(text: &str, start: usize) -> Fault {
    let before = |end: usize| Span::new(start, text[start..end].trim_end().len());
    let (what, fix, place) = match contents(text) {
        Contents::One { place, .. } | Contents::Inside { place } | Contents::Cited { place } => {
            ("has prose around the JSON", ALONE, before(place.start))
        }
        Contents::Several { second } => ("is prose with several JSON objects in it", ALONE, second),
        Contents::Truncated { start } => {
            ("is prose with truncated JSON in it", WHOLE, before(start))
        }
        Contents::Broken { start } => ("is prose with broken JSON in it", ALONE, before(start)),
        Contents::Nothing => {
            let fix = "return a JSON object instead of prose";
            ("is plain text", fix, before(text.len()))
        }
    };
    Fault::new(what, fix, place)
}

/// The fault of a text that is meant as JSON, at the position where the parser stopped.
fn inside(text: &str, error: &Error) -> Fault {
    let end = end_of_json(text);
    if error.is_eof() || ends_early(&text[..end]) {
        return Fault::truncated(end);
    }
    let at = offset(text, error);
    let (before, rest) = text.split_at(at);
    // The parser may have consumed the first letters of a word, and a sign.
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    let word_start = before.trim_end_matches(is_letter).len();
    for start in [word_start.saturating_sub(1), word_start, at] {
        if let Some(word) = text.get(start..).and_then(literal) {
            let what = match word {
                "NaN" | "Infinity" | "-Infinity" => {
                    "has a number that JSON does not allow (NaN or Infinity)"
                }
                _ => "has a Python or JavaScript value (JSON has true, false and null)",
            };
            return Fault::new(what, "use a JSON value", Span::new(start, word.len()));
        }
    }
    if serde_json::from_str::<IgnoredAny>(before).is_ok() {
        return after_the_value(text, at);
    }
    if is_left_open(rest) {
        return Fault::truncated(end);
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let first = rest.chars().next().unwrap_or_default();
    let before = before.trim_end();
    let lacks_comma = message.starts_with("expected `,`");
    let mut place = Span::new(at, rest.ceil_char_boundary(1));
    let words = match first {
        // The parser stops at the character or shortly before it.
        _ if message.starts_with("control character")
            && let Some(found) = rest.find(|it: char| it.is_ascii_control()) =>
        {
            place = Span::new(at + found, 1);
            "has a raw control character in a string; \
             escape line breaks and tabs in strings, such as \\n"
        }
        '/' | '#' => COMMENT,
        '\'' => "has single quotes for strings; put strings in double quotes",
        '“' | '”' | '„' | '‘' | '’' => {
            "has typographic quotes for strings; put strings in plain double quotes"
        }
        '}' | ']' if let Some(list) = before.strip_suffix(',') => {
            place = Span::new(list.len(), 1);
            "has a trailing comma; remove the comma before the closing bracket"
        }
        _ if ["expected ident", "expected value"].contains(&message)
            && text[word_start..].starts_with(char::is_alphabetic) =>
        {
            let word = &text[word_start..];
            let end = word.find(|it: char| !it.is_alphanumeric() && it != '_');
            place = Span::new(word_start, end.unwrap_or(word.len()));
            "has a word that is no JSON value; \
             put text in double quotes: only true, false, null and numbers go without"
        }
        _ if message.contains("key must be a string")
            && (first.is_alphanumeric() || first == '_') =>
        {
            "has a key without quotes; put keys in double quotes"
        }
        _ if message.contains("escape") => {
            "has an escape in a string that JSON does not allow; \
             write a backslash as \\\\ and use the escapes of JSON: \\n, \\\", \\u0041"
        }
        _ if lacks_comma && before.ends_with('"') && first.is_alphanumeric() => {
            "has quotes inside a string that are not escaped; write a quote in a string as \\\""
        }
        '"' if lacks_comma => "is missing a comma between two members; add a comma there",
        _ => {
            let what = format!("is broken JSON ({})", escape::truncated(message));
            return Fault::new(what, "write it with a JSON library", place);
        }
    };
    Fault::of(words, place)
}

/// The fault of JSON that has half a surrogate pair in a string, at the first of them.
pub(crate) fn half_pair(text: &str) -> Fault {
    let place = Walker::new(text).find_map(|(_, place)| {
        let raw = text.get(place.start..place.end)?;
        let error = serde_json::from_str::<String>(raw).err();
        let at = offset(raw, &error.filter(|_| raw.starts_with('"'))?);
        let length = raw[at..].ceil_char_boundary(1);
        Some(Span::new(place.start + at, length))
    });
    let what = "has half a surrogate pair in a string";
    let fix = "write the character itself or both halves";
    Fault::new(what, fix, place.unwrap_or_default())
}

fn after_the_value(text: &str, at: usize) -> Fault {
    let start = start_of(text);
    if !text[start..].starts_with(['{', '[']) {
        return prose(text, start);
    }
    let rest = text[at..].trim_end();
    let words = match rest.as_bytes() {
        [b'{' | b'[' | b'"', ..] if length_of_value(rest).is_ok() => {
            "is several JSON values; return one object"
        }
        [b'/', b'/' | b'*', ..] | [b'#', ..] => COMMENT,
        [b'}' | b']', ..] => "has one closing bracket too many; close each bracket once",
        _ => "has text after the JSON; end with the closing brace",
    };
    Fault::of(words, Span::new(at, rest.len()))
}
