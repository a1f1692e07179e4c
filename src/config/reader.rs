//! The text of the configuration: its values with their places, and the mistakes in it. An error says which key
//! has which mistake, and where.

use std::cell::RefCell;
use std::fmt;
use std::path::Path;

use serde::de::Unexpected;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::{ConfigError, ConfigErrors};
use crate::document::Form;
use crate::text::suggest::unknown_name;
use crate::text::{Base, Position, Positions, escape, is_blank};

/// The text, and the mistakes that were found in it.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The folder that the files are below that it names. None if none is read.
    pub(super) folder: Option<&'t Path>,
    /// The byte offset of each mistake, and what is wrong, safe to print.
    errors: RefCell<Vec<(usize, String)>>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, folder: Option<&'t Path>) -> Self {
        Self {
            text,
            folder,
            errors: RefCell::default(),
        }
    }

    /// Parses the text. One error for each line that is not TOML.
    pub(super) fn document(&self) -> Result<Spanned<DeTable<'t>>, ConfigErrors> {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let at = error.span().unwrap_or_default().start;
            self.refuse(at, escape::truncated(error.message()).to_string());
        }
        let mut errors = self.all_or(document);
        if let Err(ConfigErrors(errors)) = &mut errors {
            errors.dedup_by_key(|error| error.at.line);
        }
        errors
    }

    /// The folder of the file, which what it names is read below.
    pub(super) fn folder(&self) -> Result<&'t Path, String> {
        self.folder
            .ok_or_else(|| "no files can be read here".to_owned())
    }

    /// Collects a mistake at a byte offset, so that reading can go on.
    pub(super) fn refuse(&self, at: usize, message: impl Into<String>) {
        self.errors.borrow_mut().push((at, message.into()));
    }

    /// How many mistakes there are so far.
    pub(super) fn mistakes(&self) -> usize {
        self.errors.borrow().len()
    }

    /// The value, or every collected error, in the order of the text.
    pub(super) fn all_or<T>(&self, value: T) -> Result<T, ConfigErrors> {
        let mut errors = self.errors.take();
        if errors.is_empty() {
            return Ok(value);
        }
        errors.sort_by_key(|error| error.0);
        errors.dedup_by_key(|error| error.0);
        let errors = errors.into_iter().map(|(at, message)| ConfigError {
            at: self.position(at),
            message,
        });
        Err(ConfigErrors(errors.collect()))
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        Positions::new(self.text.as_bytes(), Base::default()).of(offset)
    }

    /// Collects an error about every blank text and every date: no key can have them.
    pub(super) fn refuse_blanks(&self, key: &str, value: &Spanned<DeValue<'_>>) {
        let mistake = match value.get_ref() {
            DeValue::String(text) if is_blank(text) => "must not be empty",
            DeValue::Datetime(_) => "must not be a date",
            DeValue::Array(items) => {
                return items.iter().for_each(|it| self.refuse_blanks(key, it));
            }
            DeValue::Table(table) => {
                let entries = table.iter();
                return entries.for_each(|(key, it)| self.refuse_blanks(key.get_ref(), it));
            }
            _ => return,
        };
        let key = escape::truncated(key);
        self.refuse(value.span().start, format!("`{key}` {mistake}"));
    }

    /// The members of a table of the text, in its order.
    pub(super) fn items<'r>(&'r self, table: &'r DeTable<'r>) -> Vec<TomlItem<'r>>
    where
        't: 'r,
    {
        let member = |(key, value): (&'r Spanned<_>, &'r Spanned<DeValue<'r>>)| {
            let name: &std::borrow::Cow<'r, str> = key.get_ref();
            TomlItem {
                reader: self,
                key: name,
                key_at: key.span().start,
                path: name.to_string(),
                is_outermost: true,
                has_base: false,
                form: Form::Json,
                or: None,
                value,
            }
        };
        let mut items: Vec<_> = table.iter().map(member).collect();
        items.sort_by_key(|item| item.key_at);
        items
    }
}

/// A value and its byte offset.
#[derive(Debug, Clone, Default)]
pub(super) struct At<T> {
    pub(super) at: usize,
    pub(super) value: T,
}

impl<T> std::ops::Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A value of the text, and its key.
#[derive(Clone)]
pub(super) struct TomlItem<'r> {
    pub(super) reader: &'r Reader<'r>,
    pub(super) key: &'r str,
    pub(super) key_at: usize,
    /// The keys that lead to it from the outermost item on, as messages show them.
    pub(super) path: String,
    pub(super) is_outermost: bool,
    /// Whether it is in a profile that extends another one.
    pub(super) has_base: bool,
    /// The form of that profile, which says what its places are.
    pub(super) form: Form,
    /// A word that may stand in place of what is expected.
    pub(super) or: Option<&'static str>,
    pub(super) value: &'r Spanned<DeValue<'r>>,
}

impl<'r> TomlItem<'r> {
    pub(super) fn at(&self) -> usize {
        self.value.span().start
    }

    pub(super) fn value(&self) -> &'r DeValue<'r> {
        self.value.get_ref()
    }

    /// The key that messages name of a place: a role, or else the key of the profile.
    pub(super) fn place_key(&self) -> &str {
        let path = self.path.strip_prefix("at.").unwrap_or(&self.path);
        path.split('.').next().unwrap_or(path)
    }

    pub(super) fn is_table(&self) -> bool {
        self.value().is_table()
    }

    /// Collects an error about the value. Returns None, so that a reader can return it.
    pub(super) fn refuse<T>(&self, message: impl Into<String>) -> Option<T> {
        self.reader.refuse(self.at(), message);
        None
    }

    /// The same with the keys in front.
    pub(super) fn invalid<T>(&self, message: impl fmt::Display) -> Option<T> {
        self.invalid_key(self.at(), message)
    }

    /// The same about a key inside of it.
    pub(super) fn invalid_key<T>(&self, at: usize, message: impl fmt::Display) -> Option<T> {
        let path = escape::truncated(&self.path);
        self.reader.refuse(at, format!("`{path}`: {message}"));
        None
    }

    /// The same of a value that is of another type.
    pub(super) fn expected<T>(&self, what: &str) -> Option<T> {
        let found = match self.value() {
            DeValue::String(text) => Unexpected::Str(text).to_string(),
            DeValue::Integer(_) => {
                Unexpected::Signed(self.number().unwrap_or(i64::MAX)).to_string()
            }
            DeValue::Float(number) => format!("floating point `{number}`"),
            DeValue::Boolean(switch) => Unexpected::Bool(*switch).to_string(),
            DeValue::Datetime(_) => "date".to_owned(),
            DeValue::Array(_) => "array".to_owned(),
            DeValue::Table(_) => "table".to_owned(),
        };
        let or = self.or.filter(|_| self.value().is_str());
        let or = or.map_or_else(String::new, |word| format!(" or \"{word}\""));
        let found = escape::full(&found);
        self.invalid(format!("invalid type: {found}, expected {what}{or}"))
    }

    /// Collects an error about its key.
    pub(super) fn refuse_key<T>(&self, message: impl Into<String>) -> Option<T> {
        self.reader.refuse(self.key_at, message);
        None
    }

    /// The same of a key that is none of the known ones.
    pub(super) fn unknown<'w, T>(&self, known: impl Iterator<Item = &'w str> + Clone) -> Option<T> {
        self.refuse_key(unknown_name("key", self.key, known))
    }

    /// A number that fits 64 bits. None of any other value.
    pub(super) fn number(&self) -> Option<i64> {
        let number = self.value().as_integer()?;
        i64::from_str_radix(number.as_str(), number.radix()).ok()
    }

    /// A text, or an error.
    pub(super) fn text(&self) -> Option<&'r str> {
        let text = self.value().as_str();
        text.or_else(|| self.expected("a string"))
    }

    /// The items of an array, or an error.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = Self>> {
        let Some(list) = self.value().as_array() else {
            return self.expected("an array");
        };
        let item = self.clone();
        Some(list.iter().map(move |value| Self {
            or: None,
            value,
            ..item.clone()
        }))
    }

    /// The table of one of the outermost keys, or an error.
    pub(super) fn table(&self) -> Option<&'r DeTable<'r>> {
        let table = self.value().as_table();
        table.or_else(|| self.invalid("expected a table"))
    }

    /// The members of a table in the order of the text, or an error.
    pub(super) fn members(&self) -> Option<Vec<Self>> {
        let table = self.value().as_table();
        let table = table.or_else(|| self.expected("a table"))?;
        let mut members = self.reader.items(table);
        for member in &mut members {
            member.has_base = self.has_base;
            member.form = self.form;
            if !self.is_outermost {
                member.path = format!("{}.{}", self.path, member.key);
            }
            member.is_outermost = false;
        }
        Some(members)
    }

    /// Reads a list of texts, each of which `read` turns into a value, or says what is wrong with it.
    pub(super) fn texts<T>(&self, read: impl Fn(&str) -> Result<T, String>) -> Option<Vec<T>> {
        let read = |item: Self| match read(item.text()?) {
            Ok(value) => Some(value),
            Err(why) => item.refuse(why),
        };
        let values: Vec<_> = self.items()?.map(read).collect();
        values.into_iter().collect()
    }
}
