//! Copies the text of a JSON string that has escapes.

use std::char::{REPLACEMENT_CHARACTER, decode_utf16};

/// The length of the longest text that is copied, in bytes. No prompt, command or answer of an agent is
/// longer.
const COPIED_AT_MOST: usize = 512 << 10;

/// The text of a valid JSON string, which is given without its quotes. None if it is too long.
///
/// Clients written in JavaScript may cut a text within a surrogate pair. Each unpaired surrogate becomes
/// a replacement character.
pub(super) fn unescape(mut string: &str) -> Option<String> {
    let mut text = String::with_capacity(string.len().min(COPIED_AT_MOST));
    while let Some((before, after)) = string.split_once('\\') {
        add(&mut text, before)?;
        string = match simple(after) {
            Some(character) => {
                text.push(character);
                after.get(1..)?
            }
            None => units(after, &mut text)?,
        };
    }
    add(&mut text, string)?;
    Some(text)
}

fn add(text: &mut String, more: &str) -> Option<()> {
    let fits = text.len() + more.len() <= COPIED_AT_MOST;
    fits.then(|| text.push_str(more))
}

/// The character of an escape like `\n`. `after` begins behind the backslash. None for `\u`.
fn simple(after: &str) -> Option<char> {
    Some(match after.as_bytes().first()? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return None,
        byte => char::from(*byte),
    })
}

/// Adds the character of a `\u` escape, or of two that form a surrogate pair. Returns the text behind.
fn units<'a>(after: &'a str, text: &mut String) -> Option<&'a str> {
    let (first, rest) = unit(after)?;
    let second = rest.strip_prefix('\\').and_then(unit);
    if let (0xD800..=0xDBFF, Some((second @ 0xDC00..=0xDFFF, rest))) = (first, second) {
        text.extend(decode_utf16([first, second]).flatten());
        return Some(rest);
    }
    text.push(char::from_u32(first.into()).unwrap_or(REPLACEMENT_CHARACTER));
    Some(rest)
}

/// The UTF-16 code unit of a `\u` escape, and the text behind. `after` begins behind the backslash.
fn unit(after: &str) -> Option<(u16, &str)> {
    let digits = after.strip_prefix('u')?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    Some((unit, after.get(5..)?))
}
