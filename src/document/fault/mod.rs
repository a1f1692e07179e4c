//! Diagnoses text that is not JSON: what is wrong and how to fix it.

#[cfg(test)]
mod tests;

use std::str::{Utf8Error, from_utf8};

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
                   return the whole object, shorter if necessary";
const CUT_IN_FENCE: &str = "is truncated JSON in a Markdown fence; \
                            return the whole object, shorter if necessary, with no text around it";
const COMMENT: &str = "has a comment in it; remove the comments";

const UTF8: &str = "write the return as UTF-8 text";

/// The fault in these words.
fn of(words: &'static str, place: Span) -> FormError {
    let (what, fix) = words.split_once("; ").unwrap_or((words, ""));
    FormError::new(FormErrorKind::JsonSyntax, what, fix, place)
}

/// The fault of bytes that are not UTF-8.
pub(crate) fn not_utf8(bytes: &[u8], error: Utf8Error) -> FormError {
    let not_utf8 = |what, place| FormError::new(FormErrorKind::NotUtf8, what, UTF8, place);
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return not_utf8("is UTF-16", Span::new(0, 2));
    }
    let (before, rest) = bytes.split_at(error.valid_up_to());
    let (half, after) = rest.split_at(error.error_len().unwrap_or(rest.len()));
    // JSON may be cut off inside a character.
    let is_half = from_utf8(half).is_err_and(|error| error.error_len().is_none());
    let is_end = from_utf8(after).is_ok_and(|after| end_of_json(after) == 0);
    if is_half
        && is_end
        && from_utf8(before).is_ok_and(|it| is_truncated(it, &ReturnShape::default()))
    {
        return of(CUT, Span::new(before.len(), 0));
    }
    let length = error.error_len().unwrap_or(1);
    not_utf8("is not valid UTF-8", Span::new(before.len(), length))
}

fn is_truncated(text: &str, shape: &ReturnShape<'_>) -> bool {
    matches!(contents(text, shape), Contents::Truncated { .. })
}

/// Diagnoses why no return could be extracted from `text`, which the parser rejected with `error`.
/// Text around a return is not an error here.
pub(crate) fn diagnose_inside(
    text: &str,
    contents: &Contents,
    error: &Error,
    shape: &ReturnShape<'_>,
) -> FormError {
    let (words, place) = match *contents {
        Contents::Several { second } => (
            "contains more than one return; return only the final object, without drafts",
            second,
        ),
        Contents::Inside { place } => (
            "contains an object only inside other JSON, a comment or a quotation; \
             return the object itself, outside of these",
            place,
        ),
        Contents::Truncated { .. } => (CUT, Span::new(end_of_json(text), 0)),
        Contents::Broken { start } => {
            return match serde_json::from_str::<IgnoredAny>(&text[start..]) {
                Err(error) => inside(&text[start..], &error, shape).shifted(start),
                Ok(_) => diagnose(text, error, shape),
            };
        }
        Contents::Nothing | Contents::One { .. } => match opening(text) {
            Some((FENCE, place)) if place.end == text.trim_end().len() => {
                (CUT, Span::new(place.end, 0))
            }
            Some((_, place)) if !ends_in_thought(text) => {
                ("contains no JSON object; return one JSON object", place)
            }
            _ => return diagnose(text, error, shape),
        },
    };
    of(words, place)
}

/// Diagnoses `text`, which the parser rejected with `error`.
pub(crate) fn diagnose(text: &str, error: &Error, shape: &ReturnShape<'_>) -> FormError {
    let start = start_of(text);
    let rest = &text[start..];
    let first = Span::new(start, rest.ceil_char_boundary(1));
    if text.is_empty() {
        let words = "is empty; end with the return as the final message";
        return of(words, Span::default());
    }
    if rest.is_empty() {
        let words = "contains only white space; end with the return as the final message";
        return of(words, Span::default());
    }
    if text.starts_with('\u{feff}') {
        let words = "starts with a byte-order mark; remove the byte-order mark";
        return of(words, first);
    }
    if let Some((opening, place)) = opening(text) {
        let is_alone = place.end == text.trim_end().len();
        let is_cut = is_alone || is_truncated(text, shape);
        let words = match opening {
            FENCE if is_cut => CUT_IN_FENCE,
            FENCE => "is inside a Markdown fence; remove the fence around it",
            _ if ends_in_thought(text) => {
                "is truncated: it ends inside a think block; \
                 close the think block and return the whole object"
            }
            _ if is_cut => {
                "is truncated JSON after a think block; \
                 return the whole object, shorter if necessary, with no text around it"
            }
            _ => "starts with a think block; remove the think block before it",
        };
        return of(words, place);
    }
    if rest.chars().take(4).any(|character| character == '\0') {
        let (kind, what) = (FormErrorKind::JsonSyntax, "is UTF-16 or binary");
        return FormError::new(kind, what, UTF8, first);
    }
    if is_meant_as_json(rest) {
        return inside(text, error, shape);
    }
    prose(text, start, shape)
}

/// The byte offset of the first character that is not white space.
fn start_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// What a text can begin with that is not JSON: a fence, or a think block.
const FENCE: &str = "```";
const THINK: &str = "<think";

/// How a text begins, and the bytes to report.
fn opening(text: &str) -> Option<(&'static str, Span)> {
    let start = start_of(text);
    let rest = &text[start..];
    if rest.starts_with(FENCE) || rest.starts_with("~~~") {
        let line = rest.lines().next().unwrap_or(rest).trim_end();
        return Some((FENCE, Span::new(start, line.len())));
    }
    let place = Span::new(start, THINK.len());
    rest.starts_with(THINK).then_some((THINK, place))
}

/// Whether a text begins with a think block that does not end.
fn ends_in_thought(text: &str) -> bool {
    text.trim_start().starts_with(THINK) && !text.contains("</think")
}

/// Whether a text begins as JSON does, or as what is taken for JSON: with a brace, a list of values (not a tag such
/// as `[INFO]` or a checkbox), or a comment. Or it is nothing but a word such as `None`.
fn is_meant_as_json(rest: &str) -> bool {
    let is_value = |inner: &str| {
        let is_first = |it: char| "{[\"]-'“".contains(it) || it.is_ascii_digit();
        let words = ["true", "false", "null"];
        inner.is_empty()
            || inner.starts_with(is_first)
            || words.iter().any(|word| inner.starts_with(word))
            || literal(inner).is_some()
    };
    let list = rest.strip_prefix('[').map(str::trim_start);
    rest.starts_with('{')
        || ["//", "/*"].iter().any(|it| rest.starts_with(it))
        || list.is_some_and(is_value)
        || literal(rest).is_some_and(|word| word == rest.trim_end())
}

/// Finds a literal of another language at the start, such as `None` or `NaN`.
fn literal(rest: &str) -> Option<&'static str> {
    let goes_on = |next: char| next.is_alphanumeric() || next == ' ';
    let is_here = |word: &&str| {
        let after = rest.strip_prefix(word);
        after.is_some_and(|after| !after.starts_with(goes_on))
    };
    let words = [
        "NaN",
        "Infinity",
        "-Infinity",
        "None",
        "True",
        "False",
        "undefined",
    ];
    words.into_iter().find(is_here)
}

/// Diagnoses prose, with or without JSON inside.
fn prose(text: &str, start: usize, shape: &ReturnShape<'_>) -> FormError {
    let before = |end: usize| Span::new(start, text[start..end].trim_end().len());
    let (words, place) = match contents(text, shape) {
        Contents::One { place, .. } | Contents::Inside { place } => (
            "has prose around the JSON; return the JSON object alone, with no text around it",
            before(place.start),
        ),
        Contents::Several { second } => (
            "is prose with several JSON objects in it; \
             return the JSON object alone, with no text around it",
            second,
        ),
        Contents::Truncated { start } => (
            "is prose with truncated JSON in it; \
             return the whole object, shorter if necessary, with no text around it",
            before(start),
        ),
        Contents::Broken { start } => (
            "is prose with broken JSON in it; \
             return the JSON object alone, with no text around it",
            before(start),
        ),
        Contents::Nothing => (
            "is plain text; return a JSON object instead of prose",
            before(text.len()),
        ),
    };
    of(words, place)
}

/// The fault of a text that is meant as JSON, at the position where the parser stopped.
fn inside(text: &str, error: &Error, shape: &ReturnShape<'_>) -> FormError {
    let end = end_of_json(text);
    if error.is_eof() || ends_early(&text[..end]) {
        return of(CUT, Span::new(end, 0));
    }
    let at = offset(text, error);
    let (before, rest) = text.split_at(at);
    // The parser may have consumed the first letters of a word, and a sign.
    let word_start = before
        .trim_end_matches(|it: char| it.is_ascii_alphabetic())
        .len();
    for start in [word_start.saturating_sub(1), word_start, at] {
        if let Some(word) = text.get(start..).and_then(literal) {
            let words = if word == "NaN" || word.ends_with("Infinity") {
                "has a number that JSON does not allow (NaN or Infinity); use a JSON value"
            } else {
                "has a Python or JavaScript value (JSON has true, false and null); use a JSON value"
            };
            return of(words, Span::new(start, word.len()));
        }
    }
    if serde_json::from_str::<IgnoredAny>(before).is_ok() {
        return after_the_value(text, at, shape);
    }
    if is_left_open(rest) {
        return of(CUT, Span::new(end, 0));
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
    let start = start_of(text);
    if !text[start..].starts_with(['{', '[']) {
        return prose(text, start, shape);
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
    of(words, Span::new(at, rest.len()))
}
