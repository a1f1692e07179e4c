//! Reads the members of objects and the items of arrays.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::{GaveUp, JsonReader, ReadResult};

/// The members of an object or the items of an array.
pub(super) struct Inside<'r, 't> {
    pub(super) reader: &'r mut JsonReader<'t>,
    /// Whether the opening bracket has not been consumed yet.
    pub(super) is_first: bool,
}

impl<'t> Inside<'_, 't> {
    /// Moves to the next member or item. Returns false if the closing bracket follows.
    #[inline]
    pub(super) fn goes_on(&mut self, opening: &str, closing: u8) -> ReadResult<bool> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if is_first {
            self.reader.pass(opening)?;
        }
        if self.reader.peek()? == closing {
            return Ok(false);
        }
        if !is_first {
            self.reader.pass(",")?;
        }
        Ok(true)
    }

    /// Reads a key that is not plain, and its colon. None at the end of the object.
    #[inline(never)]
    fn other_key<K>(
        &mut self,
        read: impl FnOnce(&mut JsonReader<'t>) -> ReadResult<K>,
    ) -> ReadResult<Option<K>> {
        if !self.goes_on("{", b'}')? {
            return Ok(None);
        }
        if self.reader.peek()? != b'"' {
            return Err(GaveUp);
        }
        let key = read(self.reader)?;
        self.reader.peek()?;
        self.reader.pass(":")?;
        Ok(Some(key))
    }
}

impl<'t> SeqAccess<'t> for Inside<'_, 't> {
    type Error = GaveUp;

    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> ReadResult<Option<S::Value>> {
        if !self.goes_on("[", b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl<'t> MapAccess<'t> for Inside<'_, 't> {
    type Error = GaveUp;

    /// Reads a key and its colon.
    #[inline]
    fn next_key_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> ReadResult<Option<S::Value>> {
        if let Some(key) = self.reader.plain_key(self.is_first) {
            self.is_first = false;
            return seed
                .deserialize(BorrowedStrDeserializer::new(key))
                .map(Some);
        }
        if !self.is_first && self.reader.rest.starts_with('}') {
            return Ok(None);
        }
        self.other_key(|reader| seed.deserialize(reader))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> ReadResult<S::Value> {
        seed.deserialize(&mut *self.reader)
    }
}
