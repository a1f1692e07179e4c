//! Goes through JSON value by value, so that nothing of it is read twice.

use std::borrow::Cow;

use crate::json::string_end::end_of_plain;

use super::unescape::unescape;

/// A place in a JSON text. Each function goes on behind what it has read, and gives nothing where the
/// text is not JSON or ends.
pub(super) struct JsonCursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The line that `at` is on. Only white space has line feeds, and is passed in one place.
    pub(super) line: u64,
    /// Whether the string that was passed last has escapes.
    has_escapes: bool,
}

impl<'a> JsonCursor<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            has_escapes: false,
        }
    }

    /// The line on which the next value begins.
    pub(super) fn line(&mut self) -> u64 {
        self.peek();
        self.line
    }

    /// Whether nothing follows but white space.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none() && self.at == self.text.len()
    }

    /// Calls a function with the name of each member of an object, which must read or skip the value.
    /// Anything else is skipped.
    pub(super) fn members(
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
            if !self.goes_on(b'}')? {
                return Some(());
            }
        }
    }

    /// Passes the name of a member and its colon. Gives it as it stands there.
    // Not in each of the functions that read an object: together they must fit into the processor's
    // cache of instructions.
    #[inline(never)]
    fn name(&mut self) -> Option<&'a str> {
        let start = self.at_quote()? + 1;
        self.pass_string()?;
        let name = self.text.get(start..self.at - 1)?;
        self.take(b':')?;
        Some(name)
    }

    /// Passes the members from here to the end of the object.
    pub(super) fn skip_members(&mut self) -> Option<()> {
        loop {
            self.name()?;
            self.skip()?;
            if !self.goes_on(b'}')? {
                return Some(());
            }
        }
    }

    /// Calls a function for each element of a list, which must read or skip it. Anything else is
    /// skipped.
    pub(super) fn elements(&mut self, mut read: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.peek() != Some(b'[') {
            return self.skip();
        }
        if !self.enter(b'[', b']')? {
            return Some(());
        }
        loop {
            read(self)?;
            if !self.goes_on(b']')? {
                return Some(());
            }
        }
    }

    /// Enters an object or a list, unless it is empty. Says which of it.
    #[inline]
    pub(super) fn enter(&mut self, start: u8, end: u8) -> Option<bool> {
        self.take(start)?;
        Some(self.take(end).is_none())
    }

    /// What a function makes of the name of a member, which is passed with its colon.
    #[inline]
    pub(super) fn name_as<R>(&mut self, make: impl FnOnce(&str) -> R) -> Option<R> {
        let name = self.name()?;
        let unescaped;
        Some(make(if self.has_escapes {
            unescaped = unescaped_name(name);
            &unescaped
        } else {
            name
        }))
    }

    /// Passes a text if it comes next.
    #[inline]
    pub(super) fn passes_start(&mut self, start: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_there = rest.starts_with(start.as_bytes());
        self.at += if is_there { start.len() } else { 0 };
        is_there
    }

    /// Passes a comma, or the end of what it is in. Says whether there is more of it.
    #[inline]
    pub(super) fn goes_on(&mut self, end: u8) -> Option<bool> {
        let byte = self.peek()?;
        if byte != b',' && byte != end {
            return None;
        }
        self.at += 1;
        Some(byte == b',')
    }

    /// The string on whose opening quote `at` is, without its quotes and as it stands there.
    #[inline(never)]
    fn string(&mut self) -> Option<&'a str> {
        let start = self.at + 1;
        self.pass_string()?;
        self.text.get(start..self.at - 1)
    }

    /// Reads the text of a string, or nothing if it is too long to be copied.
    #[inline]
    pub(super) fn read_text(&mut self, text: &mut Option<Cow<'a, str>>) -> Option<()> {
        let string = self.string()?;
        *text = if self.has_escapes {
            unescape(string).map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(string))
        };
        Some(())
    }

    /// A value as it stands in the text.
    pub(super) fn raw(&mut self) -> Option<&'a str> {
        self.peek();
        let start = self.at;
        self.skip()?;
        self.text.get(start..self.at)
    }

    /// The next byte that is not white space, which is not passed.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
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
    pub(super) fn take(&mut self, wanted: u8) -> Option<()> {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there.then_some(())
    }

    /// Where the string is that must begin here.
    #[inline]
    fn at_quote(&mut self) -> Option<usize> {
        (self.peek()? == b'"').then_some(self.at)
    }

    /// Passes a string; `at` is on its opening quote.
    #[inline]
    pub(super) fn pass_string(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let found = plain_end(bytes, self.at + 1)?;
        if bytes[found] != b'"' {
            return self.pass_escapes(found);
        }
        self.at = found + 1;
        self.has_escapes = false;
        Some(())
    }

    /// Passes the rest of a string, from its first escape on.
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

    /// Passes the name of a member and its colon.
    pub(super) fn pass_name(&mut self) -> Option<()> {
        self.name().map(drop)
    }
}

/// The name of a member that is written with escapes. No member that is read has a name that is too long.
#[cold]
fn unescaped_name(name: &str) -> String {
    unescape(name).unwrap_or_default()
}

/// The length of an escape with its backslash, behind which the bytes begin.
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

/// Where the first byte is, from `at` on, that ends a string, begins an escape, or cannot stand there.
#[inline]
fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    Some(at + end_of_plain(bytes.get(at..)?)?)
}
