//! The length of a value, without recursion: a text may nest values to any depth.

use crate::json::string_end::end_of_plain;

/// The length in bytes of the value that a text begins with. None if it does not begin with one.
pub(super) fn value_length(text: &[u8]) -> Option<usize> {
    // The closing brackets that are still to come.
    let mut closing = Vec::<u8>::new();
    let mut at = 0;
    loop {
        at = match *text.get(at)? {
            b'"' => string_end(text, at + 1)?,
            opening @ (b'{' | b'[') => {
                closing.push(if opening == b'{' { b'}' } else { b']' });
                let first = after_space(text, at + 1);
                if text.get(first) != closing.last() {
                    at = next_value(text, first, opening == b'{')?;
                    continue;
                }
                first
            }
            _ => at + scalar_length(&text[at..])?,
        };
        while let Some(end) = closing.last() {
            at = after_space(text, at);
            match *text.get(at)? {
                b',' => break,
                byte if byte == *end => closing.pop(),
                _ => return None,
            };
            at += 1;
        }
        let Some(end) = closing.last() else {
            return Some(at);
        };
        at = next_value(text, after_space(text, at + 1), *end == b'}')?;
    }
}

/// The offset of the value of the item or member that begins at `at`.
fn next_value(text: &[u8], at: usize, is_member: bool) -> Option<usize> {
    if !is_member {
        return Some(at);
    }
    let quote = text.get(at).filter(|byte| **byte == b'"');
    let colon = quote.and_then(|_| string_end(text, at + 1))?;
    let colon = after_space(text, colon);
    (*text.get(colon)? == b':').then(|| after_space(text, colon + 1))
}

#[inline]
fn after_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = text.get(at) {
        at += 1;
    }
    at
}

/// The offset behind the closing quote of a string. `at` is behind its opening quote.
pub(super) fn string_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += end_of_plain(text.get(at..)?)?;
        match text[at] {
            b'"' => return Some(at + 1),
            b'\\' => at += escape_length(&text[at + 1..])?,
            _ => return None,
        }
    }
}

/// The length of an escape, including its backslash. `bytes` begin behind the backslash.
fn escape_length(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => {
            let digits = bytes.get(1..5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(6)
        }
        _ => None,
    }
}

/// The length of a number, `true`, `false` or `null`.
fn scalar_length(bytes: &[u8]) -> Option<usize> {
    let word: &[u8] = match bytes.first()? {
        b't' => b"true",
        b'f' => b"false",
        b'n' => b"null",
        _ => return number_length(bytes),
    };
    bytes.starts_with(word).then_some(word.len())
}

/// The length of the number that the bytes begin with.
pub(super) fn number_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let digits = bytes.get(from..).unwrap_or_default().iter();
        digits.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let some_digits = |from: usize| Some(digits(from)).filter(|count| *count > 0);
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    end += match bytes.get(end)? {
        b'0' => 1,
        _ => some_digits(end)?,
    };
    if bytes.get(end) == Some(&b'.') {
        end += 1 + some_digits(end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        end += 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end += some_digits(end)?;
    }
    Some(end)
}
