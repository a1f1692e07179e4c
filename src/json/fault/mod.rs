//! Diagnoses text that is not JSON: what is wrong and how to fix it.

#[cfg(test)]
mod tests;

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::json::clues::{before_incomplete_char, end_of_json, is_cut_off, is_left_open, offset};
use crate::json::extract::{Contents, contents};
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

    /// JSON that is truncated here.
    fn truncated(end: usize) -> Self {
        Self::new(
            "is truncated: it ends before the JSON is complete",
            "return the whole object, shorter if necessary",
            Span::new(end, 0),
        )
    }
}

/// The fault of bytes that are not UTF-8.
pub(crate) fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> Fault {
    let fix = "write the return as UTF-8 text";
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Fault::new("is UTF-16", fix, Span::new(0, 2));
    }
    let cut = before_incomplete_char(bytes, error).map(contents);
    if let Some(Contents::Truncated { .. }) = cut {
        return Fault::truncated(error.valid_up_to());
    }
    let place = Span::new(error.valid_up_to(), error.error_len().unwrap_or(1));
    Fault::new("is not valid UTF-8", fix, place)
}

/// Diagnoses `text`, which the parser rejected with `error`.
pub(crate) fn diagnose(text: &str, error: &Error) -> Fault {
    if text.trim_start().is_empty() {
        let what = match text {
            "" => "is empty",
            _ => "contains only white space",
        };
        let fix = "end with the return as the final message";
        return Fault::new(what, fix, Span::default());
    }
    if text.starts_with('\u{feff}') {
        let fix = "remove the byte-order mark";
        return Fault::new("starts with a byte-order mark", fix, Span::new(0, 3));
    }
    if let Some(opening) = Opening::of(text) {
        return opening.fault(text);
    }
    at_the_start(text, white_space(text)).unwrap_or_else(|| inside(text, error))
}

/// Diagnoses why no return could be extracted from `text`, which the parser rejected with `error`.
/// Text around a return is not an error here.
pub(crate) fn diagnose_inside(text: &str, contents: &Contents, error: &Error) -> Fault {
    match *contents {
        Contents::Several { second } => Fault::new(
            "contains more than one return",
            "return only the final object, without drafts",
            second,
        ),
        Contents::Inside { place } => Fault::new(
            "contains an object only inside other JSON",
            "return the object itself, not in a list or another object",
            place,
        ),
        Contents::Cited { place } => Fault::new(
            "contains an object only in a comment, an example or a quotation",
            "return the object itself, outside of these",
            place,
        ),
        Contents::Truncated { .. } => Fault::truncated(end_of_json(text)),
        Contents::Broken { start } => broken(text, start, error),
        Contents::Nothing | Contents::One { .. } => match Opening::of(text) {
            Some(Opening::Fence(place) | Opening::Thoughts(place)) => {
                Fault::new("contains no JSON object", "return one JSON object", place)
            }
            Some(Opening::EndlessFence(place)) => Fault::truncated(place.end),
            Some(Opening::EndlessThoughts(_)) | None => diagnose(text, error),
        },
    }
}

/// What is wrong with the JSON that begins at `start`.
fn broken(text: &str, start: usize, error: &Error) -> Fault {
    let rest = &text[start..];
    match serde_json::from_str::<IgnoredAny>(rest) {
        Ok(_) => diagnose(text, error),
        Err(error) => {
            let fault = inside(rest, &error);
            let place = Span {
                start: start + fault.place.start,
                end: start + fault.place.end,
            };
            Fault { place, ..fault }
        }
    }
}

/// The fix for JSON that is truncated and also has text around it.
const WHOLE_AND_ALONE: &str =
    "return the whole object, shorter if necessary, with no text around it";

fn white_space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// A known beginning of a text that is not JSON.
enum Opening {
    Fence(Span),
    /// An empty fence.
    EndlessFence(Span),
    Thoughts(Span),
    EndlessThoughts(Span),
}

impl Opening {
    fn of(text: &str) -> Option<Self> {
        let start = white_space(text);
        let rest = &text[start..];
        if rest.starts_with("```") || rest.starts_with("~~~") {
            let line = rest.lines().next().unwrap_or(rest);
            let place = Span::new(start, line.trim_end().len());
            let is_empty = rest[line.len()..].trim_start().is_empty();
            return Some(if is_empty {
                Self::EndlessFence(place)
            } else {
                Self::Fence(place)
            });
        }
        let place = Span::new(start, "<think".len());
        rest.starts_with("<think").then(|| {
            if rest.contains("</think") {
                Self::Thoughts(place)
            } else {
                Self::EndlessThoughts(place)
            }
        })
    }

    /// The error for a reader that accepts only JSON.
    fn fault(self, text: &str) -> Fault {
        const CUT_FENCE: &str = "is truncated JSON in a Markdown fence";
        let is_truncated = || matches!(contents(text), Contents::Truncated { .. });
        let (what, fix, place) = match self {
            Self::EndlessThoughts(place) => (
                "is truncated: it ends inside a think block",
                "close the think block and return the whole object",
                place,
            ),
            Self::EndlessFence(place) => (CUT_FENCE, WHOLE_AND_ALONE, place),
            Self::Fence(place) if is_truncated() => (CUT_FENCE, WHOLE_AND_ALONE, place),
            Self::Thoughts(place) if is_truncated() => (
                "is truncated JSON after a think block",
                WHOLE_AND_ALONE,
                place,
            ),
            Self::Fence(place) => (
                "is inside a Markdown fence",
                "remove the fence around it",
                place,
            ),
            Self::Thoughts(place) => (
                "starts with a think block",
                "remove the think block before it",
                place,
            ),
        };
        Fault::new(what, fix, place)
    }
}

/// The fault that the first characters show, if they do not begin JSON.
fn at_the_start(text: &str, start: usize) -> Option<Fault> {
    let rest = &text[start..];
    if rest.chars().take(4).any(|character| character == '\0') {
        return Some(Fault::new(
            "is UTF-16 or binary",
            "write the return as UTF-8 text",
            Span::new(start, rest.ceil_char_boundary(1)),
        ));
    }
    let is_comment = rest.starts_with("//") || rest.starts_with("/*");
    let is_word = literal(rest).is_some_and(|(_, length)| length == rest.trim_end().len());
    let is_meant_as_json = rest.starts_with('{') || starts_a_list(rest) || is_comment || is_word;
    (!is_meant_as_json).then(|| prose(text, start))
}

/// Whether a bracket opens a list of values, not a tag such as `[INFO]` or a checkbox.
fn starts_a_list(rest: &str) -> bool {
    let Some(inner) = rest.strip_prefix('[') else {
        return false;
    };
    let inner = inner.trim_start();
    let is_value = |first: char| "{[\"]-'“".contains(first) || first.is_ascii_digit();
    let words = ["true", "false", "null"];
    inner.is_empty()
        || inner.starts_with(is_value)
        || words.iter().any(|word| inner.starts_with(word))
        || literal(inner).is_some()
}

/// Diagnoses prose, with or without JSON inside.
fn prose(text: &str, start: usize) -> Fault {
    const ALONE: &str = "return the JSON object alone, with no text around it";
    let before = |end: usize| Span {
        start,
        end: start + text[start..end].trim_end().len(),
    };
    match contents(text) {
        Contents::One { place, .. } | Contents::Inside { place } | Contents::Cited { place } => {
            Fault::new("has prose around the JSON", ALONE, before(place.start))
        }
        Contents::Several { second } => {
            Fault::new("is prose with several JSON objects in it", ALONE, second)
        }
        Contents::Truncated { start: cut } => Fault::new(
            "is prose with truncated JSON in it",
            WHOLE_AND_ALONE,
            before(cut),
        ),
        Contents::Broken { start: broken } => {
            Fault::new("is prose with broken JSON in it", ALONE, before(broken))
        }
        Contents::Nothing => Fault::new(
            "is plain text",
            "return a JSON object instead of prose",
            before(text.len()),
        ),
    }
}

/// Finds a literal of another language at the start, such as `None` or `NaN`. Returns what is wrong, and
/// its length in bytes.
fn literal(rest: &str) -> Option<(&'static str, usize)> {
    const NOT_A_NUMBER: &str = "has a number that JSON does not allow (NaN or Infinity)";
    const PYTHON: &str = "has a Python or JavaScript value (JSON has true, false and null)";
    const WORDS: [(&str, &str); 7] = [
        ("NaN", NOT_A_NUMBER),
        ("Infinity", NOT_A_NUMBER),
        ("-Infinity", NOT_A_NUMBER),
        ("None", PYTHON),
        ("True", PYTHON),
        ("False", PYTHON),
        ("undefined", PYTHON),
    ];
    WORDS.iter().find_map(|(word, what)| {
        let after = rest.strip_prefix(word)?;
        let ends = !after.starts_with(|next: char| next.is_alphanumeric() || next == ' ');
        ends.then_some((*what, word.len()))
    })
}

/// The fault at the position where the parser stopped.
fn inside(text: &str, error: &Error) -> Fault {
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
    serde_json::from_str::<IgnoredAny>(&text[..at]).is_ok()
}

fn after_the_value(text: &str, at: usize) -> Fault {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with(['{', '[']) {
        return prose(text, start);
    }
    let rest = text[at..].trim_end();
    let place = Span::new(at, rest.len());
    let next = serde_json::Deserializer::from_str(rest)
        .into_iter::<IgnoredAny>()
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
