//! Escapes of half a surrogate pair, which stand for no character and fit into no string.

/// Half of a surrogate pair, and what takes its place: six bytes, too.
const REPLACEMENT: &str = "\\ufffd";

/// A JSON text with a replacement character for each half of a surrogate pair. None if it has no
/// halves.
pub(crate) fn without_halves(text: &str) -> Option<String> {
    let halves = halves(text.as_bytes());
    if halves.is_empty() {
        return None;
    }
    let mut whole = text.to_owned();
    for at in halves {
        whole.replace_range(at..at + REPLACEMENT.len(), REPLACEMENT);
    }
    Some(whole)
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
            // Any other escape, such as that of a backslash.
            _ => at = (at + 2).min(text.len()),
        }
    }
    halves
}

/// The number in an escape, if one stands at this offset.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let escape = text.get(at..at.checked_add(REPLACEMENT.len())?)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}
