//! Goes through JSON value by value, so that nothing of it is read twice.

use std::borrow::Cow;

use crate::json::string_end::end_of_plain;

use super::lenient::{Lenient, LenientText};
use super::unescape::unescape;

/// A place in a JSON text. Each function goes on behind what it has read, and gives nothing where the
/// text is not JSON or ends.
pub(super) struct JsonCursor<'a> {
    text: &'a str,
    pub(super) at: usize,
    /// How far lines are counted.
    counted: usize,
    line: u64,
}

impl<'a> JsonCursor<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            counted: 0,
            line: 1,
        }
    }

    /// The line on which the next value begins.
    pub(super) fn line(&mut self) -> u64 {
        self.peek();
        let between = self.text.as_bytes().get(self.counted..self.at);
        let between = between.unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', between).count() as u64;
        self.counted += between.len();
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
        self.at += 1;
        if self.take(b'}').is_some() {
            return Some(());
        }
        loop {
            let start = self.at_quote()? + 1;
            let has_escapes = self.pass_string()?;
            let name = self.text.get(start..self.at - 1)?;
            self.take(b':')?;
            if has_escapes {
                // No member that is read has a name that is too long.
                read(self, &unescape(name).unwrap_or_default())?;
            } else {
                read(self, name)?;
            }
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
        self.at += 1;
        if self.take(b']').is_some() {
            return Some(());
        }
        loop {
            read(self)?;
            if !self.goes_on(b']')? {
                return Some(());
            }
        }
    }

    /// Passes a comma, or the end of what it is in. Says whether there is more of it.
    fn goes_on(&mut self, end: u8) -> Option<bool> {
        let byte = self.peek()?;
        if byte != b',' && byte != end {
            return None;
        }
        self.at += 1;
        Some(byte == b',')
    }

    /// Reads a value. Where that is no JSON it stays in front of it.
    pub(super) fn value<T: Lenient<'a>>(&mut self) -> Option<T> {
        self.peek();
        let start = self.at;
        let mut value = T::default();
        let result = value.read(self);
        if result.is_none() {
            self.at = start;
        }
        result.map(|()| value)
    }

    /// The string on whose opening quote `at` is, or nothing in it if it is too long to be copied.
    #[inline]
    pub(super) fn string(&mut self) -> Option<LenientText<'a>> {
        let start = self.at + 1;
        let has_escapes = self.pass_string()?;
        let string = self.text.get(start..self.at - 1)?;
        Some(LenientText(if has_escapes {
            unescape(string).map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(string))
        }))
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
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if byte > b' ' {
                return Some(byte);
            }
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return None;
            }
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

    /// Passes a string; `at` is on its opening quote. Says whether it has escapes.
    #[inline]
    pub(super) fn pass_string(&mut self) -> Option<bool> {
        let bytes = self.text.as_bytes();
        let found = plain_end(bytes, self.at + 1)?;
        if bytes[found] != b'"' {
            return self.pass_escapes(found);
        }
        self.at = found + 1;
        Some(false)
    }

    /// Passes the rest of a string, from its first escape on.
    fn pass_escapes(&mut self, mut at: usize) -> Option<bool> {
        let bytes = self.text.as_bytes();
        while bytes[at] == b'\\' {
            at += escape(&bytes[at + 1..])?;
            at = plain_end(bytes, at)?;
        }
        self.at = at + 1;
        (bytes[at] == b'"').then_some(true)
    }

    /// Passes the name of a member and its colon.
    pub(super) fn pass_name(&mut self) -> Option<()> {
        self.at_quote()?;
        self.pass_string()?;
        self.take(b':')
    }

    /// Passes a whole number of a few digits. Anything else gives nothing and is not passed.
    pub(super) fn small_number(&mut self) -> Option<i64> {
        /// So many digits always fit into 64 bits.
        const DIGITS: usize = 18;
        let rest = self.text.as_bytes().get(self.at..)?;
        let is_part = |byte: &u8| byte.is_ascii_digit() || b".eE".contains(byte);
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
        let (value, count) = digits.take(DIGITS).fold((0, 0), |(value, count), digit| {
            (value * 10 + i64::from(digit - b'0'), count + 1)
        });
        let is_whole = count == 1 || count > 1 && rest[0] != b'0';
        if !is_whole || rest.get(count).is_some_and(is_part) {
            return None;
        }
        self.at += count;
        Some(value)
    }

    /// Passes a number or a word.
    pub(super) fn pass_scalar(&mut self) -> Option<()> {
        let first = self.peek()?;
        let rest = &self.text.as_bytes()[self.at..];
        let word: &[u8] = match first {
            b't' => b"true",
            b'f' => b"false",
            b'n' => b"null",
            _ => {
                self.at += number(rest)?;
                return Some(());
            }
        };
        self.at += word.len();
        rest.starts_with(word).then_some(())
    }
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

/// The length of the number that the bytes begin with.
fn number(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let digits = bytes.get(from..).unwrap_or_default().iter();
        digits.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    end += match bytes.get(end)? {
        b'0' => 1,
        b'1'..=b'9' => digits(end),
        _ => return None,
    };
    if bytes.get(end) == Some(&b'.') {
        end += 1 + at_least_one(digits(end + 1))?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        end += 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end += at_least_one(digits(end))?;
    }
    Some(end)
}

fn at_least_one(count: usize) -> Option<usize> {
    (count > 0).then_some(count)
}

/// Where the first byte is, from `at` on, that ends a string, begins an escape, or cannot stand there.
#[inline]
fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    Some(at + end_of_plain(bytes.get(at..)?)?)
}
