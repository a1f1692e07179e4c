//! JSON objects whose members stay text until they are asked for.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Formatter};

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::de::StrRead;
use serde_json::value::RawValue;

/// The members of an object, as JSON.
#[derive(Debug, Default)]
pub(crate) struct RawObject<'t> {
    members: HashMap<Cow<'t, str>, &'t RawValue>,
    /// Whether two members have the same name. The last one counts.
    has_twice: bool,
}

impl<'t> RawObject<'t> {
    /// The object that is a whole text. None if two of its members have the same name.
    pub(crate) fn whole(text: &'t str) -> Option<Self> {
        Self::parse(text).ok().filter(|object| !object.has_twice)
    }

    pub(crate) fn parse(text: &'t str) -> serde_json::Result<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let (object, read) = Self::read(&mut json);
        read.and_then(|()| json.end()).map(|()| object)
    }

    pub(crate) fn first(text: &'t str) -> serde_json::Result<Self> {
        let (object, read) = Self::read(&mut serde_json::Deserializer::from_str(text));
        read.map(|()| object)
    }

    /// The members before the place where a text ends or is not JSON.
    pub(crate) fn beginning(text: &'t str) -> Self {
        Self::read(&mut serde_json::Deserializer::from_str(text)).0
    }

    fn read(json: &mut serde_json::Deserializer<StrRead<'t>>) -> (Self, serde_json::Result<()>) {
        let mut object = Self::default();
        let read = json.deserialize_map(&mut object);
        (object, read)
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = (&Cow<'t, str>, &'t str)> {
        self.members.iter().map(|(name, json)| (name, json.get()))
    }

    pub(crate) fn raw(&self, name: &str) -> Option<&'t str> {
        let value = self.members.get(name)?.get();
        (value != "null").then_some(value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.raw(name).is_some()
    }

    pub(crate) fn has_only(&self, names: &[&str]) -> bool {
        self.members.keys().all(|name| names.contains(&&**name))
    }

    pub(crate) fn has_object(&self, name: &str) -> bool {
        self.raw(name).is_some_and(|json| json.starts_with('{'))
    }

    pub(crate) fn text(&self, name: &str) -> Option<Cow<'t, str>> {
        text_of(self.raw(name)?)
    }

    pub(crate) fn is(&self, name: &str, text: &str) -> bool {
        self.text(name).is_some_and(|it| it == text)
    }

    pub(crate) fn typed<T: Deserialize<'t>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.raw(name)?).ok()
    }
}

impl<'t> Visitor<'t> for &mut RawObject<'t> {
    type Value = ();

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((RawText(key), value)) = map.next_entry()? {
            self.has_twice |= self.members.insert(key, value).is_some();
        }
        Ok(())
    }
}

/// A text, which is copied only if it has escapes.
#[derive(Deserialize)]
pub(crate) struct RawText<'t>(#[serde(borrow)] pub(crate) Cow<'t, str>);

/// The text that a JSON string stands for. None of another value.
pub(crate) fn text_of(json: &str) -> Option<Cow<'_, str>> {
    let text: Option<RawText<'_>> = serde_json::from_str(json).ok();
    text.map(|RawText(text)| text)
}

/// The JSON of the items of a list, each read when it is asked for. None of another value.
pub(crate) fn items_of(json: &str) -> impl Iterator<Item = &str> {
    let mut rest = json.strip_prefix('[').unwrap_or_default();
    std::iter::from_fn(move || {
        let start = rest.trim_start_matches([',', ' ', '\t', '\r', '\n']);
        let mut json = serde_json::Deserializer::from_str(start);
        let item = <&RawValue>::deserialize(&mut json).ok()?.get();
        rest = &start[item.len()..];
        Some(item)
    })
}

/// The JSON at the rest of a JSON pointer. None if it is absent or `null`.
pub(crate) fn at<'t>(json: &'t str, pointer: &str) -> Option<&'t str> {
    let mut value = json;
    for step in pointer.split('/').skip(1) {
        value = match step.parse() {
            Ok(index) if value.starts_with('[') => items_of(value).nth(index)?,
            _ => {
                let name = step.replace("~1", "/").replace("~0", "~");
                RawObject::beginning(value).raw(&name)?
            }
        };
    }
    (value != "null").then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_the_text_of_a_value() {
        let json = r#"{"a": {"b/c": [1, {"d~": "x"}], "e": null}, "a~1": 2.50}"#;
        for (pointer, expected) in [
            ("/a/b~1c/1/d~0", Some("\"x\"")),
            ("/a~01", Some("2.50")),
            ("/a/e", None),
            ("/a/b~1c/2", None),
            ("/a/b", None),
        ] {
            assert_eq!(at(json, pointer), expected, "{pointer}");
        }
        assert_eq!(at(json, ""), Some(json));
    }

    #[test]
    fn the_last_of_equal_members_counts_where_it_is_allowed() {
        let twice = r#"{"a":1,"\u0061":2}"#;
        assert_eq!(RawObject::beginning(twice).raw("a"), Some("2"));
        assert!(RawObject::whole(twice).is_none());
    }

    #[test]
    fn members_before_an_error_are_read() {
        for text in [r#"{"a":1,"b":"#, r#"{"a":1,"b":"x"#, r#"{"a":1,nul"#, r#"{"a":1} {}"#] {
            assert!(RawObject::whole(text).is_none(), "{text}");
            assert_eq!(RawObject::beginning(text).raw("a"), Some("1"), "{text}");
        }
        assert!(RawObject::whole("[]").is_none());
    }
}
