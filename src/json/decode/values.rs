//! Fields other than records: single values, lists, and objects with arbitrary keys.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use crate::json::decode::skip::{KeySeed, skip_list, skip_object};
use crate::json::decode::state::DecodeState;
use crate::json::decode::{Decode, FieldSeed};
use crate::json::field::{Amount, Anything, Dict, Field, FieldList, Integer, Kind, Number};

impl<'t> Decode<'t> for Cow<'t, str> {
    fn text(text: Cow<'t, str>) -> Option<Self> {
        Some(text)
    }
}

impl Decode<'_> for Number {
    fn number(number: f64) -> Option<Self> {
        Some(Self(number))
    }
}

impl<'t> Decode<'t> for Amount {
    fn text(_: Cow<'t, str>) -> Option<Self> {
        Some(Self::Text)
    }

    fn number(number: f64) -> Option<Self> {
        Some(Self::Bare(number))
    }
}

impl Decode<'_> for Integer {
    fn number(number: f64) -> Option<Self> {
        (Kind::of_number(number) == Kind::Integer).then_some(Self(number))
    }
}

impl Decode<'_> for bool {
    fn boolean(boolean: bool) -> Option<Self> {
        Some(boolean)
    }
}

impl<'t> Decode<'t> for Anything {
    fn null() -> Option<Self> {
        Some(Self(Kind::Null))
    }

    fn text(_: Cow<'t, str>) -> Option<Self> {
        Some(Self(Kind::String))
    }

    fn number(number: f64) -> Option<Self> {
        Some(Self(Kind::of_number(number)))
    }

    fn boolean(_: bool) -> Option<Self> {
        Some(Self(Kind::Boolean))
    }

    fn list<A: SeqAccess<'t>>(list: A, reader: FieldSeed<'_, Self>) -> Result<(), A::Error> {
        skip_list(list, reader.watch)?;
        reader.put(Some(Self(Kind::Array)), Kind::Array);
        Ok(())
    }

    fn object<A: MapAccess<'t>>(object: A, reader: FieldSeed<'_, Self>) -> Result<(), A::Error> {
        skip_object(object, reader.watch)?;
        reader.put(Some(Self(Kind::Object)), Kind::Object);
        Ok(())
    }
}

/// In lists and maps, null has the wrong type: they have no absent items.
fn refuse_null<T>(item: &mut Field<T>, watch: &DecodeState) {
    if matches!(item, Field::Null) {
        FieldSeed::new(watch, item).put(None, Kind::Null);
    }
}

impl<'t, T: Decode<'t>> Decode<'t> for FieldList<T> {
    fn list<A: SeqAccess<'t>>(mut list: A, reader: FieldSeed<'_, Self>) -> Result<(), A::Error> {
        let watch = reader.watch;
        let items = reader.field.insert(FieldList::new());
        while let Some(()) = list.next_element_seed(NextItem(watch, items))? {
            watch.count()?;
        }
        Ok(())
    }
}

/// Reads one item and adds it to a list.
struct NextItem<'w, T>(&'w DecodeState, &'w mut FieldList<T>);

impl<'t, T: Decode<'t>> DeserializeSeed<'t> for NextItem<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self(watch, items) = self;
        items.push(Field::Missing);
        if let Some(item) = items.last_mut() {
            FieldSeed::new(watch, item).deserialize(deserializer)?;
            refuse_null(item, watch);
        }
        Ok(())
    }
}

impl<'t, T: Decode<'t>> Decode<'t> for Dict<'t, T> {
    fn object<A: MapAccess<'t>>(
        mut object: A,
        reader: FieldSeed<'_, Self>,
    ) -> Result<(), A::Error> {
        let watch = reader.watch;
        let mut keys = HashSet::new();
        let mut members = Vec::new();
        while let Some(key) = object.next_key_seed(KeySeed)? {
            watch.note(&mut keys, key.clone())?;
            let mut member = Field::Missing;
            object.next_value_seed(FieldSeed::new(watch, &mut member))?;
            refuse_null(&mut member, watch);
            members.push((key, member));
        }
        reader.put(Some(Self(members)), Kind::Object);
        Ok(())
    }
}
