//! A fast reader for JSON in the form that programs usually write.
//!
//! It borrows plain strings, which have no escapes, and copies the others. It leaves numbers with a
//! fraction or many digits to `serde_json`, which takes more instructions. If a text is not JSON or
//! exceeds a limit, the reader gives up without a reason. `serde_json` then reads a return again and says
//! what is wrong; a transcript has a gap there. A test compares both readers.

mod inside;
mod requests;
mod scalars;
mod skip;
mod unescape;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use serde::de::{Deserializer, Error, Visitor};

use inside::Inside;
use scalars::after_space;

/// How deeply arrays and objects may be nested: as deeply as `serde_json` accepts.
const LEVELS: usize = 127;

/// Reads a text from its beginning to its end.
pub(crate) struct JsonReader<'t> {
    rest: &'t str,
    depth: usize,
    /// Where strings with escapes are copied to, as far as it has room.
    buffer: &'t mut [u8],
}

/// This reader cannot read the text.
#[derive(Debug)]
pub(crate) struct GaveUp;

impl std::error::Error for GaveUp {}

impl Display for GaveUp {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("not read")
    }
}

impl Error for GaveUp {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

pub(crate) type ReadResult<T> = Result<T, GaveUp>;

impl<'t> JsonReader<'t> {
    /// No string allocates memory if `buffer` is as long as the text.
    pub(crate) fn new(text: &'t str, buffer: &'t mut [u8]) -> Self {
        Self {
            rest: text,
            depth: 0,
            buffer,
        }
    }

    /// Fails if anything but white space follows the value.
    pub(crate) fn end(mut self) -> ReadResult<()> {
        self.skip_space();
        self.rest.is_empty().then_some(()).ok_or(GaveUp)
    }

    /// The next byte that is not white space. It is not consumed.
    #[inline]
    fn peek(&mut self) -> ReadResult<u8> {
        match self.rest.as_bytes().first() {
            Some(byte) if *byte > b' ' => Ok(*byte),
            _ => self.peek_after_space(),
        }
    }

    #[inline(never)]
    fn peek_after_space(&mut self) -> ReadResult<u8> {
        self.skip_space();
        self.rest.as_bytes().first().copied().ok_or(GaveUp)
    }

    fn skip_space(&mut self) {
        self.rest = after_space(self.rest);
    }

    /// Consumes a character, or a word such as `true`. Fails if something else comes next.
    #[inline]
    fn pass(&mut self, word: &str) -> ReadResult<()> {
        self.rest = self.rest.strip_prefix(word).ok_or(GaveUp)?;
        Ok(())
    }

    /// Enters an array or object.
    #[inline]
    fn enter(&mut self) -> ReadResult<Inside<'_, 't>> {
        self.depth += 1;
        if self.depth > LEVELS {
            return Err(GaveUp);
        }
        Ok(Inside {
            reader: self,
            is_first: true,
        })
    }

    /// Leaves an array or object at its closing bracket.
    fn leave(&mut self, bracket: &str) -> ReadResult<()> {
        self.depth -= 1;
        self.peek()?;
        self.pass(bracket)
    }

    /// Passes over a value, and returns its JSON.
    fn raw(&mut self) -> ReadResult<&'t str> {
        self.peek()?;
        let length = skip::value_length(self.rest.as_bytes()).ok_or(GaveUp)?;
        let (value, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(value)
    }

    fn string<V: Visitor<'t>>(&mut self, visitor: V) -> ReadResult<V::Value> {
        match self.other_string()? {
            Cow::Borrowed(string) => visitor.visit_borrowed_str(string),
            Cow::Owned(string) => visitor.visit_string(string),
        }
    }

    fn number<V: Visitor<'t>>(&mut self, visitor: V) -> ReadResult<V::Value> {
        match self.integer() {
            Some(integer) => visitor.visit_u64(integer),
            None => self
                .other_number()?
                .deserialize_any(visitor)
                .map_err(|_| GaveUp),
        }
    }

    /// Reads a value that is not a plain string.
    #[inline(never)]
    fn other<V: Visitor<'t>>(&mut self, visitor: V) -> ReadResult<V::Value> {
        match self.peek()? {
            b'"' => self.string(visitor),
            b'{' => {
                let value = visitor.visit_map(self.enter()?)?;
                self.leave("}").map(|()| value)
            }
            b'[' => {
                let value = visitor.visit_seq(self.enter()?)?;
                self.leave("]").map(|()| value)
            }
            b'-' | b'0'..=b'9' => self.number(visitor),
            b't' => {
                self.pass("true")?;
                visitor.visit_bool(true)
            }
            b'f' => {
                self.pass("false")?;
                visitor.visit_bool(false)
            }
            b'n' => {
                self.pass("null")?;
                visitor.visit_unit()
            }
            _ => Err(GaveUp),
        }
    }
}

#[cfg(test)]
mod tests;
