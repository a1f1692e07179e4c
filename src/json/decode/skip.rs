//! Reads keys, and skips values.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::json::decode::state::DecodeState;
use crate::json::field::{Kind, State, Unknown};
use crate::text::is_blank;

/// Skips a value. Returns its kind and whether it is blank, and detects duplicate keys in it.
struct Skip<'w>(&'w DecodeState);

impl<'t> DeserializeSeed<'t> for Skip<'_> {
    type Value = (Kind, State);

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for Skip<'_> {
    type Value = (Kind, State);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok((Kind::Null, State::Null))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok((Kind::Boolean, State::Present))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok((Kind::Integer, State::Present))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok((Kind::Integer, State::Present))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok((Kind::of_number(number), State::Present))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let blank = is_blank(text);
        Ok((
            Kind::String,
            if blank { State::Blank } else { State::Present },
        ))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, list: A) -> Result<Self::Value, A::Error> {
        skip_list(list, self.0)?;
        Ok((Kind::Array, State::Present))
    }

    fn visit_map<A: MapAccess<'t>>(self, object: A) -> Result<Self::Value, A::Error> {
        skip_object(object, self.0)?;
        Ok((Kind::Object, State::Present))
    }
}

pub(crate) fn skip_list<'t, A: SeqAccess<'t>>(
    mut list: A,
    watch: &DecodeState,
) -> Result<(), A::Error> {
    while list.next_element_seed(Skip(watch))?.is_some() {}
    Ok(())
}

pub(crate) fn skip_object<'t, A: MapAccess<'t>>(
    mut object: A,
    watch: &DecodeState,
) -> Result<(), A::Error> {
    let mut keys = HashSet::new();
    while let Some(key) = object.next_key_seed(KeySeed)? {
        watch.note(&mut keys, key)?;
        object.next_value_seed(Skip(watch))?;
    }
    Ok(())
}

/// Skips an unknown member, or keeps it if a rule needs it.
pub(crate) fn unknown<'t, A: MapAccess<'t>>(
    key: Cow<'t, str>,
    object: &mut A,
    (keys, kept): (&mut Option<HashSet<Cow<'t, str>>>, &mut Vec<Unknown<'t>>),
    watch: &DecodeState,
) -> Result<(), A::Error> {
    let (_, state) = object.next_value_seed(Skip(watch))?;
    if watch.keeps_unknown() {
        kept.push(Unknown {
            key: key.clone(),
            state,
        });
    }
    watch.note(keys.get_or_insert_default(), key)
}

/// Reads the key of an object, borrowed if it has no escapes.
pub(crate) struct KeySeed;

impl<'t> DeserializeSeed<'t> for KeySeed {
    type Value = Cow<'t, str>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'t> Visitor<'t> for KeySeed {
    type Value = Cow<'t, str>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, key: &'t str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }

    fn visit_string<E: Error>(self, key: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key))
    }
}
