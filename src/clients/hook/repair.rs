//! Repairs payloads with characters that no Rust string can hold.

use std::borrow::Cow;

use crate::text::surrogates::without_halves;

/// The payload with a replacement character for each unpaired surrogate and for bytes that are not
/// UTF-8. None if it has neither.
pub(super) fn with_whole_characters(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    without_halves(&text).or(match text {
        Cow::Owned(text) => Some(text),
        Cow::Borrowed(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs_are_replaced_and_nothing_else() {
        for (text, expected) in [
            (r#"{"a":"\ud83d"}"#, Some(r#"{"a":"\ufffd"}"#)),
            (r#""\ud83d\ude00 \ude00""#, Some(r#""\ud83d\ude00 \ufffd""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\\ud83d \ud83d\ude00""#, None),
            ("\"\\", None),
            ("", None),
        ] {
            let repaired = with_whole_characters(text.as_bytes());
            assert_eq!(repaired.as_deref(), expected, "{text}");
        }
        let repaired = with_whole_characters(b"\"a\xffb\"");
        assert_eq!(repaired.as_deref(), Some("\"a\u{fffd}b\""));
    }
}
