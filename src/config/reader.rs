//! Reads TOML with the position of each value, so that errors can report it.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::str::FromStr;

use globset::Glob;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::known::one_of;
pub(super) use crate::config::known::unknown_name;
use crate::config::size::{ByteSize, ByteSizeError};
use crate::config::syntax;
use crate::config::{ConfigError, ConfigErrors, Given};
use crate::profile::ProfileError;
use crate::rules::{Level, RULES, Rule};
use crate::text::escape;
use crate::text::{Base, Position, Positions, is_blank};

/// The text, for positions, and the errors that were found in it.
pub(super) struct SourceText<'t> {
    text: &'t str,
    errors: RefCell<Vec<ConfigError>>,
    /// Whether the profile that is read extends one that is unknown.
    lacks_base: Cell<bool>,
}

/// A table, with the reader that knows positions.
#[derive(Clone, Copy)]
pub(super) struct TomlTable<'t> {
    reader: &'t SourceText<'t>,
    table: &'t DeTable<'t>,
}

/// A value, its key, and its position.
#[derive(Clone, Copy)]
pub(super) struct TomlItem<'t> {
    reader: &'t SourceText<'t>,
    key: &'t str,
    is_in_list: bool,
    value: &'t Spanned<DeValue<'t>>,
}

/// Parses the document. An error for every place that is not TOML.
pub(super) fn document(text: &str) -> Result<Spanned<DeTable<'_>>, ConfigErrors> {
    let (document, errors) = DeTable::parse_recoverable(text);
    let source = SourceText::new(text);
    for mistake in syntax::mistakes(text, &errors) {
        source.keep::<()>(Err(source.error(mistake.at, mistake.message)));
    }
    source.all_or(document)
}

impl<'t> SourceText<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            errors: RefCell::default(),
            lacks_base: Cell::default(),
        }
    }

    /// Returns the value that was read. An error is collected, so that reading can go on.
    pub(super) fn keep<T>(&self, read: Result<T, ConfigError>) -> Option<T> {
        read.map_err(|error| self.errors.borrow_mut().push(error))
            .ok()
    }

    /// Reads a profile whose base is unknown. Errors that depend on the base are ignored.
    pub(super) fn without_base(&self, read: impl FnOnce()) {
        self.lacks_base.set(true);
        read();
        self.lacks_base.set(false);
    }

    /// How many errors were collected.
    pub(super) fn error_count(&self) -> usize {
        self.errors.borrow().len()
    }

    /// The value, or every collected error, in the order of the text.
    pub(super) fn all_or<T>(&self, value: T) -> Result<T, ConfigErrors> {
        let mut errors = self.errors.take();
        errors.sort_by_key(|error| error.at.offset);
        errors.dedup();
        if errors.is_empty() {
            Ok(value)
        } else {
            Err(ConfigErrors(errors))
        }
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        Positions::new(self.text.as_bytes(), Base::default()).of(offset)
    }

    pub(super) fn error(&self, offset: usize, message: String) -> ConfigError {
        let at = self.position(offset);
        ConfigError { at, message }
    }
}

impl<'t> TomlTable<'t> {
    pub(super) fn of(reader: &'t SourceText<'t>, table: &'t DeTable<'t>) -> Self {
        Self { reader, table }
    }

    pub(super) fn reader(&self) -> &'t SourceText<'t> {
        self.reader
    }

    /// Keys, their byte spans, and values, in the order of the file.
    pub(super) fn entries(self) -> impl Iterator<Item = (&'t str, Range<usize>, TomlItem<'t>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries.into_iter().map(move |(key, value)| {
            let name = key.get_ref().as_ref();
            let item = TomlItem {
                reader: self.reader,
                key: name,
                is_in_list: false,
                value,
            };
            (name, key.span(), item)
        })
    }
}

impl<'t> TomlItem<'t> {
    /// Returns the value that was read from the item. An error is collected.
    pub(super) fn keep<T>(&self, read: Result<T, ConfigError>) -> Option<T> {
        self.reader.keep(read)
    }

    fn at(&self) -> usize {
        self.value.span().start
    }

    /// The position of the value.
    pub(super) fn position(&self) -> Position {
        self.reader.position(self.at())
    }

    pub(super) fn given<T>(&self, value: T) -> Given<T> {
        let at = self.position();
        Given { value, at }
    }

    /// An error about the value.
    pub(super) fn error(&self, message: String) -> ConfigError {
        self.error_at(self.at(), message)
    }

    /// An error at another offset near it, such as its key.
    pub(super) fn error_at(&self, offset: usize, message: String) -> ConfigError {
        self.reader.error(offset, message)
    }

    /// Fails with `error`, the first error of a profile, at the position of the value.
    pub(super) fn check(&self, error: Option<ProfileError>) -> Result<(), ConfigError> {
        self.check_at(self.at(), error)
    }

    /// The same at another offset near the value.
    pub(super) fn check_at(
        &self,
        offset: usize,
        error: Option<ProfileError>,
    ) -> Result<(), ConfigError> {
        match error {
            Some(error) if !self.reader.lacks_base.get() => {
                Err(self.error_at(offset, error.to_string()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn wrong(&self, expected: &str) -> ConfigError {
        let item = if self.is_in_list { "each item of " } else { "" };
        let found = match self.value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        let key = escape::truncated(self.key);
        self.error(format!("{item}`{key}` must be {expected}, found {found}"))
    }

    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn table(&self) -> Result<TomlTable<'t>, ConfigError> {
        let table = self.value.get_ref().as_table();
        let table = table.ok_or_else(|| self.wrong("a table"))?;
        Ok(TomlTable::of(self.reader, table))
    }

    pub(super) fn text(&self) -> Result<&'t str, ConfigError> {
        let text = self.value.get_ref().as_str();
        let text = text.ok_or_else(|| self.wrong("a string"))?;
        if is_blank(text) {
            return Err(self.error(format!(
                "`{}` must not be empty",
                escape::truncated(self.key)
            )));
        }
        Ok(text)
    }

    pub(super) fn owned(&self) -> Result<String, ConfigError> {
        self.text().map(str::to_owned)
    }

    pub(super) fn switch(&self) -> Result<bool, ConfigError> {
        let switch = self.value.get_ref().as_bool();
        switch.ok_or_else(|| self.wrong("true or false"))
    }

    /// A size in bytes: a number, or a text with a unit.
    pub(super) fn size(&self, range: Range<u64>) -> Result<ByteSize, ConfigError> {
        if self.value.get_ref().as_str().is_none() {
            return self.number(range).map(ByteSize::from);
        }
        let size: Result<ByteSize, ByteSizeError> = self.text()?.parse();
        let size = size.map_err(|error| self.error(error.to_string()))?;
        self.within(Some(size.bytes()), range).map(ByteSize::from)
    }

    pub(super) fn number(&self, range: Range<u64>) -> Result<u64, ConfigError> {
        let integer = self.value.get_ref().as_integer();
        let integer = integer.ok_or_else(|| self.wrong("an integer"))?;
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        self.within(number, range)
    }

    /// Fails if a number is out of range. `None` is too large to be read.
    fn within(&self, number: Option<u64>, range: Range<u64>) -> Result<u64, ConfigError> {
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (key, last) = (escape::truncated(self.key), range.end - 1);
                self.error(format!(
                    "`{key}` must be between {} and {last}",
                    range.start
                ))
            })
    }

    /// The items of an array.
    pub(super) fn list(&self) -> Result<Vec<TomlItem<'t>>, ConfigError> {
        let list = self.value.get_ref().as_array();
        let list = list.ok_or_else(|| self.wrong("an array"))?;
        let item = |value| TomlItem {
            value,
            is_in_list: true,
            ..*self
        };
        Ok(list.iter().map(item).collect())
    }

    pub(super) fn texts(&self) -> Result<Vec<String>, ConfigError> {
        self.list()?.iter().map(Self::owned).collect()
    }

    pub(super) fn globs(&self) -> Result<Vec<String>, ConfigError> {
        for item in self.list()? {
            let text = item.text()?;
            Glob::new(text).map_err(|error| item.invalid_glob(text, &error))?;
        }
        self.texts()
    }

    pub(super) fn invalid_glob(&self, text: &str, error: &globset::Error) -> ConfigError {
        self.invalid_glob_at(self.at(), text, error)
    }

    /// The same at another offset near the value.
    pub(super) fn invalid_glob_at(
        &self,
        offset: usize,
        text: &str,
        error: &globset::Error,
    ) -> ConfigError {
        let (text, reason) = (escape::truncated(text), error.kind().to_string());
        let reason = escape::truncated(&reason);
        self.error_at(offset, format!("invalid glob `{text}`: {reason}"))
    }

    /// Parses a name. `known` has the valid names.
    pub(super) fn name<T: FromStr>(
        &self,
        known: impl IntoIterator<Item = &'static str, IntoIter: Clone>,
    ) -> Result<T, ConfigError> {
        let known = known.into_iter();
        if self.value.get_ref().as_str().is_none() {
            return Err(self.wrong(&one_of(known)));
        }
        let text = self.text()?;
        text.parse().map_err(|_| {
            let key = escape::truncated(self.key);
            self.error(unknown_name(&format!("value for `{key}`:"), text, known))
        })
    }
}

/// Levels of rules.
pub(super) fn levels(table: TomlTable<'_>) -> Vec<(&'static Rule, Given<Level>)> {
    let level = |(key, place, item): (&str, Range<usize>, TomlItem<'_>)| {
        let rule = Rule::named(key).ok_or_else(|| {
            let known = RULES.iter().map(|rule| rule.id);
            let message = unknown_name("rule", key, known);
            table.reader().error(place.start, message)
        })?;
        let level = item.name(Level::ALL.map(Level::as_str))?;
        if rule.is_indispensable() && level != Level::Error {
            return Err(item.error(ProfileError::RequiredRule(rule.id).to_string()));
        }
        Ok((rule, item.given(level)))
    };
    let levels = table.entries().map(level);
    levels
        .filter_map(|read| table.reader().keep(read))
        .collect()
}
