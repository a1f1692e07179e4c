//! Replaces escapes of unpaired surrogates. They stand for no character, so no Rust string can hold
//! them.

/// The replacement for an unpaired surrogate. It is as long as the escape: six bytes.
const REPLACEMENT: &[u8] = b"\\ufffd";

/// Returns a JSON text in which each unpaired surrogate is replaced. None if it has none.
pub(crate) fn without_halves(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    replace_halves(&mut bytes)
        .then(|| String::from_utf8(bytes).ok())
        .flatten()
}

pub(crate) fn replace_halves(text: &mut [u8]) -> bool {
    let (mut has_halves, mut at) = (false, 0);
    while let Some(next) = memchr::memchr(b'\\', &text[at..]) {
        at += next;
        match (unit(text, at), unit(text, at + REPLACEMENT.len())) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 2 * REPLACEMENT.len(),
            (Some(0xD800..=0xDFFF), _) => {
                let end = at + REPLACEMENT.len();
                text[at..end].copy_from_slice(REPLACEMENT);
                has_halves = true;
                at = end;
            }
            // Any other escape, such as an escaped backslash.
            _ => at = (at + 2).min(text.len()),
        }
    }
    has_halves
}

/// Returns the number in a `\u` escape. None if there is no such escape at this offset.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let escape = text.get(at..at.checked_add(REPLACEMENT.len())?)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}
