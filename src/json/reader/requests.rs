//! What a type can ask the reader for.
//!
//! `deserialize_any` reads any value. Others read a value of one kind, and fail at another.

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

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> ReadResult<V::Value> {
        if self.plain_string().is_none() {
            self.raw()?;
        }
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'t>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct enum identifier
    }
}
