//! The first pass: `serde_json` drives, nothing stops at a wrong type.
//!
//! serde's derived readers give up at the first surprise. These record it and read on, so that one
//! run reports everything, and they see every key at every depth, so that none stands twice unseen.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::seen::Seen;
use crate::text::is_blank;

use super::field::{Anything, Dict, ExpectedType, Field, Integer, Kind, Number, State, Unknown};

/// Items of lists that a standard names, and keys that none names, which one return may have: each
/// takes up to some hundred bytes while the return is judged, were it written in two. No return
/// lists a thousandth of them.
pub const ITEMS_AT_MOST: usize = 100_000;

/// What readers notice on the way, shared by all of one document's.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    duplicate: Cell<bool>,
    wrong: Cell<bool>,
    /// Items and keys that are remembered so far.
    items: Cell<usize>,
    keep_unknown: bool,
}

impl Watch {
    /// `keep_unknown`: whether a rule will ask for members that no record names.
    pub(crate) fn new(keep_unknown: bool) -> Self {
        Self {
            keep_unknown,
            ..Self::default()
        }
    }

    pub(crate) fn keeps_unknown(&self) -> bool {
        self.keep_unknown
    }

    pub(crate) fn saw_duplicate(&self) {
        self.duplicate.set(true);
    }

    fn note<'t, E: Error>(&self, keys: &mut Seen<'t>, key: Cow<'t, str>) -> Result<(), E> {
        if keys.stands_already(key) {
            self.saw_duplicate();
        }
        self.count()
    }

    /// Counts an item or a key that is remembered. The only error that is of a reader's own making.
    fn count<E: Error>(&self) -> Result<(), E> {
        let items = self.items.get() + 1;
        self.items.set(items);
        if items > ITEMS_AT_MOST {
            return Err(too_many());
        }
        Ok(())
    }

    fn saw_wrong(&self) {
        self.wrong.set(true);
    }

    /// Whether some field was of another type than its record asks.
    pub(crate) fn has_wrong(&self) -> bool {
        self.wrong.get()
    }

    /// Whether some key stood twice in one object, at any depth.
    pub(crate) fn has_duplicate(&self) -> bool {
        self.duplicate.get()
    }
}

#[cold]
fn too_many<E: Error>() -> E {
    E::custom("too many items and keys")
}

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

    fn list<A: SeqAccess<'t>>(list: A, watch: &Watch) -> Result<Option<Self>, A::Error> {
        skim_list(list, watch).map(|()| None)
    }

    fn object<A: MapAccess<'t>>(object: A, watch: &Watch) -> Result<Option<Self>, A::Error> {
        skim_object(object, watch).map(|()| None)
    }
}

/// Reads one value as a `Field<T>`; fails only where the text is not JSON.
pub(crate) struct Reader<'w, T> {
    watch: &'w Watch,
    typed: PhantomData<fn() -> T>,
}

impl<'w, T> Reader<'w, T> {
    pub(crate) fn new(watch: &'w Watch) -> Self {
        Self {
            watch,
            typed: PhantomData,
        }
    }

    fn field(&self, value: Option<T>, found: Kind) -> Field<T> {
        if value.is_none() {
            self.watch.saw_wrong();
        }
        value.map_or(Field::Wrong(found), Field::Present)
    }
}

impl<'t, T: Typed<'t>> Deserialize<'t> for Field<T> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        Reader::new(&Watch::default()).deserialize(deserializer)
    }
}

impl<'t, T: Typed<'t>> DeserializeSeed<'t> for Reader<'_, T> {
    type Value = Field<T>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Field<T>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

fn number_kind(number: f64) -> Kind {
    if is_integral(number) {
        Kind::Integer
    } else {
        Kind::Fraction
    }
}

fn is_integral(number: f64) -> bool {
    number.fract() == 0.0
}

impl<'t, T: Typed<'t>> Visitor<'t> for Reader<'_, T> {
    type Value = Field<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", T::EXPECTED)
    }

    fn visit_unit<E: Error>(self) -> Result<Field<T>, E> {
        Ok(T::null().map_or(Field::Null, Field::Present))
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<Field<T>, E> {
        Ok(self.field(T::boolean(boolean), Kind::Boolean))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "only sign and fraction are ever judged"
    )]
    fn visit_i64<E: Error>(self, number: i64) -> Result<Field<T>, E> {
        self.visit_f64(number as f64)
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "only sign and fraction are ever judged"
    )]
    fn visit_u64<E: Error>(self, number: u64) -> Result<Field<T>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Field<T>, E> {
        Ok(self.field(T::number(number), number_kind(number)))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<Field<T>, E> {
        Ok(self.field(T::text(Cow::Borrowed(text)), Kind::String))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Field<T>, E> {
        Ok(self.field(T::text(Cow::Owned(text.to_owned())), Kind::String))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, list: A) -> Result<Field<T>, A::Error> {
        Ok(self.field(T::list(list, self.watch)?, Kind::Array))
    }

    fn visit_map<A: MapAccess<'t>>(self, object: A) -> Result<Field<T>, A::Error> {
        Ok(self.field(T::object(object, self.watch)?, Kind::Object))
    }
}

/// Reads over a value that no record names: its kind, whether it is blank, and its keys' doubles.
struct Skim<'w>(&'w Watch);

impl<'t> DeserializeSeed<'t> for Skim<'_> {
    type Value = (Kind, State);

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for Skim<'_> {
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
        Ok((number_kind(number), State::Present))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let blank = is_blank(text);
        Ok((
            Kind::String,
            if blank { State::Blank } else { State::Present },
        ))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, list: A) -> Result<Self::Value, A::Error> {
        skim_list(list, self.0)?;
        Ok((Kind::Array, State::Present))
    }

    fn visit_map<A: MapAccess<'t>>(self, object: A) -> Result<Self::Value, A::Error> {
        skim_object(object, self.0)?;
        Ok((Kind::Object, State::Present))
    }
}

fn skim_list<'t, A: SeqAccess<'t>>(mut list: A, watch: &Watch) -> Result<(), A::Error> {
    while list.next_element_seed(Skim(watch))?.is_some() {}
    Ok(())
}

fn skim_object<'t, A: MapAccess<'t>>(mut object: A, watch: &Watch) -> Result<(), A::Error> {
    let mut keys = Seen::default();
    while let Some(key) = object.next_key_seed(Key)? {
        watch.note(&mut keys, key)?;
        object.next_value_seed(Skim(watch))?;
    }
    Ok(())
}

/// Reads over a member that a record does not name, keeping what rules asked to keep.
pub(crate) fn unknown<'t, A: MapAccess<'t>>(
    key: Cow<'t, str>,
    object: &mut A,
    (keys, kept): (&mut Seen<'t>, &mut Vec<Unknown<'t>>),
    watch: &Watch,
) -> Result<(), A::Error> {
    let (_, state) = object.next_value_seed(Skim(watch))?;
    if watch.keeps_unknown() {
        kept.push(Unknown {
            key: key.clone(),
            state,
        });
    }
    watch.note(keys, key)
}

/// Reads an object's key, borrowed where it has no escapes.
pub(crate) struct Key;

impl<'t> DeserializeSeed<'t> for Key {
    type Value = Cow<'t, str>;

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'t> Visitor<'t> for Key {
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
}

impl<'t> Typed<'t> for Cow<'t, str> {
    fn text(text: Cow<'t, str>) -> Option<Self> {
        Some(text)
    }
}

impl Typed<'_> for Number {
    fn number(number: f64) -> Option<Self> {
        Some(Self(number))
    }
}

impl Typed<'_> for Integer {
    fn number(number: f64) -> Option<Self> {
        is_integral(number).then_some(Self(number))
    }
}

impl Typed<'_> for bool {
    fn boolean(boolean: bool) -> Option<Self> {
        Some(boolean)
    }
}

impl<'t> Typed<'t> for Anything {
    fn null() -> Option<Self> {
        Some(Self(Kind::Null))
    }

    fn text(_: Cow<'t, str>) -> Option<Self> {
        Some(Self(Kind::String))
    }

    fn number(number: f64) -> Option<Self> {
        Some(Self(number_kind(number)))
    }

    fn boolean(_: bool) -> Option<Self> {
        Some(Self(Kind::Boolean))
    }

    fn list<A: SeqAccess<'t>>(list: A, watch: &Watch) -> Result<Option<Self>, A::Error> {
        skim_list(list, watch).map(|()| Some(Self(Kind::Array)))
    }

    fn object<A: MapAccess<'t>>(object: A, watch: &Watch) -> Result<Option<Self>, A::Error> {
        skim_object(object, watch).map(|()| Some(Self(Kind::Object)))
    }
}

/// Lists and maps have no absent items: null is one of the wrong type.
fn not_null<T>(item: Field<T>, watch: &Watch) -> Field<T> {
    match item {
        Field::Null => Reader::new(watch).field(None, Kind::Null),
        item => item,
    }
}

impl<'t, T: Typed<'t>> Typed<'t> for Vec<Field<T>> {
    fn list<A: SeqAccess<'t>>(mut list: A, watch: &Watch) -> Result<Option<Self>, A::Error> {
        // Most lists are this short; longer ones grow.
        let mut items = Vec::with_capacity(4);
        while let Some(item) = list.next_element_seed(Reader::new(watch))? {
            items.push(not_null(item, watch));
            watch.count()?;
        }
        Ok(Some(items))
    }
}

impl<'t, T: Typed<'t>> Typed<'t> for Dict<'t, T> {
    fn object<A: MapAccess<'t>>(mut object: A, watch: &Watch) -> Result<Option<Self>, A::Error> {
        let mut keys = Seen::default();
        let mut members = Vec::new();
        while let Some(key) = object.next_key_seed(Key)? {
            watch.note(&mut keys, key.clone())?;
            let member = object.next_value_seed(Reader::new(watch))?;
            members.push((key, not_null(member, watch)));
        }
        Ok(Some(Self(members)))
    }
}
