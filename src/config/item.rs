//! A value of the file, which serde reads into a type. An error says which key has which mistake, and
//! where.

use globset::Glob;
use serde::de::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error, ValueDeserializer};

use crate::text::escape;
use crate::text::suggest::unknown_name;

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

pub(super) fn check_glob(text: &str) -> Result<String, String> {
    let glob = Glob::new(text).map(|_| text.to_owned());
    glob.map_err(|error| invalid_glob(text, &error))
}

/// The message about a text that is not a glob.
pub(super) fn invalid_glob(text: &str, error: &globset::Error) -> String {
    let (text, reason) = (escape::truncated(text), error.kind().to_string());
    format!("invalid glob `{text}`: {}", escape::truncated(&reason))
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
