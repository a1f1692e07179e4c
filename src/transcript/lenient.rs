//! Values of a record that may have any type: what is not as expected is passed over.
//!
//! Nothing is copied unless it has escapes. Unknown members are skipped without recursion.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Bytes of a text with escapes, which has to be copied. Longer ones are no prompt, command or answer
/// that an agent has written.
const COPIED_AT_MOST: usize = 512 << 10;

/// Elements that are read of one list.
const ELEMENTS_AT_MOST: usize = 256;

/// Implements the methods of a visitor for the kinds of values that it does not want.
macro_rules! otherwise {
    ($value:expr; $($kind:ident)*) => { $(otherwise!(@$kind $value);)* };
    (@bool $value:expr) => {
        fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> { Ok($value) }
    };
    (@number $value:expr) => {
        fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> { Ok($value) }
        fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> { Ok($value) }
        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> { Ok($value) }
    };
    (@text $value:expr) => {
        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> { Ok($value) }
    };
    (@null $value:expr) => {
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> { Ok($value) }
    };
    (@list $value:expr) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok($value)
        }
    };
    (@map $value:expr) => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($value)
        }
    };
}

/// A string, or nothing.
#[derive(Debug, Default, Clone)]
pub(super) struct LenientText<'a>(pub(super) Option<Cow<'a, str>>);

impl LenientText<'_> {
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The string, or an empty one.
    pub(super) fn or_empty(&self) -> &str {
        self.get().unwrap_or_default()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LenientText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(LenientText)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let is_short = text.len() <= COPIED_AT_MOST;
        Ok(is_short.then(|| Cow::Owned(text.to_owned())))
    }

    otherwise!(None; bool number null list map);
}

/// A whole number from 0, or nothing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct LenientNumber(pub(super) Option<i64>);

impl LenientNumber {
    pub(super) fn count(self) -> Option<u64> {
        self.0.and_then(|number| u64::try_from(number).ok())
    }
}

impl<'de> Deserialize<'de> for LenientNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(NumberVisitor)
            .map(LenientNumber)
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Option<i64>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(number).ok())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    otherwise!(None; bool text null list map);
}

/// True, false or nothing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Flag(pub(super) Option<bool>);

impl Flag {
    pub(super) fn is_true(self) -> bool {
        self.0 == Some(true)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagVisitor).map(Flag)
    }
}

struct FlagVisitor;

impl<'de> Visitor<'de> for FlagVisitor {
    type Value = Option<bool>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(value))
    }

    otherwise!(None; number text null list map);
}

/// An object, or nothing.
#[derive(Debug, Clone)]
pub(super) struct Object<T>(pub(super) Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(ObjectVisitor(PhantomData))
            .map(Object)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }

    otherwise!(None; bool number text null list);
}

/// A string, a list of objects, or nothing.
#[derive(Debug, Default)]
pub(super) enum Content<'a, T> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    List(List<T>),
}

impl<T> Content<'_, T> {
    pub(super) fn list(&self) -> &[T] {
        match self {
            Self::List(list) => &list.elements,
            Self::Nothing | Self::Text(_) => &[],
        }
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Content<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor(PhantomData))
    }
}

struct ContentVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ContentVisitor<T> {
    type Value = Content<'de, T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let text = TextVisitor.visit_str(text)?;
        Ok(text.map_or(Content::Nothing, Content::Text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        List::read(list).map(Content::List)
    }

    otherwise!(Content::Nothing; bool number null map);
}

/// The objects of a list, up to a limit.
#[derive(Debug)]
pub(super) struct List<T> {
    pub(super) elements: Vec<T>,
    /// Whether there were more than are kept.
    pub(super) is_cut: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            elements: Vec::new(),
            is_cut: false,
        }
    }
}

impl<T> List<T> {
    fn read<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error>
    where
        T: Deserialize<'de>,
    {
        let mut elements = Vec::new();
        while elements.len() < ELEMENTS_AT_MOST {
            match list.next_element::<Object<T>>()? {
                Some(element) => elements.extend(element.0),
                None => {
                    return Ok(Self {
                        elements,
                        is_cut: false,
                    });
                }
            }
        }
        let mut is_cut = false;
        while list.next_element::<IgnoredAny>()?.is_some() {
            is_cut = true;
        }
        Ok(Self { elements, is_cut })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Content::deserialize(deserializer)? {
            Content::List(list) => list,
            Content::Nothing | Content::Text(_) => Self::default(),
        })
    }
}
