//! Reads strings, numbers, and the white space before them.

use std::borrow::Cow;

use super::unescape::unescape;
use super::{GaveUp, JsonReader, ReadResult};
use crate::json::string_end::{end_of_plain, end_of_plain_in_blocks};

impl<'t> JsonReader<'t> {
    /// Reads the bracket or comma before the next key, the key, and its colon. None if the text has
    /// another form there, such as a key with escapes: then nothing is consumed.
    ///
    /// This and the next function read nearly every byte of a return. They call no other function, and
    /// their results fit into registers, which halves their cost.
    #[inline(never)]
    pub(super) fn plain_key(&mut self, is_first: bool) -> Option<&'t str> {
        let (before, both) = if is_first { ("{", "{\"") } else { (",", ",\"") };
        let rest = match self.rest.strip_prefix(both) {
            Some(rest) => rest,
            None => after_space(self.rest.strip_prefix(before)?).strip_prefix('"')?,
        };
        let (key, rest) = rest.split_at_checked(end_of_plain_in_blocks(rest.as_bytes())?)?;
        self.rest = rest.strip_prefix("\":")?;
        Some(key)
    }

    /// Reads a plain string. None if the string is not plain, if it is near the end of the text, or if
    /// something else comes next: then nothing is consumed.
    #[inline(never)]
    pub(super) fn plain_string(&mut self) -> Option<&'t str> {
        let rest = match self.rest.strip_prefix('"') {
            Some(rest) => rest,
            None => after_space(self.rest).strip_prefix('"')?,
        };
        let (string, rest) = rest.split_at_checked(end_of_plain_in_blocks(rest.as_bytes())?)?;
        self.rest = rest.strip_prefix('"')?;
        Some(string)
    }

    /// Reads any string.
    #[inline(never)]
    pub(super) fn other_string(&mut self) -> ReadResult<Cow<'t, str>> {
        if self.peek()? != b'"' {
            return Err(GaveUp);
        }
        let mut length = 1;
        let mut is_plain = true;
        loop {
            let rest = self.rest.as_bytes().get(length..).ok_or(GaveUp)?;
            let found = end_of_plain(rest).ok_or(GaveUp)?;
            length += found + 1;
            match rest[found] {
                b'"' => break,
                b'\\' => length += 1,
                _ => return Err(GaveUp),
            }
            is_plain = false;
        }
        let (string, rest) = self.rest.split_at(length);
        self.rest = rest;
        if is_plain {
            return Ok(Cow::Borrowed(&string[1..length - 1]));
        }
        let string = &string[1..length - 1];
        self.copied(string).ok_or(GaveUp)
    }

    /// The text of a string with escapes, in the buffer if that has room. None if an escape is not valid.
    fn copied(&mut self, string: &str) -> Option<Cow<'t, str>> {
        let room = string.len();
        if room > self.buffer.len() {
            let mut text = vec![0; room];
            let length = unescape(string, &mut text)?;
            text.truncate(length);
            return String::from_utf8(text).ok().map(Cow::Owned);
        }
        let buffer = std::mem::take(&mut self.buffer);
        let length = unescape(string, &mut buffer[..room])?;
        let (text, rest) = buffer.split_at_mut(length);
        self.buffer = rest;
        simdutf8::basic::from_utf8(text).ok().map(Cow::Borrowed)
    }

    /// Reads a number of a few digits. None for any other number: then nothing is consumed.
    #[inline(never)]
    pub(super) fn integer(&mut self) -> Option<u64> {
        /// This many digits always fit into 64 bits.
        const DIGITS: usize = 18;
        let bytes = self.rest.as_bytes();
        let mut value = 0;
        let mut length = 0;
        for byte in bytes {
            match byte {
                b'0'..=b'9' if length < DIGITS => value = value * 10 + u64::from(byte - b'0'),
                b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-' => return None,
                _ => break,
            }
            length += 1;
        }
        if length == 0 || (bytes[0] == b'0' && length > 1) {
            return None;
        }
        self.rest = &self.rest[length..];
        Some(value)
    }

    /// Reads any number with `serde_json`.
    #[cold]
    pub(super) fn other_number(&mut self) -> ReadResult<serde_json::Number> {
        serde_json::from_str(self.raw()?).map_err(|_| GaveUp)
    }
}

/// The text after its leading white space.
#[inline]
pub(super) fn after_space(text: &str) -> &str {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    let length = text.bytes().position(|byte| !is_space(byte));
    // Without a length, the text has only white space.
    length.and_then(|length| text.get(length..)).unwrap_or("")
}
