//! Values exactly as in the source: numbers keep their digits, and objects the order of their keys.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::json::decode::skip::KeySeed;
use crate::text::is_blank;

/// A value: a slice of the source, or a new value.
pub(super) type Raw<'t> = Cow<'t, RawValue>;

/// The value of a member, which may be null. None if the key is absent.
pub(super) type Leaf<'t> = Option<Raw<'t>>;

/// A new value. None if it cannot be written as JSON; every text and every finite number can.
pub(super) fn made(value: &(impl Serialize + ?Sized)) -> Leaf<'static> {
    to_raw_value(value).ok().map(Cow::Owned)
}

/// The text, if the value is a string.
pub(super) fn text(leaf: &Leaf<'_>) -> Option<String> {
    serde_json::from_str(leaf.as_ref()?.get()).ok()
}

/// The strings in a list.
pub(super) fn texts(leaf: &Leaf<'_>) -> Vec<String> {
    let items = leaf
        .as_ref()
        .and_then(|raw| serde_json::from_str::<Vec<&RawValue>>(raw.get()).ok());
    let texts = items.unwrap_or_default().into_iter();
    texts
        .filter_map(|item| serde_json::from_str(item.get()).ok())
        .collect()
}

/// Whether the key is absent or the value is null.
pub(super) fn is_absent(leaf: &Leaf<'_>) -> bool {
    leaf.as_ref().is_none_or(|raw| raw.get() == "null")
}

/// Whether the value is absent or a blank text.
pub(super) fn is_unfilled(leaf: &Leaf<'_>) -> bool {
    is_absent(leaf) || text(leaf).is_some_and(|text| is_blank(&text))
}

/// The members of an object, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceMembers<'t>(pub(super) Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> SourceMembers<'t> {
    /// The members, if the value is an object.
    pub(super) fn of(value: &'t RawValue) -> Option<Self> {
        serde_json::from_str(value.get()).ok()
    }

    pub(super) fn take_borrowed(&mut self, key: &str) -> Option<&'t RawValue> {
        let place = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(place).1)
    }

    pub(super) fn take(&mut self, key: &str) -> Leaf<'t> {
        self.take_borrowed(key).map(Cow::Borrowed)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'t> Deserialize<'t> for SourceMembers<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Gather)
    }
}

struct Gather;

impl<'t> Visitor<'t> for Gather {
    type Value = SourceMembers<'t>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut object: A) -> Result<SourceMembers<'t>, A::Error> {
        let mut members = SourceMembers::default();
        while let Some(key) = object.next_key_seed(KeySeed)? {
            members.0.push((key, object.next_value()?));
        }
        Ok(members)
    }
}

impl Serialize for SourceMembers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// An object or a list in a return.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Part<'t, T> {
    /// The key is absent.
    Missing,
    /// Null, or a value of another type. It is copied unchanged.
    Other(Raw<'t>),
    /// A value of the expected type.
    Value(T),
}

/// A list whose items may each be of another type.
pub(super) type PartList<'t, T> = Part<'t, Vec<Part<'t, T>>>;

impl<'t, T> Part<'t, T> {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// Reads an object.
    pub(super) fn object(
        value: Option<&'t RawValue>,
        part: impl FnOnce(SourceMembers<'t>) -> T,
    ) -> Self {
        match value.map(|value| (value, SourceMembers::of(value))) {
            None => Self::Missing,
            Some((_, Some(members))) => Self::Value(part(members)),
            Some((value, None)) => Self::Other(Cow::Borrowed(value)),
        }
    }

    /// The value, which is created if it is absent or null. None if it has another type.
    pub(super) fn get_or_create(&mut self) -> Option<&mut T>
    where
        T: Default,
    {
        let is_absent = match self {
            Self::Missing => true,
            Self::Other(raw) => raw.get() == "null",
            Self::Value(_) => false,
        };
        if is_absent {
            *self = Self::Value(T::default());
        }
        match self {
            Self::Value(part) => Some(part),
            _ => None,
        }
    }
}

impl<'t, T> PartList<'t, T> {
    /// Reads an array of objects. Indexes count from 0.
    pub(super) fn list(
        value: Option<&'t RawValue>,
        mut part: impl FnMut(usize, SourceMembers<'t>) -> T,
    ) -> Self {
        let Some(value) = value else {
            return Self::Missing;
        };
        match serde_json::from_str::<Vec<&'t RawValue>>(value.get()) {
            Ok(items) => {
                let items = items.into_iter().enumerate();
                let items = items
                    .map(|(index, item)| Part::object(Some(item), |members| part(index, members)));
                Self::Value(items.collect())
            }
            Err(_) => Self::Other(Cow::Borrowed(value)),
        }
    }

    /// The item at an index from 0, if it has the expected type.
    pub(super) fn part(&mut self, index: usize) -> Option<&mut T> {
        match self {
            Self::Value(items) => match items.get_mut(index) {
                Some(Part::Value(part)) => Some(part),
                _ => None,
            },
            _ => None,
        }
    }

    /// The items of the expected type, with their indexes from 0.
    pub(super) fn parts(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        let items = match self {
            Self::Value(items) => items.as_mut_slice(),
            _ => &mut [],
        };
        let items = items.iter_mut().enumerate();
        items.filter_map(|(index, item)| match item {
            Part::Value(part) => Some((index, part)),
            _ => None,
        })
    }

    /// Converts each item of the expected type, with its index from 0.
    pub(super) fn map<U>(self, mut each: impl FnMut(usize, T) -> U) -> PartList<'t, U> {
        match self {
            Self::Missing => Part::Missing,
            Self::Other(raw) => Part::Other(raw),
            Self::Value(items) => Part::Value(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(index, item)| match item {
                        Part::Missing => Part::Missing,
                        Part::Other(raw) => Part::Other(raw),
                        Part::Value(part) => Part::Value(each(index, part)),
                    })
                    .collect(),
            ),
        }
    }
}
