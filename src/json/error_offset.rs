//! The byte offset of a parser error.

use serde_json::Error;

/// The byte offset of a parser error, at the first byte of a character.
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
