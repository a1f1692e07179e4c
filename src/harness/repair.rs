//! Payloads with characters that no string can hold.

/// Half of a surrogate pair, and what takes its place: six bytes, too.
const REPLACEMENT: &str = "\\ufffd";

/// The payload with a replacement character for each half of a surrogate pair, and for bytes that are
/// not UTF-8. None if it has neither.
pub(super) fn with_whole_characters(bytes: &[u8]) -> Option<String> {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    let is_changed = text.len() != bytes.len() || text.as_bytes() != bytes;
    let halves = halves(text.as_bytes());
    for at in &halves {
        text.replace_range(*at..at + REPLACEMENT.len(), REPLACEMENT);
    }
    (is_changed || !halves.is_empty()).then_some(text)
}

/// The offsets of escapes of half a surrogate pair.
fn halves(text: &[u8]) -> Vec<usize> {
    let (mut halves, mut at) = (Vec::new(), 0);
    while let Some(next) = memchr::memchr(b'\\', &text[at..]) {
        at += next;
        match (unit(text, at), unit(text, at + REPLACEMENT.len())) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 2 * REPLACEMENT.len(),
            (Some(0xD800..=0xDFFF), _) => {
                halves.push(at);
                at += REPLACEMENT.len();
            }
            // Any other escape, such as `\\\\`.
            _ => at = (at + 2).min(text.len()),
        }
    }
    halves
}

/// The value of an escape `\\uXXXX`.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let escape = text.get(at..at.checked_add(REPLACEMENT.len())?)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    u32::from_str_radix(digits, 16).ok()
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
