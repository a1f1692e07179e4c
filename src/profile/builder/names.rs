//! Which names profiles and their parts can have.

use crate::profile::{Profile, ProfileError};
use crate::text::{escape, is_blank};

/// Checks that a custom profile can have this name.
pub(crate) fn check_id(id: &str) -> Result<(), ProfileError> {
    let is_valid = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if id == "auto" || Profile::named(id).is_some() {
        return Err(ProfileError::ReservedId(id.to_owned()));
    }
    if id.is_empty() || !id.chars().all(is_valid) {
        return Err(ProfileError::InvalidId(id.to_owned()));
    }
    check_name("the name of a profile", id)
}

/// Checks that people can read and write a name, because it is put into instructions and messages
/// unchanged.
pub(super) fn check_name(what: &'static str, name: &str) -> Result<(), ProfileError> {
    if is_blank(name) {
        return Err(ProfileError::EmptyName(what));
    }
    if escape::full(name).to_string() != name {
        return Err(ProfileError::HiddenCharacters(name.to_owned()));
    }
    Ok(())
}
