//! Reads JSON value by value, in one pass.

use std::borrow::Cow;

use crate::json::string_end::end_of_plain;

use super::unescape::unescape;

/// A position in a JSON text. Each function moves the position behind what it has read. It returns None
/// if the text is not JSON at that place, or ends there.
pub(in crate::clients) struct JsonCursor<'a> {
    pub(in crate::clients) text: &'a str,
    pub(in crate::clients) at: usize,
    /// The line that `at` is on, from 1. Newlines occur only in white space, which one function skips.
    pub(in crate::clients) line: u64,
    /// Whether the last string that was read has escapes.
    has_escapes: bool,
}

impl<'a> JsonCursor<'a> {
    pub(in crate::clients) const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            has_escapes: false,
        }
    }

    /// The line on which the next value begins.
    pub(in crate::clients) fn line(&mut self) -> u64 {
        self.peek();
        self.line
    }

    /// Whether nothing follows but white space.
    pub(in crate::clients) fn is_at_end(&mut self) -> bool {
        self.peek().is_none() && self.at == self.text.len()
    }

    /// Calls `read` with the key of each member of an object; `read` must read or skip the member's
    /// value. A value that is not an object is skipped.
    pub(in crate::clients) fn members(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Option<()>,
    ) -> Option<()> {
        if self.peek() != Some(b'{') {
            return self.skip();
        }
        if !self.enter(b'{', b'}')? {
            return Some(());
        }
        loop {
            let name = self.name()?;
            if self.has_escapes {
                read(self, &unescaped_name(name))?;
            } else {
                read(self, name)?;
            }
            if !self.take_separator(b'}')? {
                return Some(());
            }
        }
    }

    /// Reads a key and its colon. Returns the key with its escapes.
    // Not inlined, so that all functions that read objects fit into the instruction cache together.
    #[inline(never)]
    fn name(&mut self) -> Option<&'a str> {
        let start = self.at_quote()? + 1;
        self.pass_string()?;
        let name = self.text.get(start..self.at - 1)?;
        self.take(b':')?;
        Some(name)
    }

    /// Skips the members from here to the end of the object.
    pub(in crate::clients) fn skip_members(&mut self) -> Option<()> {
        loop {
            self.name()?;
            self.skip()?;
            if !self.take_separator(b'}')? {
                return Some(());
            }
        }
    }

    /// Calls `read` for each element of a list; `read` must read or skip the element. A value that is
    /// not a list is skipped.
    pub(in crate::clients) fn elements(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        if self.peek() != Some(b'[') {
            return self.skip();
        }
        if !self.enter(b'[', b']')? {
            return Some(());
        }
        loop {
            read(self)?;
            if !self.take_separator(b']')? {
                return Some(());
            }
        }
    }

    /// Enters an object or a list. Returns false if it is empty; the cursor is then behind it.
    #[inline]
    pub(in crate::clients) fn enter(&mut self, start: u8, end: u8) -> Option<bool> {
        self.take(start)?;
        Some(self.take(end).is_none())
    }

    /// Reads a key and its colon. Returns the result of `make` for the unescaped key.
    #[inline]
    pub(in crate::clients) fn name_as<R>(&mut self, make: impl FnOnce(&str) -> R) -> Option<R> {
        let name = self.name()?;
        let unescaped;
        Some(make(if self.has_escapes {
            unescaped = unescaped_name(name);
            &unescaped
        } else {
            name
        }))
    }

    /// Whether the text goes on with `start`. If so, the cursor moves behind it.
    #[inline]
    pub(in crate::clients) fn take_prefix(&mut self, start: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_there = rest.starts_with(start.as_bytes());
        self.at += if is_there { start.len() } else { 0 };
        is_there
    }

    /// Reads a comma, or the byte `end` that closes the object or list. Returns true after a comma.
    #[inline]
    pub(in crate::clients) fn take_separator(&mut self, end: u8) -> Option<bool> {
        let byte = self.peek()?;
        if byte != b',' && byte != end {
            return None;
        }
        self.at += 1;
        Some(byte == b',')
    }

    /// Reads the string whose opening quote is at `at`. Returns it without its quotes and with its
    /// escapes.
    #[inline(never)]
    fn string(&mut self) -> Option<&'a str> {
        let start = self.at + 1;
        self.pass_string()?;
        self.text.get(start..self.at - 1)
    }

    /// Reads a string into `text`, without its escapes. `text` becomes None if the string has escapes
    /// and is too long to be copied.
    #[inline]
    pub(in crate::clients) fn read_text(&mut self, text: &mut Option<Cow<'a, str>>) -> Option<()> {
        let string = self.string()?;
        *text = if self.has_escapes {
            unescape(string).map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(string))
        };
        Some(())
    }

    /// Skips a value and returns its JSON text.
    pub(in crate::clients) fn raw(&mut self) -> Option<&'a str> {
        self.peek();
        let start = self.at;
        self.skip()?;
        self.text.get(start..self.at)
    }

    /// Skips white space. Returns the byte that follows, and does not move behind it.
    #[inline]
    pub(in crate::clients) fn peek(&mut self) -> Option<u8> {
        let byte = *self.text.as_bytes().get(self.at)?;
        if byte > b' ' {
            return Some(byte);
        }
        self.peek_behind_space()
    }

    #[inline(never)]
    fn peek_behind_space(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if byte > b' ' {
                return Some(byte);
            }
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return None;
            }
            self.line += u64::from(byte == b'\n');
            self.at += 1;
        }
    }

    #[inline]
    pub(in crate::clients) fn take(&mut self, wanted: u8) -> Option<()> {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there.then_some(())
    }

    /// The offset of the opening quote of the next value. None if that is not a string.
    #[inline]
    fn at_quote(&mut self) -> Option<usize> {
        (self.peek()? == b'"').then_some(self.at)
    }

    /// Skips a string whose opening quote is at `at`.
    #[inline]
    pub(in crate::clients) fn pass_string(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let found = plain_end(bytes, self.at + 1)?;
        if bytes[found] != b'"' {
            return self.pass_escapes(found);
        }
        self.at = found + 1;
        self.has_escapes = false;
        Some(())
    }

    /// Skips the rest of a string, from its first escape on.
    #[inline(never)]
    fn pass_escapes(&mut self, mut at: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        while bytes[at] == b'\\' {
            at += escape(&bytes[at + 1..])?;
            at = plain_end(bytes, at)?;
        }
        self.at = at + 1;
        self.has_escapes = true;
        (bytes[at] == b'"').then_some(())
    }

    pub(in crate::clients) fn pass_name(&mut self) -> Option<()> {
        self.name().map(drop)
    }
}

/// A key without its escapes. Empty if the key is too long to be copied: no member that is read has such
/// a key.
#[cold]
fn unescaped_name(name: &str) -> String {
    unescape(name).unwrap_or_default()
}

/// The length of an escape, including its backslash. `bytes` begin behind the backslash.
fn escape(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => {
            let digits = bytes.get(1..5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(6)
        }
        _ => None,
    }
}

/// The offset of the first byte from `at` on that ends the string, begins an escape, or is not allowed
/// in a string.
#[inline]
fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    Some(at + end_of_plain(bytes.get(at..)?)?)
}
