//! Values as the source writes them: no number loses a digit, no object its order.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::json::decode::skip::KeySeed;
use crate::text::is_blank;

/// A value, byte for byte the source's or one of our own.
pub(super) type Raw<'t> = Cow<'t, RawValue>;

/// A member's value, which may be null; none where the key is absent.
pub(super) type Leaf<'t> = Option<Raw<'t>>;

/// A value of our own. `None` only where it has no JSON, which no text and no finite number lacks.
pub(super) fn made(value: &(impl Serialize + ?Sized)) -> Leaf<'static> {
    to_raw_value(value).ok().map(Cow::Owned)
}

/// The text, if the value is one.
pub(super) fn text(leaf: &Leaf<'_>) -> Option<String> {
    serde_json::from_str(leaf.as_ref()?.get()).ok()
}

/// The strings of a list of them.
pub(super) fn texts(leaf: &Leaf<'_>) -> Vec<String> {
    let items = leaf
        .as_ref()
        .and_then(|raw| serde_json::from_str::<Vec<&RawValue>>(raw.get()).ok());
    let texts = items.unwrap_or_default().into_iter();
    texts
        .filter_map(|item| serde_json::from_str(item.get()).ok())
        .collect()
}

/// Whether a reader of the standard sees nothing here: no key, or null.
pub(super) fn is_absent(leaf: &Leaf<'_>) -> bool {
    leaf.as_ref().is_none_or(|raw| raw.get() == "null")
}

/// Whether there is nothing to read here: absent, or a blank text.
pub(super) fn is_unfilled(leaf: &Leaf<'_>) -> bool {
    is_absent(leaf) || text(leaf).is_some_and(|text| is_blank(&text))
}

/// An object's members, in its order.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceMembers<'t>(pub(super) Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> SourceMembers<'t> {
    /// The members, if the value is an object.
    pub(super) fn of(value: &'t RawValue) -> Option<Self> {
        serde_json::from_str(value.get()).ok()
    }

    pub(super) fn take_borrowed(&mut self, key: &str) -> Option<&'t RawValue> {
        let place = self.0.iter().position(|(known, _)| known == key)?;
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

/// A part of a return that has parts of its own.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Held<'t, T> {
    /// The key is absent.
    Missing,
    /// Null, or of another type than the standard gives it: it goes on as it is.
    Other(Raw<'t>),
    /// As the standard has it.
    Is(T),
}

/// A list whose every item may be of another type.
pub(super) type HeldList<'t, T> = Held<'t, Vec<Held<'t, T>>>;

impl<'t, T> Held<'t, T> {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// An object, its members made a part of.
    pub(super) fn object(
        value: Option<&'t RawValue>,
        part: impl FnOnce(SourceMembers<'t>) -> T,
    ) -> Self {
        match value.map(|value| (value, SourceMembers::of(value))) {
            None => Self::Missing,
            Some((_, Some(members))) => Self::Is(part(members)),
            Some((value, None)) => Self::Other(Cow::Borrowed(value)),
        }
    }

    /// The part, made where there is none; none where something else stands in its place.
    pub(super) fn or_made(&mut self) -> Option<&mut T>
    where
        T: Default,
    {
        let is_absent = match self {
            Self::Missing => true,
            Self::Other(raw) => raw.get() == "null",
            Self::Is(_) => false,
        };
        if is_absent {
            *self = Self::Is(T::default());
        }
        match self {
            Self::Is(part) => Some(part),
            _ => None,
        }
    }
}

impl<'t, T> HeldList<'t, T> {
    /// An array of objects, each made a part of; parts count from 0.
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
                    .map(|(index, item)| Held::object(Some(item), |members| part(index, members)));
                Self::Is(items.collect())
            }
            Err(_) => Self::Other(Cow::Borrowed(value)),
        }
    }

    /// The parts, with their index from 0.
    pub(super) fn parts(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        let items = match self {
            Self::Is(items) => items.as_mut_slice(),
            _ => &mut [],
        };
        let items = items.iter_mut().enumerate();
        items.filter_map(|(index, item)| match item {
            Held::Is(part) => Some((index, part)),
            _ => None,
        })
    }

    /// The same list of other parts, each made with its index from 0.
    pub(super) fn map<U>(self, mut each: impl FnMut(usize, T) -> U) -> HeldList<'t, U> {
        match self {
            Self::Missing => Held::Missing,
            Self::Other(raw) => Held::Other(raw),
            Self::Is(items) => Held::Is(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(index, item)| match item {
                        Held::Missing => Held::Missing,
                        Held::Other(raw) => Held::Other(raw),
                        Held::Is(part) => Held::Is(each(index, part)),
                    })
                    .collect(),
            ),
        }
    }
}
