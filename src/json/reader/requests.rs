//! What a type can ask the reader for.
//!
//! `deserialize_any` reads any value. Records of which only some members are known, such as those of
//! transcripts, derive `Deserialize`, and their types ask for the kind of value that they want. A value of
//! another kind is passed over, however deep it is, and `visit_unit` says that there is none. The requests:
//!
//! - `deserialize_string`: a string, with U+FFFD for each unpaired surrogate.
//! - `deserialize_i64`, `deserialize_bool`: an integer, a boolean.
//! - `deserialize_seq`: an array, or a string as above.
//! - `deserialize_option`: an object.
//! - `deserialize_map`, `deserialize_struct`: an object, and an error for another kind.
//! - `deserialize_newtype_struct`: any value, as a borrowed string with its JSON.

use std::borrow::Cow;

use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::{GaveUp, JsonReader, ReadResult};

impl<'t> Deserializer<'t> for &mut JsonReader<'t> {
    type Error = GaveUp;

    #[inline]
    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        match self.plain_string() {
            Some(string) => visitor.visit_borrowed_str(string),
            None => self.other(visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        if let Some(string) = self.plain_string() {
            return visitor.visit_borrowed_str(string);
        }
        if self.peek()? != b'"' {
            return self.unwanted(visitor);
        }
        match self.lossy_string()? {
            Some(Cow::Borrowed(string)) => visitor.visit_borrowed_str(string),
            Some(Cow::Owned(string)) => visitor.visit_string(string),
            None => visitor.visit_unit(),
        }
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        visitor.visit_str(&self.lossy_string()?.unwrap_or_default())
    }

    fn deserialize_i64<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return self.unwanted(visitor);
        }
        match self.integer() {
            Some(integer) => visitor.visit_i64(integer.cast_signed()),
            None => match self.raw()?.parse() {
                Ok(integer) => visitor.visit_i64(integer),
                Err(_) => visitor.visit_unit(),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        match self.peek()? {
            b't' | b'f' => self.other(visitor),
            _ => self.unwanted(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        match self.peek()? {
            b'[' => self.other(visitor),
            _ => self.deserialize_string(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        match self.peek()? {
            b'{' => visitor.visit_some(self),
            _ => self.unwanted(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> ReadResult<V::Value> {
        self.deserialize_map(visitor)
    }

    // No other kind of value is read here, so that the code to read a record from an array is left out.
    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        self.peek()?;
        let value = visitor.visit_map(self.enter()?)?;
        self.leave("}").map(|()| value)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> ReadResult<V::Value> {
        visitor.visit_borrowed_str(self.raw()?)
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        if self.plain_string().is_none() {
            self.raw()?;
        }
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'t>>
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple
        tuple_struct enum
    }
}
