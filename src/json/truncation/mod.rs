//! Detects truncated JSON and where it ends.

#[cfg(test)]
mod tests;

use std::str::{Utf8Error, from_utf8};

use serde::de::IgnoredAny;

/// The byte offset of the end of the JSON in `text`: before white space, the zero bytes that fill up a
/// file, a closing fence and closing tags. Each of these may follow truncated JSON, even if it was cut
/// off inside a string.
pub(crate) fn end_of_json(text: &str) -> usize {
    let mut json = text;
    loop {
        json = json.trim_end_matches(|last: char| last.is_whitespace() || "\0`~".contains(last));
        match without_closing_tag(json) {
            Some(before) => json = before,
            None => return json.len(),
        }
    }
}

/// The text before a closing tag at its end. None if missing, or if it closes a think block:
/// everything before that is a thought.
fn without_closing_tag(text: &str) -> Option<&str> {
    let inner = text.strip_suffix('>')?;
    let start = inner.rfind('<')?;
    let name = inner[start + 1..].strip_prefix('/')?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:".contains(letter);
    let is_tag = !name.starts_with("think") && name.chars().all(is_name);
    is_tag.then(|| &text[..start])
}

/// Whether `text`, which is not JSON, is truncated JSON.
pub(crate) fn is_cut_off(text: &str) -> bool {
    ends_early(&text[..end_of_json(text)])
}

/// Whether `json` ends before its value does.
pub(crate) fn ends_early(json: &str) -> bool {
    let error = |json| serde_json::from_str::<IgnoredAny>(json).err();
    error(json).is_some_and(|found| {
        // The parser reports an incomplete number at the end as an invalid one.
        let is_number = || found.to_string().starts_with("invalid number");
        let before = || json.trim_end_matches(['-', '+', '.', 'e', 'E']);
        found.is_eof() || (is_number() && error(before()).is_some_and(|error| error.is_eof()))
    })
}

/// Whether the rest of a JSON text that the parser rejected closes no bracket: the JSON was truncated
/// and other text follows.
pub(super) fn is_left_open(rest: &str) -> bool {
    memchr::memchr2(b'}', b']', rest.as_bytes()).is_none()
}

/// The text before an incomplete character at the end of `bytes`. None if the invalid bytes are not one.
pub(crate) fn before_incomplete_char(bytes: &[u8], error: Utf8Error) -> Option<&str> {
    let (before, rest) = bytes.split_at(error.valid_up_to());
    let (half, after) = rest.split_at(error.error_len().unwrap_or(rest.len()));
    let is_half = from_utf8(half).is_err_and(|error| error.error_len().is_none());
    let ends = from_utf8(after).is_ok_and(|after| end_of_json(after) == 0);
    if is_half && ends {
        from_utf8(before).ok()
    } else {
        None
    }
}
