//! The first pass: `serde_json` drives, nothing stops at a wrong type.
//!
//! serde's derived readers give up at the first surprise. These record it and read on, so that one
//! run reports everything, and they see every key at every depth, so that none stands twice unseen.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

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

    fn put(self, value: Option<T>, found: Kind) {
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
        self.put(T::number(number), number_kind(number));
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

    fn list<A: SeqAccess<'t>>(list: A, reader: Reader<'_, Self>) -> Result<(), A::Error> {
        skim_list(list, reader.watch)?;
        reader.put(Some(Self(Kind::Array)), Kind::Array);
        Ok(())
    }

    fn object<A: MapAccess<'t>>(object: A, reader: Reader<'_, Self>) -> Result<(), A::Error> {
        skim_object(object, reader.watch)?;
        reader.put(Some(Self(Kind::Object)), Kind::Object);
        Ok(())
    }
}

/// Lists and maps have no absent items: null is one of the wrong type.
fn refuse_null<T>(item: &mut Field<T>, watch: &Watch) {
    if matches!(item, Field::Null) {
        Reader::new(watch, item).put(None, Kind::Null);
    }
}

impl<'t, T: Typed<'t>> Typed<'t> for Vec<Field<T>> {
    fn list<A: SeqAccess<'t>>(mut list: A, reader: Reader<'_, Self>) -> Result<(), A::Error> {
        let watch = reader.watch;
        // Most lists are this short; longer ones grow.
        let items = reader.field.insert(Vec::with_capacity(4));
        while let Some(()) = list.next_element_seed(Next(watch, items))? {
            watch.count()?;
        }
        Ok(())
    }
}

/// Reads one more item to the end of a list.
struct Next<'w, T>(&'w Watch, &'w mut Vec<Field<T>>);

impl<'t, T: Typed<'t>> DeserializeSeed<'t> for Next<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self(watch, items) = self;
        items.push(Field::Missing);
        if let Some(item) = items.last_mut() {
            Reader::new(watch, item).deserialize(deserializer)?;
            refuse_null(item, watch);
        }
        Ok(())
    }
}

impl<'t, T: Typed<'t>> Typed<'t> for Dict<'t, T> {
    fn object<A: MapAccess<'t>>(mut object: A, reader: Reader<'_, Self>) -> Result<(), A::Error> {
        let watch = reader.watch;
        let mut keys = Seen::default();
        let mut members = Vec::new();
        while let Some(key) = object.next_key_seed(Key)? {
            watch.note(&mut keys, key.clone())?;
            let mut member = Field::Missing;
            object.next_value_seed(Reader::new(watch, &mut member))?;
            refuse_null(&mut member, watch);
            members.push((key, member));
        }
        reader.put(Some(Self(members)), Kind::Object);
        Ok(())
    }
}
