//! Goes through a document value by value, so that nothing of it is read twice.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::lenient::LenientText;

/// A place in a JSON document. Each function goes on behind what it has read, and gives nothing where
/// the text is not JSON or ends.
pub(super) struct DocumentCursor<'a> {
    text: &'a str,
    at: usize,
    /// How far lines are counted.
    counted: usize,
    line: u64,
}

impl<'a> DocumentCursor<'a> {
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

    pub(super) fn value<T: Deserialize<'a>>(&mut self) -> Option<T> {
        let rest = self.text.get(self.at..)?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter();
        let value = values.next()?.ok()?;
        self.at += values.byte_offset();
        Some(value)
    }

    pub(super) fn skip(&mut self) -> Option<()> {
        self.value::<IgnoredAny>().map(drop)
    }

    /// Calls a function for each member of an object, which must read or skip the value. Anything
    /// else is skipped.
    pub(super) fn members(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Option<()>,
    ) -> Option<()> {
        if self.peek() != Some(b'{') {
            return self.skip();
        }
        self.at += 1;
        if self.take(b'}') {
            return Some(());
        }
        loop {
            let name: LenientText = self.value()?;
            let name = name.0?;
            self.take(b':').then_some(())?;
            read(self, &name)?;
            if !self.take(b',') {
                return self.take(b'}').then_some(());
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
        if self.take(b']') {
            return Some(());
        }
        loop {
            read(self)?;
            if !self.take(b',') {
                return self.take(b']').then_some(());
            }
        }
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blank = rest.iter().take_while(|byte| b" \t\r\n".contains(byte));
        self.at += blank.count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }
}
