//! The text of the configuration, and the mistakes that were found in it.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::check::rules::{Level, Rule};
use crate::config::item::{ReadError, TomlItem};
use crate::config::nodes::Entries;
use crate::config::{ConfigError, ConfigErrors, Given};
use crate::text::{Base, Position, Positions, escape, is_blank};

pub(super) struct Reader<'t> {
    text: &'t str,
    errors: RefCell<Vec<ReadError>>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let errors = RefCell::default();
        Self { text, errors }
    }

    /// Parses the text. One error for each line that is not TOML.
    pub(super) fn document(&self) -> Result<Spanned<DeTable<'t>>, ConfigErrors> {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let at = error.span().unwrap_or_default().start;
            let message = escape::truncated(error.message()).to_string();
            self.keep::<()>(Err(ReadError { at, message }));
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
        let levels: Entries<&'static Rule, Spanned<Level>> = item.read()?;
        let level = |(rule, level): (&'static Rule, Spanned<Level>)| {
            let (at, value) = (level.span().start, level.into_inner());
            check_level(rule, value).map_err(|message| ReadError { at, message })?;
            let at = self.position(at);
            Ok((rule, Given { value, at }))
        };
        levels.0.into_iter().map(level).collect()
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
        let message = format!("`{key}` {mistake}");
        self.keep::<()>(Err(ReadError { at, message }));
    }
}

/// Checks that a rule may have a level.
pub(super) fn check_level(rule: &Rule, level: Level) -> Result<(), String> {
    if rule.is_indispensable() && level != Level::Error {
        let id = rule.id;
        return Err(format!(
            "`{id}` must stay an error: nothing can be checked without it"
        ));
    }
    Ok(())
}
