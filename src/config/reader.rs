//! The text of the configuration: its values, which serde reads into types, and the mistakes in it. An error
//! says which key has which mistake, and where.

use std::cell::RefCell;
use std::path::Path;

use globset::Glob;
use serde::de::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error, ValueDeserializer};

use crate::check::rules::{Level, Rule};
use crate::config::nodes::Entries;
use crate::config::{ConfigError, ConfigErrors, Given};
use crate::text::suggest::unknown_name;
use crate::text::{Base, Position, Positions, escape, is_blank};

/// The text, and the mistakes that were found in it.
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

/// A value, and its key.
#[derive(Debug, Clone, Copy)]
pub(super) struct TomlItem<'t> {
    pub(super) key: TomlKey<'t>,
    value: &'t Spanned<DeValue<'t>>,
}

/// A key, and its byte offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct TomlKey<'t> {
    pub(super) name: &'t str,
    pub(super) at: usize,
}

/// A mistake at a byte offset of the text.
#[derive(Debug)]
pub(super) struct ReadError {
    pub(super) at: usize,
    /// What is wrong, safe to print.
    pub(super) message: String,
}

impl ReadError {
    /// A mistake in a key or a value that was read with its place.
    pub(super) fn at<T>(place: &Spanned<T>, message: String) -> Self {
        let at = place.span().start;
        Self { at, message }
    }
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
    })
}

impl TomlKey<'_> {
    pub(super) fn error(&self, message: String) -> ReadError {
        let at = self.at;
        ReadError { at, message }
    }

    /// The error about a key that is none of the known ones.
    pub(super) fn unknown<'w>(&self, known: impl Iterator<Item = &'w str> + Clone) -> ReadError {
        self.error(unknown_name("key", self.name, known))
    }
}

impl<'t> TomlItem<'t> {
    pub(super) fn at(&self) -> usize {
        self.value.span().start
    }

    /// Reads the value into a type.
    pub(super) fn read<T: Deserialize<'t>>(&self) -> Result<T, ReadError> {
        let read = T::deserialize(ValueDeserializer::from(self.value.clone()));
        read.map_err(|error| ReadError {
            at: error.span().map_or(self.at(), |span| span.start),
            message: message(&error, self.key.name),
        })
    }

    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn table(&self) -> Result<&'t DeTable<'t>, ReadError> {
        let key = escape::truncated(self.key.name);
        let table = self.value.get_ref().as_table();
        table.ok_or_else(|| self.error(format!("`{key}`: expected a table")))
    }

    /// The items of an array, and none of another value.
    pub(super) fn items(&self) -> impl Iterator<Item = Self> {
        let list = self.value.get_ref().as_array();
        let key = self.key;
        list.into_iter()
            .flat_map(move |list| list.iter().map(move |value| Self { key, value }))
    }

    /// Reads a list of texts, each of which `read` turns into a value, or says what is wrong with it.
    pub(super) fn texts<T>(
        &self,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Vec<T>, ReadError> {
        let texts: Vec<Spanned<String>> = self.read()?;
        let read = |text: Spanned<String>| {
            let at = text.span().start;
            read(text.get_ref()).map_err(|message| ReadError { at, message })
        };
        texts.into_iter().map(read).collect()
    }

    /// An error about the value.
    pub(super) fn error(&self, message: String) -> ReadError {
        let at = self.at();
        ReadError { at, message }
    }
}

/// What serde's words mean in TOML.
const WORDS: [(&str, &str); 8] = [
    ("invalid type: sequence", "invalid type: array"),
    ("invalid type: map", "invalid type: table"),
    ("expected a boolean", "expected true or false"),
    ("expected a sequence", "expected an array"),
    ("expected a map", "expected a table"),
    ("expected path string", "expected a string"),
    ("expected i64", "expected an integer"),
    ("expected u64", "expected an integer that is not negative"),
];

/// The message of an error, with the key in front.
fn message(error: &Error, key: &str) -> String {
    let message = error.message();
    // Only the text of serde's error has the names.
    if let Some(names) = message.strip_prefix("unknown field `")
        && let Some((key, known)) = names.rsplit_once("`, expected ")
    {
        return unknown_name("key", key, known.split('`').skip(1).step_by(2));
    }
    // The rule is the key.
    if message.starts_with("unknown rule") {
        return message.to_owned();
    }
    let mut message = message.to_owned();
    if message.starts_with("invalid ") {
        message = escape::full(&message).to_string();
        for (of_serde, of_toml) in WORDS {
            message = message.replace(of_serde, of_toml);
        }
    }
    // Only the displayed error has the keys that lead from the value to the mistake.
    let whole = error.to_string();
    let path = whole.rsplit_once("\nin `").map(|(_, path)| path.trim_end());
    let path = path.and_then(|path| path.strip_suffix('`'));
    format!("`{}`: {message}", escape::truncated(path.unwrap_or(key)))
}

pub(super) fn check_glob(text: &str) -> Result<String, String> {
    let glob = Glob::new(text).map(|_| text.to_owned());
    glob.map_err(|error| invalid_glob(text, &error))
}

/// The message about a text that is not a glob.
pub(super) fn invalid_glob(text: &str, error: &globset::Error) -> String {
    let (text, reason) = (escape::truncated(text), error.kind().to_string());
    format!("invalid glob `{text}`: {}", escape::truncated(&reason))
}
