//! The JSON of a record, of which only some members are known.
//!
//! Clients change their records as they like, so a member that is missing, or has another type than the
//! known one, is none. Only a text that is not JSON is an error. Strings without escapes are not copied, and
//! what is too deep or too much is left out, so that a line takes little more memory than its text.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::{self, Formatter};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;

/// How deeply values may be nested. Known members are not as deep.
const LEVELS: u8 = 32;
/// The most values that are kept of one record.
const VALUES_AT_MOST: u32 = 32 << 10;
/// The most members that are kept of one object.
const MEMBERS_AT_MOST: usize = 512;

/// A value of a record.
#[derive(Debug, Default, Clone, PartialEq)]
pub(in crate::clients) enum JsonNode<'t> {
    /// `null`, or what is left out.
    #[default]
    Nothing,
    Flag(bool),
    Number(Number),
    Text(Cow<'t, str>),
    List(Vec<Self>),
    Object(Vec<(Cow<'t, str>, Self)>),
}

static NOTHING: JsonNode = JsonNode::Nothing;

impl<'t> JsonNode<'t> {
    /// The member of an object.
    pub(in crate::clients) fn at(&self, name: &str) -> &Self {
        let found = self.members().iter().find(|(key, _)| *key == name);
        found.map_or(&NOTHING, |(_, value)| value)
    }

    /// The text of a member.
    pub(in crate::clients) fn get(&self, name: &str) -> Option<&str> {
        self.at(name).text()
    }

    /// The text of a member. Empty if it has none.
    pub(in crate::clients) fn word(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The number of a member, if it is an integer.
    pub(in crate::clients) fn number(&self, name: &str) -> Option<i64> {
        match self.at(name) {
            Self::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    pub(in crate::clients) fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.number(name)?).ok()
    }

    /// The sum of these counts, without those that are missing.
    pub(in crate::clients) fn sum<const N: usize>(&self, names: [&str; N]) -> u64 {
        let counts = names.iter().filter_map(|name| self.count(name));
        counts.fold(0, u64::saturating_add)
    }

    pub(in crate::clients) fn flag(&self, name: &str) -> Option<bool> {
        match self.at(name) {
            Self::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// Whether a member is `true`.
    pub(in crate::clients) fn is(&self, name: &str) -> bool {
        self.flag(name) == Some(true)
    }

    pub(in crate::clients) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list. None of any other value.
    pub(in crate::clients) fn list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The members of an object. None of any other value.
    pub(in crate::clients) fn members(&self) -> &[(Cow<'t, str>, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The member, if it is an object.
    pub(in crate::clients) fn object(&self, name: &str) -> Option<&Self> {
        Some(self.at(name)).filter(|it| it.is_object())
    }

    pub(in crate::clients) const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    pub(in crate::clients) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The text, or the texts of the parts of a list.
    pub(in crate::clients) fn joined_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            _ => Cow::Owned(self.list().iter().map(|part| part.word("text")).collect()),
        }
    }

    /// The object that is a whole text.
    pub(in crate::clients) fn whole(text: &'t str) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = NodePlace::top(&Cell::new(VALUES_AT_MOST)).deserialize(&mut json);
        let value = value.ok().filter(Self::is_object)?;
        json.end().ok().map(|()| value)
    }

    /// The first object of a text, which must be complete.
    pub(in crate::clients) fn first(text: &'t str) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = NodePlace::top(&Cell::new(VALUES_AT_MOST)).deserialize(&mut json);
        value.ok().filter(Self::is_object)
    }
}

impl Serialize for JsonNode<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => to.serialize_unit(),
            Self::Flag(flag) => flag.serialize(to),
            Self::Number(number) => number.serialize(to),
            Self::Text(text) => to.serialize_str(text),
            Self::List(items) => to.collect_seq(items),
            Self::Object(members) => {
                let mut map = to.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Calls a function with each object of a line, which may have several. Returns whether the whole line
/// could be read.
pub(in crate::clients) fn each(text: &str, mut read: impl FnMut(&JsonNode)) -> bool {
    let left = Cell::new(VALUES_AT_MOST);
    let mut json = serde_json::Deserializer::from_str(text);
    while json.end().is_err() {
        match NodePlace::top(&left).deserialize(&mut json) {
            Ok(record) if record.is_object() => read(&record),
            _ => return false,
        }
    }
    left.get() > 0
}

/// Reads a document with a list of messages, one after the other. `begin` is called with the members before
/// the list, `read` with each message and its line, from 1. Returns all other members, or the line that
/// cannot be read.
pub(in crate::clients) fn each_message<'t>(
    text: &'t str,
    begin: &mut dyn FnMut(&JsonNode),
    read: &mut dyn FnMut(&JsonNode, u64),
) -> Result<JsonNode<'t>, u64> {
    let mut json = serde_json::Deserializer::from_str(text);
    let document = Document { text, begin, read };
    let head = json.deserialize_map(document);
    let head = head.and_then(|head| json.end().map(|()| head));
    head.map_err(|error| error.line() as u64)
}

/// Calls a function with the text of a line or a document. Bytes that are not UTF-8 become `?`, and halves of
/// surrogate pairs U+FFFD. They are replaced in place, because a copy would double the memory.
pub(in crate::clients) fn with_text<R>(bytes: &mut [u8], read: impl FnOnce(&str) -> R) -> R {
    let mut valid = 0;
    while let Err(error) = std::str::from_utf8(&bytes[valid..]) {
        let start = valid + error.valid_up_to();
        valid = error
            .error_len()
            .map_or(bytes.len(), |length| start + length);
        bytes[start..valid].fill(b'?');
    }
    if [b"\\ud", b"\\uD"]
        .iter()
        .any(|it| memchr::memmem::find(bytes, *it).is_some())
    {
        replace_halves(bytes);
    }
    read(std::str::from_utf8(bytes).unwrap_or_default())
}

/// Replaces escapes of unpaired surrogates in JSON. They stand for no character, so no Rust string can hold
/// them.
pub(in crate::clients) fn replace_halves(text: &mut [u8]) {
    /// It is as long as the escape of a surrogate.
    const REPLACEMENT: &[u8] = b"\\ufffd";
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', &text[at..]) {
        at += next;
        let end = at + REPLACEMENT.len();
        match (unit(text, at), unit(text, end)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at = end + REPLACEMENT.len(),
            (Some(0xD800..=0xDFFF), _) => {
                text[at..end].copy_from_slice(REPLACEMENT);
                at = end;
            }
            // Any other escape, such as an escaped backslash.
            _ => at = (at + 2).min(text.len()),
        }
    }
}

/// Returns the number in a `\u` escape. None if there is no such escape at this offset.
fn unit(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..)?.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Where a value is read: how deep it is, and how many more values are kept.
struct NodePlace<'l> {
    level: u8,
    left: &'l Cell<u32>,
}

impl<'l> NodePlace<'l> {
    const fn top(left: &'l Cell<u32>) -> Self {
        Self { level: 0, left }
    }

    const fn below(&self) -> Self {
        Self {
            level: self.level + 1,
            left: self.left,
        }
    }
}

impl<'t> DeserializeSeed<'t> for NodePlace<'_> {
    type Value = JsonNode<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<JsonNode<'t>, D::Error> {
        let left = self.left.get();
        if left == 0 || self.level == LEVELS {
            json.deserialize_ignored_any(IgnoredAny)?;
            return Ok(JsonNode::Nothing);
        }
        self.left.set(left - 1);
        json.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for NodePlace<'_> {
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
        while let Some(item) = items.next_element_seed(self.below())? {
            if self.left.get() > 0 {
                list.push(item);
            }
        }
        Ok(JsonNode::List(list))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<JsonNode<'t>, A::Error> {
        let mut members = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            let value = map.next_value_seed(self.below())?;
            if members.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom("a member that is there twice"));
            }
            if members.len() == MEMBERS_AT_MOST {
                self.left.set(0);
            }
            if self.left.get() > 0 {
                members.push((key, value));
            }
        }
        Ok(JsonNode::Object(members))
    }
}

/// A key, which is copied only if it has escapes.
#[derive(Deserialize)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

struct Document<'t, 'f> {
    text: &'t str,
    begin: &'f mut dyn FnMut(&JsonNode),
    read: &'f mut dyn FnMut(&JsonNode, u64),
}

impl<'t> Visitor<'t> for Document<'t, '_> {
    type Value = JsonNode<'t>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut map: A) -> Result<JsonNode<'t>, A::Error> {
        let left = Cell::new(VALUES_AT_MOST);
        let mut head = JsonNode::Object(Vec::new());
        while let Some(Key(key)) = map.next_key()? {
            if key == "messages" {
                (self.begin)(&head);
                map.next_value_seed(&mut self)?;
            } else {
                let value = map.next_value_seed(NodePlace::top(&left))?;
                if let JsonNode::Object(members) = &mut head {
                    members.push((key, value));
                }
            }
        }
        Ok(head)
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<JsonNode<'t>, A::Error> {
        let (mut line, mut at) = (1, 0);
        while let Some(item) = items.next_element::<&RawValue>()? {
            let start = item.get().as_ptr().addr() - self.text.as_ptr().addr();
            line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[at..start]).count() as u64;
            at = start;
            if let Some(message) = JsonNode::whole(item.get()) {
                (self.read)(&message, line);
            }
        }
        Ok(JsonNode::Nothing)
    }
}

impl<'t> DeserializeSeed<'t> for &mut Document<'t, '_> {
    type Value = JsonNode<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<JsonNode<'t>, D::Error> {
        json.deserialize_seq(Document {
            text: self.text,
            begin: self.begin,
            read: self.read,
        })
    }
}
