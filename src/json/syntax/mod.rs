//! Diagnoses text that is not JSON: what is wrong and how to fix it.

mod invalid;
#[cfg(test)]
pub(crate) mod tests;

use serde::de::IgnoredAny;
use serde_json::Error;

use crate::json::extract::{Contents, contents};
use crate::json::syntax::invalid::inside;
use crate::json::truncation::{before_incomplete_char, end_of_json};
use crate::text::Span;

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
    pub(crate) fn truncated(end: usize) -> Self {
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
pub(crate) fn prose(text: &str, start: usize) -> Fault {
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
pub(crate) fn literal(rest: &str) -> Option<(&'static str, usize)> {
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
