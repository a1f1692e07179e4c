//! The document: what a text says, as one JSON value in which every part knows its place.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::name;
use crate::text::Span;

/// A value of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedValue<'t> {
    /// The value itself.
    pub content: Content<'t>,
    /// Where the message states it. Reports point there. For a label this is its line, for a section
    /// its heading, for a tag its opening tag. None for values that are computed, such as the number of
    /// lines, and for the objects that only group others, such as `labels`.
    pub place: Option<Span>,
    /// The bytes of the message that are the value, with its marks. None if the value is not a text of
    /// the text form. Then the text itself is the source.
    pub source: Option<Span>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content<'t> {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, and the text that it was read from. One that no `f64` holds is the largest of its sign.
    Number(serde_json::Number, Cow<'t, str>),
    /// A text without its marks.
    Text(Cow<'t, str>),
    /// An array.
    List(Vec<PlacedValue<'t>>),
    /// An object.
    Object(Object<'t>),
    /// A name that stands there more than once, with the value of each, in their order. Never nested
    /// directly, and never with fewer than two.
    Several(Vec<PlacedValue<'t>>),
}

/// The members of an object, in their order. No two of them have an equal name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object<'t> {
    /// Names and values.
    pub members: Vec<(Cow<'t, str>, PlacedValue<'t>)>,
    /// When a name is one of its members.
    pub names: Names,
}

/// When two names of members are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Names {
    /// If they have the same characters, as in JSON and YAML.
    #[default]
    Exact,
    /// Without regard to case, marks, emoji, numbering and separators, as in text.
    Alike,
}

impl<'t> Object<'t> {
    /// The name, as written, and the value of a member.
    pub(crate) fn get(&self, name: &str) -> Option<(&str, &PlacedValue<'t>)> {
        let is_it = |member: &&(Cow<'t, str>, PlacedValue<'t>)| match self.names {
            Names::Exact => member.0 == name,
            Names::Alike => name::is_alike(&member.0, name),
        };
        let (name, value) = self.members.iter().find(is_it)?;
        Some((name, value))
    }
}

impl<'t> PlacedValue<'t> {
    /// A value without a place.
    pub(crate) fn unplaced(content: Content<'t>) -> Self {
        Self {
            content,
            place: None,
            source: None,
        }
    }

    /// A value at this place.
    pub(crate) fn at(content: Content<'t>, place: Span) -> Self {
        Self {
            content,
            place: Some(place),
            source: None,
        }
    }

    /// Moves all places by `bytes` to the right.
    pub(super) fn shift(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        for span in [&mut self.place, &mut self.source].into_iter().flatten() {
            span.start += bytes;
            span.end += bytes;
        }
        match &mut self.content {
            Content::List(values) | Content::Several(values) => {
                for value in values {
                    value.shift(bytes);
                }
            }
            Content::Object(object) => {
                for (_, value) in &mut object.members {
                    value.shift(bytes);
                }
            }
            _ => {}
        }
    }

    /// The member of that name. None if it is missing or this is not an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        Some(self.object()?.get(name)?.1)
    }

    /// The object. None for any other value.
    pub(crate) fn object(&self) -> Option<&Object<'t>> {
        match &self.content {
            Content::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The items. None if it is not a list.
    pub(crate) fn list(&self) -> Option<&[Self]> {
        match &self.content {
            Content::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text without marks. None for any other value.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text as it was written, with all marks. None if it is not a text. `message` must be the text
    /// that the document was read from.
    #[cfg(test)]
    pub(crate) fn source<'s>(&'s self, message: &'s str) -> Option<&'s str> {
        let text = self.text()?;
        let source = self.source.and_then(|it| message.get(it.start..it.end));
        Some(source.unwrap_or(text))
    }
}

impl Serialize for PlacedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.content {
            Content::Null => serializer.serialize_unit(),
            Content::Bool(value) => serializer.serialize_bool(*value),
            Content::Number(number, _) => number.serialize(serializer),
            Content::Text(text) => serializer.serialize_str(text),
            Content::List(items) => serializer.collect_seq(items),
            Content::Object(object) => {
                let members = object.members.iter().map(|(name, value)| (name, value));
                serializer.collect_map(members)
            }
            Content::Several(values) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("several", values)?;
                map.end()
            }
        }
    }
}
