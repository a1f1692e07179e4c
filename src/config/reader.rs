//! The text of the configuration: its values with their places, and the mistakes in it.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::{ConfigError, ConfigErrors};
use crate::document::Form;
use crate::text::{Base, Position, Positions, escape, is_blank};

/// The text, and the mistakes that were found in it.
pub(super) struct Reader<'t> {
    text: &'t str,
    /// The folder that the files are below that it names. None if none is read.
    pub(super) folder: Option<&'t Path>,
    /// The byte offset of each mistake, and what is wrong, safe to print.
    errors: RefCell<Vec<(usize, String)>>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, folder: Option<&'t Path>) -> Self {
        Self { text, folder, errors: RefCell::default() }
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
}

/// A value, and where it is.
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

/// A value of the text, and its key. An item of an array has the key of the array.
#[derive(Clone)]
pub(super) struct TomlItem<'r> {
    pub(super) reader: &'r Reader<'r>,
    pub(super) key: &'r str,
    pub(super) key_at: usize,
    /// The form of the profile that it is in, which says what its places are.
    pub(super) form: Form,
    value: &'r Spanned<DeValue<'r>>,
}

impl<'r> TomlItem<'r> {
    pub(super) fn new(
        reader: &'r Reader<'r>,
        key: &'r str,
        value: &'r Spanned<DeValue<'r>>,
    ) -> Self {
        Self { reader, key, key_at: 0, form: Form::default(), value }
    }

    pub(super) fn at(&self) -> usize {
        self.value.span().start
    }

    pub(super) fn value(&self) -> &'r DeValue<'r> {
        self.value.get_ref()
    }

    /// Collects an error about the value. Returns None, so that a reader can return it.
    pub(super) fn refuse<T>(&self, message: impl Into<String>) -> Option<T> {
        self.reader.refuse(self.at(), message);
        None
    }

    /// The same with the key in front.
    pub(super) fn invalid<T>(&self, message: impl std::fmt::Display) -> Option<T> {
        self.refuse(format!("`{}`: {message}", escape::truncated(self.key)))
    }

    /// The same of a value that is of another type.
    pub(super) fn expected<T>(&self, what: &str) -> Option<T> {
        self.invalid(format_args!("expected {what}, found {}", self.value().type_str()))
    }

    /// Collects an error about its key.
    pub(super) fn refuse_key<T>(&self, message: impl Into<String>) -> Option<T> {
        self.reader.refuse(self.key_at, message);
        None
    }

    /// A number in this range, or an error.
    pub(super) fn number(&self, range: &Range<u64>) -> Option<u64> {
        let number = self.value().as_integer().or_else(|| self.expected("an integer"))?;
        let number = u64::from_str_radix(number.as_str(), number.radix()).ok();
        number.filter(|it| range.contains(it)).or_else(|| {
            let (first, last) = (range.start, range.end - 1);
            self.refuse(format!("`{}` must be between {first} and {last}", self.key))
        })
    }

    /// A text that is not blank, or an error.
    pub(super) fn text(&self) -> Option<&'r str> {
        let text = self.value().as_str().or_else(|| self.expected("a string"))?;
        if is_blank(text) {
            return self.refuse(format!("`{}` must not be empty", escape::truncated(self.key)));
        }
        Some(text)
    }

    /// What `read` makes of the text, or an error about what is wrong with it.
    pub(super) fn read<T>(&self, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        read(self.text()?).map_or_else(|why| self.invalid(why), Some)
    }

    /// What `read` makes of each item of an array, or an error. All of them are read, also behind a mistake.
    pub(super) fn each<T>(&self, read: impl Fn(&Self) -> Option<T>) -> Option<Vec<T>> {
        let list = self.value().as_array().or_else(|| self.expected("an array"))?;
        all(list.iter().map(|value| read(&Self { value, ..self.clone() })))
    }

    /// The same of a value alone or an array of them.
    pub(super) fn one_or_each<T>(&self, read: impl Fn(&Self) -> Option<T>) -> Option<Vec<T>> {
        if self.value().is_array() { self.each(read) } else { Some(vec![read(self)?]) }
    }

    /// The members of a table in the order of the text, or an error.
    pub(super) fn members(&self) -> Option<Vec<Self>> {
        let table = self.value().as_table().or_else(|| self.expected("a table"))?;
        let member = |(key, value): (&'r Spanned<std::borrow::Cow<'r, str>>, _)| Self {
            key: key.get_ref(),
            key_at: key.span().start,
            value,
            ..self.clone()
        };
        let mut members: Vec<_> = table.iter().map(member).collect();
        members.sort_by_key(|member| member.key_at);
        Some(members)
    }

    /// The member of a table with this key.
    pub(super) fn find(&self, key: &str) -> Option<Self> {
        let (key, value) = self.value().as_table()?.get_key_value(key)?;
        Some(Self { key: key.get_ref(), key_at: key.span().start, value, ..self.clone() })
    }
}

/// All values, unless one is missing. Each of them is made.
pub(super) fn all<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let values: Vec<_> = values.collect();
    values.into_iter().collect()
}
