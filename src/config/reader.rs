//! Reading TOML with the place of everything, so that what cannot be meant can be shown.

use std::fmt::Write as _;
use std::ops::Range;

use globset::Glob;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::{ConfigError, Given};
use crate::rules::{Level, RULES, Rule};
use crate::text::escape;
use crate::text::suggest::nearest;
use crate::text::{Base, Position, Positions};

/// The text, for places in it.
pub(super) struct SourceText<'t> {
    text: &'t str,
}

/// A table and the reader that knows its places.
#[derive(Clone, Copy)]
pub(super) struct TomlTable<'t> {
    reader: &'t SourceText<'t>,
    table: &'t DeTable<'t>,
}

/// A value, its key, and its place.
#[derive(Clone, Copy)]
pub(super) struct TomlItem<'t> {
    reader: &'t SourceText<'t>,
    key: &'t str,
    value: &'t Spanned<DeValue<'t>>,
}

pub(super) fn document(text: &str) -> Result<Spanned<DeTable<'_>>, ConfigError> {
    DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        SourceText::new(text).error(start, escape::truncated(error.message()).to_string())
    })
}

impl<'t> SourceText<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text }
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        Positions::new(self.text.as_bytes(), Base::default()).of(offset)
    }

    pub(super) fn error(&self, offset: usize, message: String) -> ConfigError {
        let at = self.position(offset);
        ConfigError { at, message }
    }
}

/// What is said of a word that is none of those that are known.
pub(super) fn unknown_name<'w>(
    what: &str,
    word: &str,
    known: impl Iterator<Item = &'w str> + Clone,
) -> String {
    /// More words than this help nobody who mistyped one.
    const LISTED: usize = 12;
    let shown = escape::truncated(word);
    let mut message = format!("unknown {what} {shown}");
    if let Some(meant) = nearest(word, known.clone()) {
        let _ = write!(message, ": did it mean {meant}?");
    } else if known.clone().nth(LISTED).is_none() {
        let known: Vec<_> = known.collect();
        let _ = write!(message, ": it is one of {}", known.join(", "));
    }
    message
}

impl<'t> TomlTable<'t> {
    pub(super) fn of(reader: &'t SourceText<'t>, table: &'t DeTable<'t>) -> Self {
        Self { reader, table }
    }

    pub(super) fn reader(&self) -> &'t SourceText<'t> {
        self.reader
    }

    /// Keys, their places, and values, in the order of the text.
    pub(super) fn entries(self) -> impl Iterator<Item = (&'t str, Range<usize>, TomlItem<'t>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries.into_iter().map(move |(key, value)| {
            let name = key.get_ref().as_ref();
            let item = TomlItem {
                reader: self.reader,
                key: name,
                value,
            };
            (name, key.span(), item)
        })
    }
}

impl<'t> TomlItem<'t> {
    fn at(&self) -> usize {
        self.value.span().start
    }

    pub(super) fn given<T>(&self, value: T) -> Given<T> {
        let at = self.reader.position(self.at());
        Given { value, at }
    }

    /// An error about the value.
    pub(super) fn error(&self, message: String) -> ConfigError {
        self.error_at(self.at(), message)
    }

    /// An error about something near it, such as its key.
    pub(super) fn error_at(&self, offset: usize, message: String) -> ConfigError {
        self.reader.error(offset, message)
    }

    fn wrong(&self, expected: &str) -> ConfigError {
        let (key, found) = (escape::truncated(self.key), self.value.get_ref().type_str());
        self.error(format!(
            "{key} is to be {expected}, not of the type {found}"
        ))
    }

    pub(super) fn table(&self) -> Result<TomlTable<'t>, ConfigError> {
        let table = self.value.get_ref().as_table();
        let table = table.ok_or_else(|| self.wrong("a table"))?;
        Ok(TomlTable::of(self.reader, table))
    }

    pub(super) fn text(&self) -> Result<&'t str, ConfigError> {
        let text = self.value.get_ref().as_str();
        let text = text.ok_or_else(|| self.wrong("a string"))?;
        if text.trim().is_empty() {
            return Err(self.error(format!("{} is empty", escape::truncated(self.key))));
        }
        Ok(text)
    }

    /// A text that goes into instructions and messages as it is.
    pub(super) fn name(&self) -> Result<&'t str, ConfigError> {
        let name = self.text()?;
        self.refuse_disguised(name, self.at())?;
        Ok(name)
    }

    /// Nobody could tell a name with hidden characters from another, or write it.
    pub(super) fn refuse_disguised(&self, name: &str, at: usize) -> Result<(), ConfigError> {
        let shown = escape::full(name).to_string();
        if shown == name {
            return Ok(());
        }
        let message = format!(
            "{} cannot be shown as it is: leave out what is an escape here",
            escape::truncated(name)
        );
        Err(self.error_at(at, message))
    }

    pub(super) fn switch(&self) -> Result<bool, ConfigError> {
        let switch = self.value.get_ref().as_bool();
        switch.ok_or_else(|| self.wrong("true or false"))
    }

    pub(super) fn number(&self, range: Range<u64>) -> Result<u64, ConfigError> {
        let integer = self.value.get_ref().as_integer();
        let integer = integer.ok_or_else(|| self.wrong("a whole number"))?;
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (key, last) = (escape::truncated(self.key), range.end - 1);
                self.error(format!("{key} is to be from {} to {last}", range.start))
            })
    }

    /// The items of an array.
    pub(super) fn list(&self) -> Result<Vec<TomlItem<'t>>, ConfigError> {
        let list = self.value.get_ref().as_array();
        let list = list.ok_or_else(|| self.wrong("an array"))?;
        let item = |value| TomlItem { value, ..*self };
        Ok(list.iter().map(item).collect())
    }

    pub(super) fn texts(&self) -> Result<Vec<String>, ConfigError> {
        self.each(Self::text)
    }

    pub(super) fn names(&self) -> Result<Vec<String>, ConfigError> {
        self.each(Self::name)
    }

    fn each(
        &self,
        read: impl Fn(&Self) -> Result<&'t str, ConfigError>,
    ) -> Result<Vec<String>, ConfigError> {
        let list = self.list()?;
        list.iter()
            .map(|item| read(item).map(str::to_owned))
            .collect()
    }

    pub(super) fn globs(&self) -> Result<Vec<String>, ConfigError> {
        for item in self.list()? {
            Glob::new(item.text()?).map_err(|error| {
                let reason = error.kind().to_string();
                item.error(format!(
                    "cannot use the glob: {}",
                    escape::truncated(&reason)
                ))
            })?;
        }
        self.texts()
    }

    /// One of `words`, by what it stands for.
    pub(super) fn word<T: Copy>(&self, words: &[(&'static str, T)]) -> Result<T, ConfigError> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let known = words.iter().map(|(word, _)| *word);
            self.error(unknown_name(
                &format!("value of {}", escape::truncated(self.key)),
                text,
                known,
            ))
        })
    }
}

/// Levels of rules.
pub(super) fn levels(
    table: TomlTable<'_>,
) -> Result<Vec<(&'static Rule, Given<Level>)>, ConfigError> {
    let level = |(key, place, item): (&str, Range<usize>, TomlItem<'_>)| {
        let rule = Rule::named(key).ok_or_else(|| {
            let known = RULES.iter().map(|rule| rule.id);
            let message = unknown_name("rule", key, known);
            table.reader().error(place.start, message)
        })?;
        let level = item.word(&Level::NAMES)?;
        if rule.is_indispensable() && level != Level::Error {
            let message = format!("{}: without this rule nothing else can be checked", rule.id);
            return Err(item.error(message));
        }
        Ok((rule, item.given(level)))
    };
    table.entries().map(level).collect()
}
