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
        let errors = RefCell::default();
        Self { text, folder, errors }
    }

    /// Parses the text into a table. One error for each line that is not TOML.
    pub(super) fn document(&self) -> Result<Spanned<DeValue<'t>>, ConfigErrors> {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let at = error.span().unwrap_or_default().start;
            self.refuse(at, escape::truncated(error.message()).to_string());
        }
        let whole = Spanned::new(document.span(), DeValue::Table(document.into_inner()));
        let mut read = self.all_or(whole);
        if let Err(ConfigErrors(errors)) = &mut read {
            errors.dedup_by_key(|error| error.at.line);
        }
        read
    }

    pub(super) fn folder(&self) -> Result<&'t Path, String> {
        self.folder.ok_or_else(|| "no files can be read here".to_owned())
    }

    /// Collects a mistake at a byte offset, so that reading can go on.
    pub(super) fn refuse(&self, at: usize, message: impl Into<String>) {
        self.errors.borrow_mut().push((at, message.into()));
    }

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
        let errors =
            errors.into_iter().map(|(at, message)| ConfigError { at: self.position(at), message });
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
}

#[derive(Default)]
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
    /// The keys that lead to it from the outermost one on, as messages show them.
    path: String,
    /// Whether its key is not shown in front of those of its members.
    is_outermost: bool,
    /// Whether it is in a profile that extends another one.
    pub(super) has_base: bool,
    /// The form that a profile says it has, which says what its places are.
    pub(super) form: Option<Form>,
    /// A word that may stand in place of what is expected.
    pub(super) or: Option<&'static str>,
    value: &'r Spanned<DeValue<'r>>,
}

impl<'r> TomlItem<'r> {
    pub(super) fn whole(reader: &'r Reader<'r>, value: &'r Spanned<DeValue<'r>>) -> Self {
        Self {
            reader,
            key: "",
            key_at: 0,
            path: String::new(),
            is_outermost: true,
            has_base: false,
            form: None,
            or: None,
            value,
        }
    }

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
        let or = self.or.map_or_else(String::new, |word| format!(" or \"{word}\""));
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

    pub(super) fn text(&self) -> Option<&'r str> {
        let text = self.value().as_str();
        text.or_else(|| self.expected("a string"))
    }

    /// What `read` makes of the text, or an error about what is wrong with it.
    pub(super) fn read<T>(&self, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        read(self.text()?).map_or_else(|why| self.refuse(why), Some)
    }

    /// What `read` makes of each item of an array, or an error. All of them are read, also behind a mistake.
    pub(super) fn each<T>(&self, read: impl Fn(&Self) -> Option<T>) -> Option<Vec<T>> {
        let Some(list) = self.value().as_array() else {
            return self.expected("an array");
        };
        let item = |value| Self { or: None, value, ..self.clone() };
        all(list.iter().map(|value| read(&item(value))))
    }

    /// The members of a table in the order of the text, or an error.
    pub(super) fn members(&self) -> Option<Vec<Self>> {
        let table = self.value().as_table();
        let table = table.or_else(|| self.expected("a table"))?;
        Some(self.members_of(table, false))
    }

    /// What stands at the end of keys with dots between them. None if nothing does.
    pub(super) fn find(&self, keys: &str) -> Option<Self> {
        keys.split('.').try_fold(self.clone(), |item, key| {
            let mut members = item.members()?.into_iter();
            members.find(|member| member.key == key)
        })
    }

    /// The members of a table at the top of the file, or of one in that, whose key is not shown.
    pub(super) fn section(&self) -> Option<Vec<Self>> {
        let table = self.value().as_table();
        let table = table.or_else(|| self.invalid("expected a table"))?;
        Some(self.members_of(table, true))
    }

    fn members_of(&self, table: &'r DeTable<'r>, is_outermost: bool) -> Vec<Self> {
        let member = |(key, value): (&'r Spanned<_>, &'r Spanned<_>)| {
            let name: &std::borrow::Cow<'r, str> = key.get_ref();
            let is_first = is_outermost || self.is_outermost;
            let before = (!is_first).then(|| format!("{}.", self.path));
            Self {
                key: name,
                key_at: key.span().start,
                path: before.unwrap_or_default() + name,
                is_outermost,
                or: None,
                value,
                ..self.clone()
            }
        };
        let mut members: Vec<_> = table.iter().map(member).collect();
        members.sort_by_key(|member| member.key_at);
        members
    }
}

/// All values, unless one is missing. Each of them is made.
pub(super) fn all<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let values: Vec<_> = values.collect();
    values.into_iter().collect()
}
