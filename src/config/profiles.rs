//! `[profiles]`: custom profiles, from the built-in one that they extend upwards.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::config::options::profile_names;
use crate::config::profile_keys;
use crate::config::reader::{SourceText, TomlItem, TomlTable, unknown_name};
use crate::config::{ConfigError, CustomProfile};
use crate::profile::{PROFILES, Profile};
use crate::text::escape;

/// One `[profiles.NAME]`, not read yet but for what it extends.
struct Entry<'t> {
    id: &'t str,
    /// Where its name is.
    at: usize,
    reader: &'t SourceText<'t>,
    table: TomlTable<'t>,
    extends: TomlItem<'t>,
}

/// Every profile of the table, in the order of the text.
pub(super) fn read(table: TomlTable<'_>) -> Result<Vec<CustomProfile>, ConfigError> {
    let entries = table.entries().map(|(id, place, item)| {
        let entry = Entry::read(id, place.start, item)?;
        Ok((id, entry))
    });
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let by_id: HashMap<_, _> = entries.iter().map(|(id, entry)| (*id, entry)).collect();
    let mut made = HashMap::new();
    for (_, entry) in &entries {
        for entry in chain(entry, &by_id, &made)?.into_iter().rev() {
            let custom = entry.make(&made)?;
            made.insert(entry.id, custom);
        }
    }
    let made = entries.iter().filter_map(|(id, _)| made.remove(id));
    Ok(made.collect())
}

/// An entry and the entries that it extends, as far as they are not made.
fn chain<'e, 't>(
    entry: &'e Entry<'t>,
    by_id: &HashMap<&str, &'e Entry<'t>>,
    made: &HashMap<&str, CustomProfile>,
) -> Result<Vec<&'e Entry<'t>>, ConfigError> {
    let (mut chain, mut ids) = (Vec::new(), HashSet::new());
    let mut next = entry;
    while !made.contains_key(next.id) {
        chain.push(next);
        ids.insert(next.id);
        let extends = next.extends.text()?;
        if Profile::named(extends).is_some() {
            break;
        }
        if ids.contains(extends) {
            let ids: Vec<_> = chain.iter().map(|entry| entry.id).collect();
            return Err(next.extends.error(format!(
                "a profile cannot extend itself: {} -> {extends}",
                ids.join(" -> ")
            )));
        }
        next = by_id.get(extends).ok_or_else(|| {
            let built_in = PROFILES.iter().map(|profile| &*profile.id);
            let known = built_in.chain(by_id.keys().copied());
            next.extends.error(unknown_name("profile", extends, known))
        })?;
    }
    Ok(chain)
}

impl<'t> Entry<'t> {
    fn read(id: &'t str, at: usize, item: TomlItem<'t>) -> Result<Self, ConfigError> {
        let table = item.table()?;
        let extends = table.entries().find(|(key, ..)| *key == "extends");
        let Some((_, _, extends)) = extends else {
            return Err(table.reader().error(
                at,
                format!(
                    "the profile `{}` must extend another one; add extends = \"return\"",
                    escape::truncated(id)
                ),
            ));
        };
        Ok(Self {
            id,
            at,
            reader: table.reader(),
            table,
            extends,
        })
    }

    /// The profile; what it extends is built in or made.
    fn make(&self, made: &HashMap<&str, CustomProfile>) -> Result<CustomProfile, ConfigError> {
        let extends = self.extends.text()?;
        let parent = made.get(extends);
        let base = parent.map(|parent| &*parent.profile);
        let base = base.or_else(|| Profile::named(extends));
        let base = base.ok_or_else(|| {
            let message = unknown_name("profile", extends, profile_names());
            self.extends.error(message)
        })?;
        let refuse = |error: &_| self.reader.error(self.at, ToString::to_string(error));
        let mut builder = Profile::extend(base);
        builder.id(self.id.to_owned());
        if let Some(error) = builder.error() {
            return Err(refuse(error));
        }
        let own = profile_keys::apply(&mut builder, self.table)?;
        let mut levels = parent.map_or_else(Vec::new, |parent| parent.levels.clone());
        levels.retain(|(known, _)| own.iter().all(|(rule, _)| rule.id != known.id));
        levels.extend(own);
        Ok(CustomProfile {
            profile: Arc::new(builder.build().map_err(|error| refuse(&error))?),
            extends: extends.to_owned(),
            levels,
        })
    }
}
