//! What a profile of the file must satisfy.

use std::borrow::Cow;

use crate::profile::Profile;
use crate::text::escape::truncated;
use crate::text::{escape, is_blank};

/// What is wrong with a profile.
#[derive(Debug)]
pub(in crate::config) struct ProfileMistake {
    /// The keys and the indexes that lead from the table of the profile to the place.
    pub(in crate::config) path: Vec<String>,
    /// Whether the value has the mistake, and not the key.
    pub(in crate::config) is_in_value: bool,
    pub(in crate::config) message: String,
}

impl ProfileMistake {
    pub(super) fn of_key(path: &[&str], message: String) -> Self {
        Self {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            is_in_value: false,
            message,
        }
    }

    pub(super) fn of_value(path: &[&str], message: String) -> Self {
        Self {
            is_in_value: true,
            ..Self::of_key(path, message)
        }
    }
}

pub(super) type Changed = Result<(), ProfileMistake>;

/// Checks that a custom profile can have this name.
pub(in crate::config) fn check_id(id: &str) -> Result<(), String> {
    let is_valid = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if id == "auto" || Profile::named(id).is_some() {
        return Err(format!("`{id}` is built in; choose another name"));
    }
    if id.is_empty() || !id.chars().all(is_valid) {
        let id = truncated(id);
        return Err(format!(
            "`{id}` is not a valid profile name: use letters, digits, `-`, `_` and `.`"
        ));
    }
    check_name("the name of a profile", id)
}

/// Checks that people can read and write a name, because it is put into instructions and messages
/// unchanged.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), String> {
    if is_blank(name) {
        return Err(format!("{what} must not be empty"));
    }
    if escape::full(name).to_string() != name {
        let name = truncated(name);
        return Err(format!(
            "`{name}` contains characters that cannot be displayed"
        ));
    }
    Ok(())
}

/// Checks that a path of handoff files or of files with details is relative and has no unknown
/// placeholders.
pub(super) fn check_template(template: &str) -> Result<(), String> {
    let rest = ["{session}", "{group}", "{agent}"]
        .iter()
        .fold(template.to_owned(), |text, place| text.replace(place, ""));
    if rest.contains(['{', '}']) {
        Err(
            "unknown placeholder in the path of handoff files; use {session}, {group} and {agent}"
                .to_owned(),
        )
    } else if template.starts_with('/') {
        Err("the path of handoff files must be relative to the root".to_owned())
    } else {
        Ok(())
    }
}

/// Returns the name if it is valid. `path` is the place of the value.
pub(super) fn name(
    what: &str,
    name: &str,
    path: &[&str],
) -> Result<Cow<'static, str>, ProfileMistake> {
    check_name(what, name).map_err(|message| ProfileMistake::of_value(path, message))?;
    Ok(name.to_owned().into())
}
