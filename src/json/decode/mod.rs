//! The first pass: typed decoding that continues after a wrong type.
//!
//! Derived deserializers of serde stop at the first error. These record it and continue, so one run
//! reports everything. They also read every key at every depth, so no duplicate is missed.

pub(crate) mod record;
pub(crate) mod skip;
pub(crate) mod state;
mod values;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::json::decode::skip::{skip_list, skip_object};
use crate::json::decode::state::DecodeState;
use crate::json::field::{ExpectedType, Field, Kind};

/// A type of a [`Field`]. A value of another type is skipped and recorded as wrong.
pub(crate) trait Decode<'t>: ExpectedType + Sized {
    fn null() -> Option<Self> {
        None
    }

    fn text(_text: Cow<'t, str>) -> Option<Self> {
        None
    }

    fn number(_number: f64) -> Option<Self> {
        None
    }

    fn boolean(_boolean: bool) -> Option<Self> {
        None
    }

    fn list<A: SeqAccess<'t>>(list: A, reader: FieldSeed<'_, Self>) -> Result<(), A::Error> {
        skip_list(list, reader.watch)?;
        reader.put(None, Kind::Array);
        Ok(())
    }

    fn object<A: MapAccess<'t>>(object: A, reader: FieldSeed<'_, Self>) -> Result<(), A::Error> {
        skip_object(object, reader.watch)?;
        reader.put(None, Kind::Object);
        Ok(())
    }
}

/// Reads one value into a `Field<T>` in place: records are large, and moving them costs more than
/// reading them. Fails only if the text is not JSON.
pub(crate) struct FieldSeed<'w, T> {
    pub(crate) watch: &'w DecodeState,
    pub(crate) field: &'w mut Field<T>,
}

impl<'w, T> FieldSeed<'w, T> {
    pub(crate) fn new(watch: &'w DecodeState, field: &'w mut Field<T>) -> Self {
        Self { watch, field }
    }

    pub(crate) fn put(self, value: Option<T>, found: Kind) {
        if value.is_none() {
            self.watch.saw_wrong();
        }
        *self.field = value.map_or(Field::Wrong(found), Field::Present);
    }
}

impl<'t, T: Decode<'t>> Deserialize<'t> for Field<T> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        let mut field = Self::Missing;
        FieldSeed::new(&DecodeState::default(), &mut field).deserialize(deserializer)?;
        Ok(field)
    }
}

impl<'t, T: Decode<'t>> DeserializeSeed<'t> for FieldSeed<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t, T: Decode<'t>> Visitor<'t> for FieldSeed<'_, T> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", T::EXPECTED)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        *self.field = T::null().map_or(Field::Null, Field::Present);
        Ok(())
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<(), E> {
        self.put(T::boolean(boolean), Kind::Boolean);
        Ok(())
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "only sign and fraction are ever checked"
    )]
    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "only sign and fraction are ever checked"
    )]
    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.put(T::number(number), Kind::of_number(number));
        Ok(())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<(), E> {
        self.put(T::text(Cow::Borrowed(text)), Kind::String);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<(), E> {
        self.put(T::text(Cow::Owned(text)), Kind::String);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(self, list: A) -> Result<(), A::Error> {
        T::list(list, self)
    }

    fn visit_map<A: MapAccess<'t>>(self, object: A) -> Result<(), A::Error> {
        T::object(object, self)
    }
}
