//! The JSON of a record, of which only some members are known.
//!
//! Clients change their records as they like, so a member that is missing, or has another type than the
//! known one, is none. Only a text that is not JSON is an error. Strings without escapes are not copied, and
//! what has too many values is not read, so that a line takes little more memory than its text.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::{self, Formatter};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Number;

use super::Tokens;
use crate::clients::raw::{RawObject, RawText};

/// The most values of the records on one line, or of a message of a document.
const VALUES_AT_MOST: u32 = 32 << 10;

type JsonMember<'t> = (Cow<'t, str>, JsonNode<'t>);

#[derive(Debug, Default, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum JsonNode<'t> {
    #[default]
    Nothing,
    Flag(bool),
    Number(Number),
    Text(Cow<'t, str>),
    List(Vec<Self>),
    #[serde(serialize_with = "as_map")]
    Object(Vec<JsonMember<'t>>),
}

fn as_map<S: Serializer>(members: &[JsonMember<'_>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(members.iter().map(|(key, value)| (key, value)))
}

static NOTHING: JsonNode = JsonNode::Nothing;

impl<'t> JsonNode<'t> {
    pub(crate) fn at(&self, name: &str) -> &Self {
        let found = self.members().iter().find(|(key, _)| *key == name);
        found.map_or(&NOTHING, |(_, value)| value)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.at(name).text()
    }

    pub(crate) fn first_of(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.get(name))
    }

    pub(crate) fn word(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        match self.at(name) {
            Self::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.number(name)?).ok()
    }

    /// The sum of these counts, without those that are missing.
    pub(crate) fn sum<const N: usize>(&self, names: [&str; N]) -> u64 {
        let counts = names.iter().filter_map(|name| self.count(name));
        counts.fold(0, u64::saturating_add)
    }

    /// The tokens of a message but its output: from the counts of its input with the cached ones, of those, and of all.
    pub(crate) fn tokens(&self, [input, cached, total]: [&str; 3]) -> Tokens {
        let cache = self.sum([cached]);
        Tokens {
            input: self.sum([input]).saturating_sub(cache),
            output: 0,
            cache,
            total: self.sum([total]),
        }
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        *self.at(name) == Self::Flag(true)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list. None of any other value.
    pub(crate) fn list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The members of an object. None of any other value.
    pub(crate) fn members(&self) -> &[JsonMember<'t>] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    pub(crate) fn object(&self, name: &str) -> Option<&Self> {
        Some(self.at(name)).filter(|it| it.is_object())
    }

    pub(crate) const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    pub(crate) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The text, or the text of the first part of a list that has one.
    pub(crate) fn first_text(&self) -> &str {
        let first = self.list().iter().find(|part| part.word("type") == "text");
        let first = first.map(|part| part.word("text"));
        self.text().or(first).unwrap_or_default()
    }

    pub(crate) fn joined_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            _ => Cow::Owned(self.list().iter().map(|part| part.word("text")).collect()),
        }
    }

    pub(crate) fn whole(text: &'t str) -> Option<Self> {
        Self::any(text).filter(Self::is_object)
    }

    pub(crate) fn head(document: &RawObject<'t>) -> Self {
        let others = document.members().filter(|(name, _)| *name != "messages");
        let read = others.map(|(name, json)| (name.clone(), Self::any(json).unwrap_or_default()));
        Self::Object(read.collect())
    }

    fn any(text: &'t str) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = NodeReader::new().deserialize(&mut json).ok()?;
        json.end().is_ok().then_some(value)
    }
}

/// Calls a function with each object of a line. Returns whether the whole line could be read.
pub(crate) fn each(text: &str, mut read: impl FnMut(&JsonNode)) -> bool {
    let reader = NodeReader::new();
    let mut json = serde_json::Deserializer::from_str(text);
    while json.end().is_err() {
        match reader.deserialize(&mut json) {
            Ok(record) if record.is_object() => read(&record),
            _ => return false,
        }
    }
    true
}

/// The text of a line or a document. Bytes that are not UTF-8 become U+FFFD, and so do escapes of halves of
/// surrogate pairs: these stand for no character, so no Rust string can hold them.
pub(crate) fn text_of_json(bytes: &[u8]) -> Cow<'_, str> {
    /// It is as long as the escape of a surrogate.
    const REPLACEMENT: &[u8] = b"\\ufffd";
    // `from_utf8_lossy` looks at each byte alone, which takes several times as long.
    let text = str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    let has = |start: &str| memchr::memmem::find(text.as_bytes(), start.as_bytes()).is_some();
    if !has("\\ud") && !has("\\uD") {
        return text;
    }
    let mut text = text.into_owned().into_bytes();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &text[at..]) {
        at += next;
        let end = at + REPLACEMENT.len();
        match (unit(&text, at), unit(&text, end)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at = end + REPLACEMENT.len(),
            (Some(0xD800..=0xDFFF), _) => {
                text[at..end].copy_from_slice(REPLACEMENT);
                at = end;
            }
            // Any other escape, such as an escaped backslash.
            _ => at = (at + 2).min(text.len()),
        }
    }
    Cow::Owned(String::from_utf8(text).unwrap_or_default())
}

/// Returns the number in a `\u` escape. None if there is no such escape at this offset.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..)?.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Reads a value, and counts down how many more values are read.
struct NodeReader(Cell<u32>);

impl NodeReader {
    const fn new() -> Self {
        Self(Cell::new(VALUES_AT_MOST))
    }

    fn count<E: Error>(&self) -> Result<&Self, E> {
        let left = self.0.get().checked_sub(1);
        let left = left.ok_or_else(|| E::custom("too many values"))?;
        self.0.set(left);
        Ok(self)
    }
}

impl<'t> DeserializeSeed<'t> for &NodeReader {
    type Value = JsonNode<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<JsonNode<'t>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for &NodeReader {
    type Value = JsonNode<'t>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<JsonNode<'t>, E> {
        Ok(JsonNode::Nothing)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<JsonNode<'t>, E> {
        Ok(JsonNode::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<JsonNode<'t>, E> {
        Ok(JsonNode::Number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<JsonNode<'t>, E> {
        Ok(JsonNode::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<JsonNode<'t>, E> {
        Ok(Number::from_f64(number).map_or(JsonNode::Nothing, JsonNode::Number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<JsonNode<'t>, E> {
        Ok(JsonNode::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<JsonNode<'t>, E> {
        Ok(JsonNode::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<JsonNode<'t>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.count()?)? {
            list.push(item);
        }
        Ok(JsonNode::List(list))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<JsonNode<'t>, A::Error> {
        let mut members = Vec::new();
        while let Some(RawText(key)) = map.next_key()? {
            members.push((key, map.next_value_seed(self.count()?)?));
        }
        Ok(JsonNode::Object(members))
    }
}
