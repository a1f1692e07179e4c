//! What is proposed for one profile.

use super::words::meaning;

/// What a definition proposes for its profile.
#[derive(Debug, Default)]
pub(super) struct Proposal {
    pub(super) keys: Vec<ProposedKey>,
    /// What was not understood, with its line.
    pub(super) notes: Vec<(usize, String)>,
    /// Whether the profile is of a file and not of the final message.
    pub(super) is_of_file: bool,
}

/// One key of a profile.
#[derive(Debug)]
pub(super) struct ProposedKey {
    pub(super) key: String,
    pub(super) value: KeyValue,
    /// The line of the prompt that says so, or the number of returns that have it.
    pub(super) line: usize,
    /// What the user should look at.
    pub(super) note: &'static str,
    /// For each line, how many past returns keep it, and of how many.
    pub(super) kept: Vec<Option<(usize, usize)>>,
}

/// The value of a key.
#[derive(Debug)]
pub(super) enum KeyValue {
    Text(String),
    /// TOML as it is.
    Raw(String),
    /// Texts, each with its line.
    List(Vec<(String, usize)>),
}

impl Proposal {
    pub(super) fn add(&mut self, key: impl Into<String>, value: KeyValue, line: usize) {
        self.keys.push(ProposedKey {
            key: key.into(),
            value,
            line,
            note: "",
            kept: Vec::new(),
        });
    }

    /// Adds a word of the status with what it means.
    pub(super) fn add_word(&mut self, word: &str, line: usize) {
        let meaning = meaning(word);
        self.keys.push(ProposedKey {
            key: format!("statuses.{}", toml_key(word)),
            value: KeyValue::Text(meaning.unwrap_or("other").to_owned()),
            line,
            note: if meaning.is_some() { "" } else { "check" },
            kept: Vec::new(),
        });
    }

    pub(super) fn note(&mut self, line: usize, text: impl Into<String>) {
        self.notes.push((line, text.into()));
    }
}

/// A key of TOML.
pub(super) fn toml_key(name: &str) -> String {
    let is_bare = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A string of TOML.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007f")
}
