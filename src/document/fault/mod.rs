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
                   return the whole object, shorter if necessary";
const COMMENT: &str = "has a comment in it; remove the comments";
const PLAIN: &str = "is plain text; return a JSON object instead of prose";

const UTF8: &str = "write the return as UTF-8 text";

/// The fault in these words.
fn of(words: &'static str, place: Span) -> FormError {
    let (what, fix) = words.split_once("; ").unwrap_or((words, ""));
    FormError::new(FormErrorKind::JsonSyntax, what, fix, place)
}

/// The fault of bytes that are not UTF-8.
pub(crate) fn not_utf8(bytes: &[u8], error: Utf8Error) -> FormError {
    let (what, place) = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        ("is UTF-16", Span::new(0, 2))
    } else {
        let length = error.error_len().unwrap_or(1);
        ("is not valid UTF-8", Span::new(error.valid_up_to(), length))
    };
    FormError::new(FormErrorKind::NotUtf8, what, UTF8, place)
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
    if rest.is_empty() {
        let words = match text {
            "" => "is empty; end with the return as the final message",
            _ => "contains only white space; end with the return as the final message",
        };
        return of(words, Span::default());
    }
    if text.starts_with('\u{feff}') {
        return of("starts with a byte-order mark; remove the byte-order mark", first);
    }
    if let Some((opening, place)) = opening(text) {
        let is_alone = place.end == text.trim_end().len();
        let is_cut = is_alone || matches!(contents(text, shape), Contents::Truncated { .. });
        let words = match opening {
            FENCE if is_cut => {
                "is truncated JSON in a Markdown fence; \
                 return the whole object, shorter if necessary, with no text around it"
            }
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

/// Whether a text begins as JSON does, or as what is taken for JSON: with a brace, a comment, or a list of values, which
/// is not a tag such as `[INFO]` or a checkbox.
fn is_meant_as_json(rest: &str) -> bool {
    let is_value = |inner: &str| {
        let is_first = |it: char| "{[\"]-'“".contains(it) || it.is_ascii_digit();
        let mut words = ["true", "false", "null"].into_iter();
        let mut others = ["None", "True", "False", "undefined"].into_iter();
        let ends = |it: &str| it.starts_with([',', ']']);
        inner.is_empty()
            || inner.starts_with(is_first)
            || odd_number(inner).is_some()
            || words.any(|word| inner.starts_with(word))
            || others.any(|word| inner.strip_prefix(word).is_some_and(ends))
    };
    let list = rest.strip_prefix('[').map(str::trim_start);
    ["{", "//", "/*"].iter().any(|it| rest.starts_with(it)) || list.is_some_and(is_value)
}

/// Finds a number at the start that JSON does not allow.
fn odd_number(rest: &str) -> Option<&'static str> {
    let goes_on = |next: char| next.is_alphanumeric() || next == ' ';
    let mut numbers = ["NaN", "Infinity", "-Infinity"].into_iter();
    numbers.find(|it| {
        let after = rest.strip_prefix(it);
        after.is_some_and(|after| !after.starts_with(goes_on))
    })
}

/// Diagnoses prose, with or without JSON inside.
fn prose(text: &str, start: usize, shape: &ReturnShape<'_>) -> FormError {
    let around = "has prose around the JSON; return the JSON object alone, with no text around it";
    let (words, end) = match contents(text, shape) {
        Contents::One { place, .. } | Contents::Inside { place } => (around, place.start),
        Contents::Several { second } => return of(around, second),
        Contents::Broken { start } => (around, start),
        Contents::Truncated { start } => (
            "is prose with truncated JSON in it; \
             return the whole object, shorter if necessary, with no text around it",
            start,
        ),
        Contents::Nothing => (PLAIN, text.len()),
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
    // The parser may have consumed the first letters of a word, and a sign.
    let is_letter = |it: char| it.is_ascii_alphabetic();
    let word_start = before.trim_end_matches(is_letter).len();
    for start in [word_start.saturating_sub(1), word_start, at] {
        if let Some(word) = text.get(start..).and_then(odd_number) {
            let words = "has a number that JSON does not allow (NaN or Infinity); use a JSON value";
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
            "has a word that is not a JSON value; \
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
