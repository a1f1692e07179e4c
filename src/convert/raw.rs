//! Values exactly as in the source: numbers keep their digits, and objects the order of their keys.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::json::members::RawMembers;
use crate::text::is_blank;

/// A value of a return.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Part<'t> {
    /// A slice of the source, or a new value. It is copied unchanged.
    Raw(Cow<'t, RawValue>),
    Object(Members<'t>),
    List(Vec<Part<'t>>),
}

/// A new value. None if it cannot be written as JSON; every text and every finite number can.
pub(super) fn made(value: &(impl Serialize + ?Sized)) -> Option<Part<'static>> {
    let raw = to_raw_value(value).ok()?;
    Some(Part::Raw(Cow::Owned(raw)))
}

impl<'t> Part<'t> {
    /// The JSON text of a value that was not opened.
    pub(super) fn json(&self) -> &str {
        match self {
            Self::Raw(raw) => raw.get(),
            Self::Object(_) | Self::List(_) => "",
        }
    }

    /// The value as another type. None if it has no such value.
    pub(super) fn read<T: Deserialize<'t>>(&self) -> Option<T> {
        match self {
            Self::Raw(Cow::Borrowed(raw)) => serde_json::from_str(raw.get()).ok(),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<String> {
        serde_json::from_str(self.json()).ok()
    }

    pub(super) fn texts(&self) -> Vec<String> {
        let items = serde_json::from_str::<Vec<&RawValue>>(self.json()).unwrap_or_default();
        let text = |item: &RawValue| serde_json::from_str(item.get()).ok();
        items.into_iter().filter_map(text).collect()
    }

    pub(super) fn is_null(&self) -> bool {
        self.json() == "null"
    }

    /// Puts the members of objects into the order of `names`, the others last.
    pub(super) fn sort(&mut self, names: &[&str]) {
        let place = |key: &str| names.iter().position(|name| *name == key);
        match self {
            Self::Raw(_) => {}
            Self::Object(Members(members)) => {
                members.sort_by_key(|(key, _)| place(key).unwrap_or(names.len()));
            }
            Self::List(items) => items.iter_mut().for_each(|item| item.sort(names)),
        }
    }
}

/// The members of an object, in order. No key occurs twice.
#[derive(Debug, Clone, Default)]
pub(super) struct Members<'t>(pub(super) Vec<(Cow<'t, str>, Part<'t>)>);

impl<'t> Members<'t> {
    pub(super) fn get(&self, key: &str) -> Option<&Part<'t>> {
        let found = self.0.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    pub(super) fn get_mut(&mut self, key: &str) -> Option<&mut Part<'t>> {
        let found = self.0.iter_mut().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Part<'t>> {
        let place = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.remove(place).1)
    }

    /// Replaces or adds a member, if there is a value.
    pub(super) fn set(&mut self, key: &'static str, value: Option<Part<'t>>) {
        match (self.get_mut(key), value) {
            (_, None) => {}
            (Some(old), Some(new)) => *old = new,
            (None, Some(new)) => self.0.push((key.into(), new)),
        }
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.get(key)?.text()
    }

    pub(super) fn is_absent(&self, key: &str) -> bool {
        self.get(key).is_none_or(Part::is_null)
    }

    /// Whether a member is absent, null or a blank text.
    pub(super) fn is_unfilled(&self, key: &str) -> bool {
        self.is_absent(key) || self.text(key).is_some_and(|text| is_blank(&text))
    }

    /// The object of a member, which is created if it is absent or null. None if it has another type.
    pub(super) fn get_or_create(&mut self, key: &'static str) -> Option<&mut Self> {
        if self.is_absent(key) {
            self.set(key, Some(Part::Object(Self::default())));
        }
        match self.get_mut(key) {
            Some(Part::Object(members)) => Some(members),
            _ => None,
        }
    }

    /// The items of a list. None if the member was not read as one.
    pub(super) fn list(&mut self, key: &str) -> &mut [Part<'t>] {
        match self.get_mut(key) {
            Some(Part::List(items)) => items,
            _ => &mut [],
        }
    }

    /// The objects in a list, with their indexes from 0.
    pub(super) fn objects(&mut self, key: &str) -> impl Iterator<Item = (usize, &mut Self)> {
        let items = self.list(key).iter_mut().enumerate();
        items.filter_map(|(index, item)| match item {
            Part::Object(members) => Some((index, members)),
            _ => None,
        })
    }
}

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        let members = RawMembers::deserialize(deserializer)?.0.into_iter();
        let part = |(key, raw)| (key, Part::Raw(Cow::Borrowed(raw)));
        Ok(Self(members.map(part).collect()))
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
