//! The first pass: `serde_json` drives, nothing stops at a wrong type.
//!
//! serde's derived readers give up at the first surprise. These record it and read on, so that one
//! run reports everything, and they see every key at every depth, so that none stands twice unseen.

pub(crate) mod record;
pub(crate) mod skip;
pub(crate) mod state;
mod values;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::json::decode::skip::{skim_list, skim_object};
use crate::json::decode::state::Watch;
use crate::json::field::{ExpectedType, Field, Kind};

/// A type that a [`Field`] can hold. What a type does not take is read over and reported as wrong.
pub(crate) trait Typed<'t>: ExpectedType + Sized {
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

    fn list<A: SeqAccess<'t>>(list: A, reader: Reader<'_, Self>) -> Result<(), A::Error> {
        skim_list(list, reader.watch)?;
        reader.put(None, Kind::Array);
        Ok(())
    }

    fn object<A: MapAccess<'t>>(object: A, reader: Reader<'_, Self>) -> Result<(), A::Error> {
        skim_object(object, reader.watch)?;
        reader.put(None, Kind::Object);
        Ok(())
    }
}

/// Reads one value into the `Field<T>` where it will stand: records are large, and to move each up
/// to its place costs more than to read it. Fails only where the text is not JSON.
pub(crate) struct Reader<'w, T> {
    pub(crate) watch: &'w Watch,
    pub(crate) field: &'w mut Field<T>,
}

impl<'w, T> Reader<'w, T> {
    pub(crate) fn new(watch: &'w Watch, field: &'w mut Field<T>) -> Self {
        Self { watch, field }
    }

    pub(crate) fn put(self, value: Option<T>, found: Kind) {
        if value.is_none() {
            self.watch.saw_wrong();
        }
        *self.field = value.map_or(Field::Wrong(found), Field::Present);
    }
}

impl<'t, T: Typed<'t>> Deserialize<'t> for Field<T> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        let mut field = Self::Missing;
        Reader::new(&Watch::default(), &mut field).deserialize(deserializer)?;
        Ok(field)
    }
}

impl<'t, T: Typed<'t>> DeserializeSeed<'t> for Reader<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t, T: Typed<'t>> Visitor<'t> for Reader<'_, T> {
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
        reason = "only sign and fraction are ever judged"
    )]
    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "only sign and fraction are ever judged"
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
        self.put(T::text(Cow::Owned(text.to_owned())), Kind::String);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(self, list: A) -> Result<(), A::Error> {
        T::list(list, self)
    }

    fn visit_map<A: MapAccess<'t>>(self, object: A) -> Result<(), A::Error> {
        T::object(object, self)
    }
}
