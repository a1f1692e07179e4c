//! Messages about text that is no TOML. The parser speaks of its grammar; these name the key.

use std::ops::Range;

use crate::text::escape;

/// How the parser names a key that stands twice.
const DUPLICATE: &str = "duplicate key";

/// What is wrong at a place in the text, where the parser found `problem`.
pub(super) fn message(text: &str, place: Range<usize>, problem: &str) -> String {
    if problem == DUPLICATE {
        let name = text.get(place).unwrap_or_default();
        return format!("`{}` is set twice", escape::truncated(name));
    }
    let value = key_of_value(text, place.start).zip(text.get(place.start..));
    match value.map(|(key, rest)| (escape::truncated(key).to_string(), bare_word(rest))) {
        Some((key, Some(""))) => format!("`{key}` has no value"),
        Some((key, Some(word))) => {
            let word = escape::truncated(word);
            format!(
                "`{word}` is no value for `{key}`: a text stands in quotes, a switch is true or false"
            )
        }
        _ => escape::truncated(problem).to_string(),
    }
}

/// The key, if a value should begin at `start`.
fn key_of_value(text: &str, start: usize) -> Option<&str> {
    let before = text.get(..start)?.trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('=')?;
    let from = before.rfind(['\n', '{', ',']).map_or(0, |at| at + 1);
    Some(before[from..].trim())
}

/// The word without quotes that stands at the beginning, or nothing if no value does. `None` if
/// something else does, which the parser explains better.
fn bare_word(rest: &str) -> Option<&str> {
    let end = rest.find(|it: char| it.is_whitespace() || ",]}#".contains(it));
    let word = &rest[..end.unwrap_or(rest.len())];
    let is_word = word.is_empty() || word.starts_with(char::is_alphabetic);
    is_word.then_some(word)
}
