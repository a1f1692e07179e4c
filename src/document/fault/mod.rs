//! Diagnoses text that is not JSON: what is wrong and how to fix it.

#[cfg(test)]
mod tests;

use std::str::Utf8Error;

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::document::error::{FormError, FormErrorKind};
use crate::document::extract::{
    Contents, ReturnShape, contents, end_of_json, ends_early, is_left_open, length_of_value, offset,
};
use crate::document::json::{Refused, read};
use crate::text::{Span, escape};

// What is wrong and, after a semicolon, how to fix it.
const CUT: &str = "is truncated: it ends before the JSON is complete; \
                   return the whole object, shorter if necessary, with no text around it";
const COMMENT: &str = "has a comment in it; remove the comments";

/// The fault in these words.
fn of(words: &'static str, place: Span) -> FormError {
    let (what, fix) = words.split_once("; ").unwrap_or((words, ""));
    FormError::new(FormErrorKind::JsonSyntax, what, fix, place)
}

/// The fault of bytes that are not UTF-8.
pub(crate) fn not_utf8(error: Utf8Error) -> FormError {
    let place = Span::new(error.valid_up_to(), error.error_len().unwrap_or(1));
    let fix = "write the return as UTF-8 text";
    FormError::new(FormErrorKind::NotUtf8, "is not valid UTF-8", fix, place)
}

/// Diagnoses why no return could be extracted. Text around a return is not an error here.
pub(crate) fn diagnose_inside(
    text: &str,
    contents: &Contents,
    error: &Error,
    shape: &ReturnShape<'_>,
) -> FormError {
    let (words, place) = match *contents {
        Contents::Several { second } => {
            ("contains more than one return; return only the final object, without drafts", second)
        }
        Contents::Inside { place } => (
            "contains an object only inside other JSON, a comment or a quotation; \
             return the object itself, outside of these",
            place,
        ),
        Contents::Broken { start } => {
            return match serde_json::from_str::<IgnoredAny>(&text[start..]) {
                Err(error) => inside(&text[start..], &error, shape).shifted(start),
                Ok(_) => diagnose(text, error, shape),
            };
        }
        Contents::Truncated { .. } | Contents::Nothing | Contents::One { .. } => {
            match opening(text) {
                Some((_, place)) if !matches!(contents, Contents::Truncated { .. }) => {
                    ("contains no JSON object; return one JSON object", place)
                }
                _ => return diagnose(text, error, shape),
            }
        }
    };
    of(words, place)
}

/// Diagnoses `text`, which the parser rejected with `error`.
pub(crate) fn diagnose(text: &str, error: &Error, shape: &ReturnShape<'_>) -> FormError {
    let start = start_of(text);
    let rest = &text[start..];
    if rest.is_empty() {
        return of("is empty; end with the return as the final message", Span::default());
    }
    if text.starts_with('\u{feff}') {
        let place = Span::new(0, rest.ceil_char_boundary(1));
        return of("starts with a byte-order mark; remove the byte-order mark", place);
    }
    if opening(text).is_none() && is_meant_as_json(rest) {
        return inside(text, error, shape);
    }
    around(text, shape)
}

/// The byte offset of the first character that is not white space.
fn start_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// What is wrong with a text that begins with a fence or a think block, and the bytes to report.
fn opening(text: &str) -> Option<(&'static str, Span)> {
    const THINK: &str = "<think";
    let start = start_of(text);
    let rest = &text[start..];
    if rest.starts_with("```") || rest.starts_with("~~~") {
        let line = rest.lines().next().unwrap_or(rest).trim_end();
        let words = "is inside a Markdown fence; remove the fence around it";
        return Some((words, Span::new(start, line.len())));
    }
    let words = "starts with a think block; remove the think block before it";
    rest.starts_with(THINK).then_some((words, Span::new(start, THINK.len())))
}

/// Whether a text begins as JSON does, or as what is taken for JSON: with a brace, a comment, or a list of values, which
/// is not a tag such as `[INFO]` or a checkbox.
fn is_meant_as_json(rest: &str) -> bool {
    let is_value = |inner: &str| {
        let is_first = |it: char| "{[\"]-'“".contains(it) || it.is_ascii_digit();
        let mut words = ["true", "false", "null", "NaN"].into_iter();
        inner.is_empty() || inner.starts_with(is_first) || words.any(|it| inner.starts_with(it))
    };
    let list = rest.strip_prefix('[').map(str::trim_start);
    ["{", "//", "/*"].iter().any(|it| rest.starts_with(it)) || list.is_some_and(is_value)
}

/// Diagnoses a text with or without JSON inside.
fn around(text: &str, shape: &ReturnShape<'_>) -> FormError {
    let start = start_of(text);
    let prose = "has prose around the JSON; return the JSON object alone, with no text around it";
    let (words, end) = match (contents(text, shape), opening(text)) {
        (Contents::Truncated { .. }, _) => return of(CUT, Span::new(end_of_json(text), 0)),
        (_, Some((words, place))) => return of(words, place),
        (Contents::Several { second }, _) => return of(prose, second),
        (Contents::One { place, .. } | Contents::Inside { place }, _) => (prose, place.start),
        (Contents::Broken { start }, _) => (prose, start),
        (Contents::Nothing, _) => {
            ("is plain text; return a JSON object instead of prose", text.len())
        }
    };
    of(words, Span::new(start, text[start..end].trim_end().len()))
}

/// The fault of a text that is meant as JSON, at the position where the parser stopped.
fn inside(text: &str, error: &Error, shape: &ReturnShape<'_>) -> FormError {
    let end = end_of_json(text);
    if error.is_eof() || ends_early(&text[..end]) {
        return of(CUT, Span::new(end, 0));
    }
    let at = offset(text, error);
    let (before, rest) = text.split_at(at);
    if serde_json::from_str::<IgnoredAny>(before).is_ok() {
        return after_the_value(text, at, shape);
    }
    if is_left_open(rest) {
        return of(CUT, Span::new(end, 0));
    }
    // The parser may have consumed the first letters of a word, and a sign.
    let word = before.trim_end_matches(|it: char| it.is_ascii_alphabetic() || it == '-').len();
    let mut numbers = ["NaN", "Infinity", "-Infinity"].into_iter();
    let before = before.trim_end();
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let mut place = Span::new(at, rest.ceil_char_boundary(1));
    let words = match rest.chars().next().unwrap_or_default() {
        _ if let Some(number) = numbers.find(|it| text[word..].starts_with(it)) => {
            place = Span::new(word, number.len());
            "has a number that JSON does not allow (NaN or Infinity); use a JSON value"
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
        first
            if first.is_alphanumeric()
                && before.ends_with('"')
                && message.starts_with("expected `,`") =>
        {
            "has quotes inside a string that are not escaped; write a quote in a string as \\\""
        }
        _ => {
            let what = format!("is broken JSON ({})", escape::truncated(message));
            let fix = "write it with a JSON library";
            return FormError::new(FormErrorKind::JsonSyntax, what, fix, place);
        }
    };
    of(words, place)
}

/// The fault of JSON that has half a surrogate pair in a string, at the first of them.
pub(crate) fn half_pair(text: &str) -> FormError {
    let at = match read(text) {
        Err(Refused::HalfPair(at)) => at,
        _ => 0,
    };
    let place = Span::new(at, text[at..].ceil_char_boundary(1));
    let words = "has half a surrogate pair in a string; write the character itself or both halves";
    of(words, place)
}

fn after_the_value(text: &str, at: usize, shape: &ReturnShape<'_>) -> FormError {
    if !text.trim_start().starts_with(['{', '[']) {
        return around(text, shape);
    }
    let rest = text[at..].trim_end();
    let words = match rest.as_bytes() {
        [b'{' | b'[' | b'"', ..] if length_of_value(rest).is_ok() => {
            "is several JSON values; return one object"
        }
        [b'/', b'/' | b'*', ..] | [b'#', ..] => COMMENT,
        _ => "has text after the JSON; end with the closing brace",
    };
    of(words, Span::new(at, rest.len()))
}
