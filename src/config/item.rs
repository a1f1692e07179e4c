//! A value of the file, which serde reads into a type. An error says which key has which mistake, and
//! where.

use std::fmt::Display;

use globset::Glob;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::known::unknown_name;
use crate::text::{escape, is_blank};

/// A value, and its key.
#[derive(Debug, Clone, Copy)]
pub(super) struct TomlItem<'t> {
    pub(super) key: TomlKey<'t>,
    value: &'t Spanned<DeValue<'t>>,
    is_in_list: bool,
    /// The word that can stand for the value, such as `off`.
    word: Option<&'static str>,
}

/// A key, and its byte offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct TomlKey<'t> {
    pub(super) name: &'t str,
    pub(super) at: usize,
}

/// The newtypes whose value can be a word instead, and the word. The value is then none.
const WORDS: [(&str, &str); 2] = [("OrOff", "off"), ("OrAny", "any")];

/// A mistake at a byte offset of the text.
#[derive(Debug)]
pub(super) struct ReadError {
    pub(super) at: usize,
    /// What is wrong, safe to print.
    pub(super) message: String,
}

/// A mistake, as serde reports it. Its message and its place follow from the value.
#[derive(Debug)]
pub(super) enum Mistake {
    /// The value must be this, and has another type.
    Type(String),
    /// The value must be this.
    Value(String),
    /// The name is none of the known ones.
    Name(String, &'static [&'static str]),
    /// The table cannot have this key.
    Key(String, &'static [&'static str]),
    Other(String),
    /// A mistake in a part of the value.
    Placed(ReadError),
}

/// The entries of a table, in the order of the file.
pub(super) fn entries<'t>(table: &'t DeTable<'t>) -> impl Iterator<Item = TomlItem<'t>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter().map(|(key, value)| TomlItem {
        key: TomlKey {
            name: key.get_ref(),
            at: key.span().start,
        },
        value,
        is_in_list: false,
        word: None,
    })
}

impl<'t> TomlKey<'t> {
    /// Reads the key into a type.
    pub(super) fn read<T: Deserialize<'t>>(&self) -> Result<T, ReadError> {
        T::deserialize(*self).map_err(|mistake| self.place(mistake))
    }

    fn place(&self, mistake: Mistake) -> ReadError {
        match mistake {
            Mistake::Placed(error) => error,
            Mistake::Key(_, known) => self.unknown("key", known.iter().copied()),
            other => self.error(other.to_string()),
        }
    }

    pub(super) fn error(&self, message: String) -> ReadError {
        let at = self.at;
        ReadError { at, message }
    }

    /// The error about a key that is none of the known ones.
    pub(super) fn unknown<'w>(
        &self,
        what: &str,
        known: impl Iterator<Item = &'w str> + Clone,
    ) -> ReadError {
        self.error(unknown_name(what, self.name, known))
    }
}

impl<'t> TomlItem<'t> {
    /// The byte offset of the value.
    pub(super) fn at(&self) -> usize {
        self.value.span().start
    }

    /// Reads the value into a type.
    pub(super) fn read<T: Deserialize<'t>>(&self) -> Result<T, ReadError> {
        T::deserialize(*self).map_err(|mistake| self.place(mistake))
    }

    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn table(&self) -> Result<&'t DeTable<'t>, ReadError> {
        let table = self.value.get_ref().as_table();
        table.ok_or_else(|| self.place(Mistake::Type("a table".to_owned())))
    }

    /// The items of an array.
    pub(super) fn list(&self) -> Result<Vec<Self>, ReadError> {
        let list = self.value.get_ref().as_array();
        let list = list.ok_or_else(|| self.place(Mistake::Type("an array".to_owned())))?;
        Ok(list.iter().map(|value| self.item(value)).collect())
    }

    pub(super) fn globs(&self) -> Result<Vec<String>, ReadError> {
        let glob = |item: &Self| {
            let text: String = item.read()?;
            match Glob::new(&text) {
                Ok(_) => Ok(text),
                Err(error) => Err(item.error(invalid_glob(&text, &error))),
            }
        };
        self.list()?.iter().map(glob).collect()
    }

    /// An error about the value.
    pub(super) fn error(&self, message: String) -> ReadError {
        let at = self.at();
        ReadError { at, message }
    }

    /// The error about a value that must be something else.
    pub(super) fn must_be(&self, expected: &str) -> ReadError {
        self.place(Mistake::Value(expected.to_owned()))
    }

    fn item(&self, value: &'t Spanned<DeValue<'t>>) -> Self {
        Self {
            value,
            is_in_list: true,
            word: None,
            ..*self
        }
    }

    fn place(&self, mistake: Mistake) -> ReadError {
        let key = escape::truncated(self.key.name);
        self.error(match mistake {
            Mistake::Placed(error) => return error,
            Mistake::Other(message) => message,
            Mistake::Value(expected) => format!("`{key}` must be {expected}"),
            Mistake::Name(name, known) => {
                let what = format!("value for `{key}`:");
                unknown_name(&what, &name, known.iter().copied())
            }
            Mistake::Key(name, known) => unknown_name("key", &name, known.iter().copied()),
            Mistake::Type(expected) => {
                let item = if self.is_in_list { "each item of " } else { "" };
                let (found, or) = match (self.value.get_ref(), self.word) {
                    (DeValue::String(_), Some(word)) => ("a string", format!(" or \"{word}\"")),
                    (value, _) => (kind(value), String::new()),
                };
                format!("{item}`{key}` must be {expected}{or}, found {found}")
            }
        })
    }
}

/// The items of a list or a table, for serde.
struct Items<'t, I> {
    items: I,
    /// The item whose key was read.
    next: Option<TomlItem<'t>>,
}

impl<I> Items<'_, I> {
    fn of(items: I) -> Self {
        Self { items, next: None }
    }
}

impl<'t, I: Iterator<Item = TomlItem<'t>>> SeqAccess<'t> for Items<'t, I> {
    type Error = Mistake;

    fn next_element_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Mistake> {
        let read = |item: TomlItem<'t>| {
            seed.deserialize(item)
                .map_err(|it| Mistake::Placed(item.place(it)))
        };
        self.items.next().map(read).transpose()
    }
}

impl<'t, I: Iterator<Item = TomlItem<'t>>> MapAccess<'t> for Items<'t, I> {
    type Error = Mistake;

    fn next_key_seed<S: DeserializeSeed<'t>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Mistake> {
        self.next = self.items.next();
        let key = self.next.map(|item| item.key);
        let read = |key: TomlKey<'t>| {
            seed.deserialize(key)
                .map_err(|it| Mistake::Placed(key.place(it)))
        };
        key.map(read).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<S::Value, Mistake> {
        let item = self.next.ok_or_else(|| Mistake::Other(String::new()))?;
        seed.deserialize(item)
            .map_err(|it| Mistake::Placed(item.place(it)))
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// The message about a text that is not a glob.
pub(super) fn invalid_glob(text: &str, error: &globset::Error) -> String {
    let (text, reason) = (escape::truncated(text), error.kind().to_string());
    format!("invalid glob `{text}`: {}", escape::truncated(&reason))
}

impl<'de> Deserializer<'de> for TomlItem<'de> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match self.value.get_ref() {
            DeValue::String(text) if is_blank(text) => {
                let key = escape::truncated(self.key.name);
                Err(Mistake::Other(format!("`{key}` must not be empty")))
            }
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Boolean(switch) => visitor.visit_bool(*switch),
            // A number that is negative or too large is beyond every range.
            DeValue::Integer(number) => visitor.visit_u64(
                u64::from_str_radix(number.as_str(), number.radix()).unwrap_or(u64::MAX),
            ),
            DeValue::Float(_) | DeValue::Datetime(_) => {
                Err(de::Error::invalid_type(Unexpected::Unit, &visitor))
            }
            DeValue::Array(items) => {
                visitor.visit_seq(Items::of(items.iter().map(|value| self.item(value))))
            }
            DeValue::Table(table) => visitor.visit_map(Items::of(entries(table))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        if self.word.is_some() && self.value.get_ref().as_str() == self.word {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let word = WORDS.iter().find(|(newtype, _)| *newtype == name);
        self.word = word.map(|(_, word)| *word);
        visitor
            .visit_newtype_struct(self)
            .map_err(|mistake| Mistake::Placed(self.place(mistake)))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for TomlKey<'de> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_str(self.name)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl Display for Mistake {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Other(message) => out.write_str(message),
            other => write!(out, "{other:?}"),
        }
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        // What serde's visitors expect, in the words of TOML.
        let expected = expected.to_string();
        Self::Type(match expected.as_str() {
            "a boolean" => "true or false".to_owned(),
            "u64" => "an integer".to_owned(),
            "a sequence" => "an array".to_owned(),
            "path string" => "a string".to_owned(),
            other if other == "a map" || other.starts_with("struct ") => "a table".to_owned(),
            _ => expected,
        })
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Value(expected.to_string())
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::Name(name.to_owned(), known)
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::Key(name.to_owned(), known)
    }
}
