//! The text of the configuration, and the mistakes that were found in it.

use std::cell::RefCell;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::check::rules::{Level, Rule};
use crate::config::item::{ReadError, TomlItem};
use crate::config::nodes::Entries;
use crate::config::{ConfigError, ConfigErrors, Given};
use crate::text::{Base, Position, Positions, escape, is_blank};

pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The folder that the files are below that it names. None if none is read.
    pub(super) folder: Option<&'t Path>,
    errors: RefCell<Vec<ReadError>>,
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
            let message = escape::truncated(error.message()).to_string();
            self.refuse(at, message);
        }
        let mut errors = self.all_or(document);
        if let Err(ConfigErrors(errors)) = &mut errors {
            errors.dedup_by_key(|error| error.at.line);
        }
        errors
    }

    /// Returns the value that was read. An error is collected, so that reading can go on.
    pub(super) fn keep<T>(&self, read: Result<T, ReadError>) -> Option<T> {
        read.map_err(|error| self.errors.borrow_mut().push(error))
            .ok()
    }

    pub(super) fn refuse(&self, at: usize, message: String) {
        self.errors.borrow_mut().push(ReadError { at, message });
    }

    /// The value, or every collected error, in the order of the text.
    pub(super) fn all_or<T>(&self, value: T) -> Result<T, ConfigErrors> {
        let mut errors = self.errors.take();
        if errors.is_empty() {
            return Ok(value);
        }
        errors.sort_by_key(|error| error.at);
        errors.dedup_by_key(|error| error.at);
        let errors = errors.into_iter().map(|error| ConfigError {
            at: self.position(error.at),
            message: error.message,
        });
        Err(ConfigErrors(errors.collect()))
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        Positions::new(self.text.as_bytes(), Base::default()).of(offset)
    }

    /// Levels of rules.
    pub(super) fn levels(
        &self,
        item: &TomlItem<'_>,
    ) -> Result<Vec<(&'static Rule, Given<Level>)>, ReadError> {
        let levels: LevelTable = item.read()?;
        let level = |(rule, level): (&'static Rule, &Spanned<Level>)| {
            let (at, value) = (self.position(level.span().start), *level.get_ref());
            (rule, Given { value, at })
        };
        Ok(checked_levels(&levels)?.map(level).collect())
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
        let (at, key) = (value.span().start, escape::truncated(key));
        self.refuse(at, format!("`{key}` {mistake}"));
    }
}

/// A table of levels of rules.
pub(super) type LevelTable = Entries<&'static Rule, Spanned<Level>>;

/// The levels, if each rule may have its own.
pub(super) fn checked_levels(
    levels: &LevelTable,
) -> Result<impl Iterator<Item = (&'static Rule, &Spanned<Level>)>, ReadError> {
    let mut levels = levels
        .0
        .iter()
        .map(|(rule, level)| (*rule.get_ref(), level));
    let all = levels.clone();
    match levels.find(|(rule, level)| rule.is_indispensable() && *level.get_ref() != Level::Error) {
        None => Ok(all),
        Some((Rule { id, .. }, level)) => Err(ReadError::at(
            level,
            format!("`{id}` must stay an error: nothing can be checked without it"),
        )),
    }
}
