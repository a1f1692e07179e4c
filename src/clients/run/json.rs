//! The JSON of a record, of which only some members are known.
//!
//! Clients change their records as they like, so a member that is missing, or has another type than the
//! known one, is none. Only a text that is not JSON is an error. Strings without escapes are not copied, and
//! what is too deep or too much is left out, so that a line takes little more memory than its text.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::{self, Formatter};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;

use super::Tokens;

/// How deeply values may be nested. Known members are not as deep.
const LEVELS: u8 = 32;
/// The most values that are kept of one record.
const VALUES_AT_MOST: u32 = 32 << 10;
/// The most members that are kept of one object.
const MEMBERS_AT_MOST: usize = 512;

/// A member of an object with its key.
type Member<'t> = (Cow<'t, str>, JsonNode<'t>);

/// A value of a record.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum JsonNode<'t> {
    /// `null`, or what is left out.
    #[default]
    Nothing,
    Flag(bool),
    Number(Number),
    Text(Cow<'t, str>),
    List(Vec<Self>),
    #[serde(serialize_with = "as_map")]
    Object(Vec<Member<'t>>),
}

fn as_map<S: Serializer>(members: &[Member<'_>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(members.iter().map(|(key, value)| (key, value)))
}

static NOTHING: JsonNode = JsonNode::Nothing;

impl<'t> JsonNode<'t> {
    /// The member of an object.
    pub(crate) fn at(&self, name: &str) -> &Self {
        let found = self.members().iter().find(|(key, _)| *key == name);
        found.map_or(&NOTHING, |(_, value)| value)
    }

    /// The text of a member.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.at(name).text()
    }

    /// The text of the first of these members that has one.
    pub(crate) fn first_of(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.get(name))
    }

    /// The text of a member. Empty if it has none.
    pub(crate) fn word(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The number of a member, if it is an integer.
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

    /// The tokens of a message, without those of the answer, from the counts of its input, which has the
    /// cached ones in it, of those, and of all.
    pub(crate) fn tokens(&self, [input, cached, total]: [&str; 3]) -> Tokens {
        let cache = self.sum([cached]);
        Tokens {
            input: self.sum([input]).saturating_sub(cache),
            output: 0,
            cache,
            total: self.sum([total]),
        }
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        match self.at(name) {
            Self::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// Whether a member is `true`.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.flag(name) == Some(true)
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
    pub(crate) fn members(&self) -> &[Member<'t>] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The member, if it is an object.
    pub(crate) fn object(&self, name: &str) -> Option<&Self> {
        Some(self.at(name)).filter(|it| it.is_object())
    }

    pub(crate) const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    pub(crate) const fn is_list(&self) -> bool {
        matches!(self, Self::List(_))
    }

    pub(crate) const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The text, or the texts of the parts of a list.
    pub(crate) fn joined_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            _ => Cow::Owned(self.list().iter().map(|part| part.word("text")).collect()),
        }
    }

    /// The object that is a whole text.
    pub(crate) fn whole(text: &'t str) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = Self::read(&mut json, &Cell::new(VALUES_AT_MOST)).ok()?;
        (value.is_object() && json.end().is_ok()).then_some(value)
    }

    /// The first object of a text, which must be complete.
    pub(crate) fn first(text: &'t str) -> Option<Self> {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = Self::read(&mut json, &Cell::new(VALUES_AT_MOST)).ok();
        value.filter(Self::is_object)
    }

    /// Reads a value. `left` is how many more values are kept.
    fn read<D: Deserializer<'t>>(json: D, left: &Cell<u32>) -> Result<Self, D::Error> {
        NodePlace { level: 0, left }.deserialize(json)
    }
}

/// Calls a function with each object of a line, which may have several. Returns whether the whole line
/// could be read.
pub(crate) fn each(text: &str, mut read: impl FnMut(&JsonNode)) -> bool {
    let left = Cell::new(VALUES_AT_MOST);
    let mut json = serde_json::Deserializer::from_str(text);
    while json.end().is_err() {
        match JsonNode::read(&mut json, &left) {
            Ok(record) if record.is_object() => read(&record),
            _ => return false,
        }
    }
    left.get() > 0
}

/// Calls a function with the text of a line or a document. Bytes that are not UTF-8 become `?`, and halves of
/// surrogate pairs U+FFFD. They are replaced in place, because a copy would double the memory.
pub(crate) fn with_text<R>(bytes: &mut [u8], read: impl FnOnce(&str) -> R) -> R {
    let mut valid = 0;
    while let Err(error) = std::str::from_utf8(&bytes[valid..]) {
        let start = valid + error.valid_up_to();
        let length = error.error_len();
        valid = length.map_or(bytes.len(), |length| start + length);
        bytes[start..valid].fill(b'?');
    }
    replace_halves(bytes);
    read(std::str::from_utf8(bytes).unwrap_or_default())
}

/// Replaces escapes of unpaired surrogates in JSON. They stand for no character, so no Rust string can hold
/// them.
pub(crate) fn replace_halves(text: &mut [u8]) {
    /// It is as long as the escape of a surrogate.
    const REPLACEMENT: &[u8] = b"\\ufffd";
    let has = |start: &[u8]| memchr::memmem::find(text, start).is_some();
    if !has(b"\\ud") && !has(b"\\uD") {
        return;
    }
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

impl NodePlace<'_> {
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

/// A part of a document with a list of messages.
pub(crate) enum DocumentPart<'a> {
    /// All other members, as far as they have been read: before the messages, and again at the end.
    Head(&'a JsonNode<'a>),
    /// A message and its line, from 1.
    Message(&'a JsonNode<'a>, u64),
}

/// Reads a document with a list of messages, part after part. The error is the line that cannot be read.
pub(crate) fn each_part(text: &str, read: &mut dyn FnMut(DocumentPart)) -> Result<(), u64> {
    let mut json = serde_json::Deserializer::from_str(text);
    let document = json.deserialize_map(Document { text, read });
    let document = document.and_then(|()| json.end());
    document.map_err(|error| error.line() as u64)
}

struct Document<'t, 'f> {
    text: &'t str,
    read: &'f mut dyn FnMut(DocumentPart),
}

impl<'t> Visitor<'t> for Document<'t, '_> {
    type Value = ();

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut map: A) -> Result<(), A::Error> {
        let left = Cell::new(VALUES_AT_MOST);
        let mut has_messages = false;
        let mut head = JsonNode::Object(Vec::new());
        while let Some(Key(key)) = map.next_key()? {
            if key == "messages" {
                has_messages = true;
                (self.read)(DocumentPart::Head(&head));
                map.next_value_seed(&mut self)?;
                continue;
            }
            let (level, left) = (0, &left);
            let value = map.next_value_seed(NodePlace { level, left })?;
            if let JsonNode::Object(members) = &mut head {
                members.push((key, value));
            }
        }
        if has_messages {
            (self.read)(DocumentPart::Head(&head));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<(), A::Error> {
        let (mut line, mut at) = (1, 0);
        while let Some(item) = items.next_element::<&RawValue>()? {
            let start = item.get().as_ptr().addr() - self.text.as_ptr().addr();
            line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[at..start]).count() as u64;
            at = start;
            if let Some(message) = JsonNode::whole(item.get()) {
                (self.read)(DocumentPart::Message(&message, line));
            }
        }
        Ok(())
    }
}

impl<'t> DeserializeSeed<'t> for &mut Document<'t, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(Document {
            text: self.text,
            read: self.read,
        })
    }
}
