//! Copies strings that have escapes.

use std::char::decode_utf16;

/// Copies a string without its quotes to the beginning of `out`. Returns the length of the copy, which is
/// valid UTF-8. None if an escape is not valid, or if the copy is longer than `out`.
pub(super) fn unescape(mut string: &str, out: &mut [u8]) -> Option<usize> {
    let mut length = 0;
    let mut push = |text: &str| {
        out.get_mut(length..length + text.len())?
            .copy_from_slice(text.as_bytes());
        length += text.len();
        Some(())
    };
    while let Some(start) = memchr::memchr(b'\\', string.as_bytes()) {
        push(&string[..start])?;
        let (character, rest) = character(&string[start + 1..])?;
        push(character.encode_utf8(&mut [0; 4]))?;
        string = rest;
    }
    push(string)?;
    Some(length)
}

/// The character of an escape, and what follows it. `escape` begins behind the backslash.
fn character(escape: &str) -> Option<(char, &str)> {
    let character = match escape.as_bytes().first()? {
        byte @ (b'"' | b'\\' | b'/') => char::from(*byte),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return utf16(escape),
    };
    Some((character, &escape[1..]))
}

/// The character of one `\u` escape, or of two that are a surrogate pair.
fn utf16(escape: &str) -> Option<(char, &str)> {
    let (first, rest) = unit(escape)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, rest));
    }
    let (second, rest) = unit(rest.strip_prefix('\\')?)?;
    let character = decode_utf16([first, second]).next()?.ok()?;
    Some((character, rest))
}

/// The number in a `\u` escape, and what follows it.
fn unit(escape: &str) -> Option<(u16, &str)> {
    let (digits, rest) = escape.strip_prefix('u')?.split_at_checked(4)?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let unit = u16::from_str_radix(digits, 16).ok()?;
    are_digits.then_some((unit, rest))
}
