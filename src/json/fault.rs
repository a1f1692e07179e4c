//! What a text that is not JSON is instead, where that shows, and what its author must do.

use serde_json::Error;

use super::extract::{Contents, contents};
use super::syntax::inside;
use crate::text::Span;

/// Why a return is not exactly one JSON value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What it is instead, to follow "the return …".
    pub(crate) what: String,
    /// What to do about it, to follow "Fix the agent to return valid JSON: …".
    pub(crate) cure: &'static str,
    /// The bytes that show it.
    pub(crate) place: Span,
}

impl Fault {
    pub(super) fn new(what: impl Into<String>, cure: &'static str, place: Span) -> Self {
        Self {
            what: what.into(),
            cure,
            place,
        }
    }

    /// The text that an extraction found to hold more than one return.
    pub(crate) fn several_returns(second: Span) -> Self {
        Self::new(
            "holds more than one return",
            "return one object, the final one, and no drafts",
            second,
        )
    }
}

/// The byte that a parser's error speaks of, at a character's first byte.
pub(crate) fn offset(text: &str, error: &Error) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let line_start = match lines_before {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', text.as_bytes())
            .nth(lines_before - 1)
            .map_or(text.len(), |end| end + 1),
    };
    text.floor_char_boundary(line_start + error.column().saturating_sub(1))
}

/// Bytes that are not UTF-8.
pub(crate) fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> Fault {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Fault::new(
            "is UTF-16",
            "write the return as UTF-8 text",
            Span::new(0, 2),
        );
    }
    let place = Span::new(error.valid_up_to(), error.error_len().unwrap_or(1));
    Fault::new(
        "is not valid UTF-8",
        "write the return as UTF-8 text",
        place,
    )
}

/// Says what `text` is, which a parser refused with `error`.
pub(crate) fn diagnose(text: &str, error: &Error) -> Fault {
    let trimmed = text.trim_start();
    if trimmed.is_empty() {
        let what = if text.is_empty() {
            "is empty"
        } else {
            "is nothing but white space"
        };
        return Fault::new(
            what,
            "end with the return as the final message",
            Span::default(),
        );
    }
    if text.starts_with('\u{feff}') {
        return Fault::new(
            "starts with a byte-order mark",
            "write it without the mark",
            Span::new(0, 3),
        );
    }
    let start = text.len() - trimmed.len();
    at_the_start(text, start).unwrap_or_else(|| inside(text, error))
}

/// Faults that the first characters give away.
fn at_the_start(text: &str, start: usize) -> Option<Fault> {
    let rest = &text[start..];
    if rest.starts_with("```") || rest.starts_with("~~~") {
        let line = rest.lines().next().unwrap_or(rest);
        let place = Span::new(start, line.trim_end().len());
        return Some(Fault::new(
            "stands in a Markdown fence",
            "leave out the fence around it",
            place,
        ));
    }
    if rest.starts_with("<think") {
        let place = Span::new(start, "<think".len());
        return Some(Fault::new(
            "starts with a think block",
            "leave out the thoughts before it",
            place,
        ));
    }
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

/// Whether a bracket opens a list of values, and not a tag such as `[INFO]` or a box to tick.
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

/// Prose, with or without JSON inside.
pub(super) fn prose(text: &str, start: usize) -> Fault {
    const ALONE: &str = "return the JSON object alone, with no text around it";
    let before = |end: usize| Span {
        start,
        end: start + text[start..end].trim_end().len(),
    };
    match contents(text) {
        Contents::One { place, .. } => {
            Fault::new("has prose around the JSON", ALONE, before(place.start))
        }
        Contents::Several { second } => {
            Fault::new("is prose with several JSON objects in it", ALONE, second)
        }
        Contents::Truncated { start: cut } => {
            Fault::new("is prose with truncated JSON in it", ALONE, before(cut))
        }
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

/// Words that other languages take for values.
pub(super) fn literal(rest: &str) -> Option<(&'static str, usize)> {
    const NOT_A_NUMBER: &str = "has a number that JSON does not know (NaN or Infinity)";
    const PYTHON: &str =
        "has a Python or JavaScript word for a value (JSON knows true, false and null)";
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
