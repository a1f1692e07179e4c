//! The text of a string with escapes, which has to be copied.

use std::char::{REPLACEMENT_CHARACTER, decode_utf16};

/// Bytes of a text with escapes that is copied. Longer ones are no prompt, command or answer that an
/// agent has written.
const COPIED_AT_MOST: usize = 512 << 10;

/// The text of a valid JSON string, whose quotes are left out. None if it is too long.
///
/// Clients in JavaScript write halves of surrogate pairs where they cut a text. They stand for no
/// character: each becomes a replacement character.
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

/// The character of an escape of two bytes, behind whose backslash the text begins.
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

/// Adds the character of one escape or of two that are a pair. Gives what follows.
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

/// The number of an escape, behind whose backslash the text begins, and what follows.
fn unit(after: &str) -> Option<(u16, &str)> {
    let digits = after.strip_prefix('u')?.get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    Some((unit, after.get(5..)?))
}
