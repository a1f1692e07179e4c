//! Keys and texts, as the file writes them.

use std::fmt::Write as _;

use crate::text::escape;

/// A key of TOML.
pub(crate) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if name.bytes().all(is_bare) && !name.is_empty() {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A TOML string with all hidden characters and tags escaped. The name of a group of an expression is no tag.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for (at, character) in text.char_indices() {
        let previous = quoted.chars().next_back();
        let names_group = character == '<' && (quoted.ends_with("(?") || quoted.ends_with("(?P"));
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
            quoted.push(character);
        } else if !names_group && escape::misleads(&text[at..], previous) {
            let _ = write!(quoted, "\\U{:08X}", u32::from(character));
        } else {
            quoted.push(character);
        }
    }
    quoted.push('"');
    quoted
}
