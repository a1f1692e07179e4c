//! Values that are set aside as they stand in the JSON, and read only if somebody needs them.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The beginning of a string that was set aside, of so many bytes of JSON at most.
pub(super) fn beginning(raw: Option<&RawValue>, most: usize) -> String {
    let text = raw.map_or("", |raw| raw.get());
    let Some(text) = text.strip_prefix('"') else {
        return String::new();
    };
    let bytes = &text.as_bytes()[..text.len().min(most)];
    let mut end = 0;
    // No escape is cut in two.
    while let Some(at) = memchr::memchr2(b'\\', b'"', &bytes[end..]) {
        let length = match bytes[end + at..] {
            [b'"', ..] => 0,
            [_, b'u', ..] => 6,
            _ => 2,
        };
        if length == 0 || end + at + length > bytes.len() {
            return string(&text[..end + at]);
        }
        end += at + length;
    }
    string(&text[..text.floor_char_boundary(bytes.len())])
}

/// The string whose JSON has these characters between its quotes.
fn string(inner: &str) -> String {
    serde_json::from_str(&["\"", inner, "\""].concat()).unwrap_or_default()
}

/// Reads a value that was set aside.
pub(super) fn later<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}
