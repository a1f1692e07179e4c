//! Profiles of one's own, from the built-in one that they extend down.

use std::ops::Range;

use crate::config::merge;
use crate::config::options::profile_names;
use crate::config::patch::ProfilePatch;
use crate::config::reader::{SourceText, TomlItem, TomlTable};
use crate::config::{ConfigError, CustomProfile};
use crate::text::escape;

/// `[profiles]`
pub(super) fn read(table: TomlTable<'_>) -> Result<Vec<ProfilePatch>, ConfigError> {
    let draft = |(id, place, item): (&str, Range<usize>, TomlItem<'_>)| {
        let is_taken = profile_names().any(|known| known == id);
        let is_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
        if is_taken || id.is_empty() || !id.chars().all(is_name) {
            let shown = escape::truncated(id);
            let message = if is_taken {
                format!("{shown} is built in: give your profile another name")
            } else {
                format!("{shown} cannot be a profile's name: letters, digits, - _ and . can")
            };
            return Err(item.error_at(place.start, message));
        }
        item.refuse_disguised(id, place.start)?;
        ProfilePatch::read(id, place.start, &item)
    };
    table.entries().map(draft).collect()
}

/// Holds every profile against itself and what it extends.
pub(super) fn hold(reader: &SourceText<'_>, drafts: &[ProfilePatch]) -> Result<(), ConfigError> {
    for draft in drafts {
        let profile = merge::resolve(draft, drafts).map_err(|message| ConfigError {
            at: draft.extends.at,
            message,
        })?;
        let refused = merge::refusal(&profile, draft);
        refused.map_or(Ok(()), |message| Err(reader.error(draft.at, message)))?;
    }
    Ok(())
}

/// The profiles of drafts that hold.
pub(super) fn make(drafts: &[ProfilePatch]) -> Vec<CustomProfile> {
    let make = |draft: &ProfilePatch| {
        Some(CustomProfile {
            profile: Box::leak(Box::new(merge::resolve(draft, drafts).ok()?)),
            extends: draft.extends.value.clone(),
            files: draft.files.clone(),
            rules: draft.rules.clone(),
        })
    };
    drafts.iter().filter_map(make).collect()
}
