//! `[profiles]`: custom profiles. An extended profile is built before those that extend it.

use std::collections::{HashMap, HashSet};
use std::iter;
use std::sync::Arc;

use crate::config::options::profile_names;
use crate::config::profile_keys;
use crate::config::reader::{SourceText, TomlItem, TomlTable, unknown_name};
use crate::config::{ConfigError, CustomProfile};
use crate::profile::{PROFILES, Profile, RETURN, check_id};
use crate::text::escape;

/// One `[profiles.NAME]`, of which only `extends` has been read.
struct ProfileEntry<'t> {
    id: &'t str,
    /// The byte offset of its name.
    at: usize,
    reader: &'t SourceText<'t>,
    table: TomlTable<'t>,
    extends: TomlItem<'t>,
}

/// Builds every valid profile of the table, in the order of the text.
pub(super) fn read(table: TomlTable<'_>) -> Vec<CustomProfile> {
    let reader = table.reader();
    let mut broken = HashSet::new();
    let mut list = Vec::new();
    for (id, place, item) in table.entries() {
        if let Some(entry) = reader.keep(ProfileEntry::read(id, place.start, item)) {
            list.push(entry);
        } else {
            broken.insert(id);
        }
    }
    let entries = Entries::new(list);
    let (mut made, mut tried) = (HashMap::new(), HashSet::new());
    for entry in &entries.list {
        let chain = reader.keep(entries.chain(entry, &made, &mut broken));
        for entry in chain.into_iter().flatten().rev() {
            tried.insert(entry.id);
            let Some(custom) = reader.keep(entry.make(&made)).flatten() else {
                broken.insert(entry.id);
                break;
            };
            made.insert(entry.id, custom);
        }
    }
    for (id, _, item) in table.entries() {
        if let (false, Ok(own)) = (tried.contains(id), item.table()) {
            read_without_base(own);
        }
    }
    let made = entries.list.iter().filter_map(|it| made.remove(it.id));
    made.collect()
}

/// Reads the other keys of a profile that cannot be built, for their errors.
fn read_without_base(table: TomlTable<'_>) {
    table.reader().without_base(|| {
        profile_keys::apply(&mut Profile::extend(&RETURN), table);
    });
}

/// The error about a table `profile` at the top of the file, where `profiles` is meant.
pub(super) fn misspelt(table: &TomlItem<'_>) -> Result<ConfigError, ConfigError> {
    let mut entries = table.table()?.entries();
    let own = entries.find(|(_, _, item)| item.is_table());
    let id = own.map(|(id, ..)| format!(".{}", escape::truncated(id)));
    let id = id.unwrap_or_default();
    Ok(table.error(format!(
        "`profile` must be a string, found a table; did you mean `[profiles{id}]`?"
    )))
}

/// The entries in the order of the file, and the index of each by name.
struct Entries<'t> {
    list: Vec<ProfileEntry<'t>>,
    by_id: HashMap<&'t str, usize>,
}

impl<'t> Entries<'t> {
    fn new(list: Vec<ProfileEntry<'t>>) -> Self {
        let by_id = list.iter().enumerate();
        let by_id = by_id.map(|(index, entry)| (entry.id, index)).collect();
        Self { list, by_id }
    }

    /// An entry and the entries that it extends, up to the first that is already built. Empty if one of
    /// them is `broken`: that error was reported.
    fn chain<'e>(
        &'e self,
        entry: &'e ProfileEntry<'t>,
        made: &HashMap<&str, CustomProfile>,
        broken: &mut HashSet<&'t str>,
    ) -> Result<Vec<&'e ProfileEntry<'t>>, ConfigError> {
        let (mut chain, mut ids) = (Vec::new(), HashSet::new());
        let mut next = entry;
        while !made.contains_key(next.id) {
            if broken.contains(next.id) {
                broken.extend(ids);
                return Ok(Vec::new());
            }
            chain.push(next);
            ids.insert(next.id);
            let extends = next.extends.text()?;
            if Profile::named(extends).is_some() {
                break;
            }
            if ids.contains(extends) {
                broken.extend(ids);
                let ids: Vec<_> = chain.iter().map(|entry| entry.id).collect();
                return Err(next.extends.error(format!(
                    "a profile cannot extend itself: {} -> {extends}",
                    ids.join(" -> ")
                )));
            }
            if broken.contains(extends) {
                broken.extend(ids);
                return Ok(Vec::new());
            }
            let Some(index) = self.by_id.get(extends) else {
                broken.extend(ids);
                let built_in = PROFILES.iter().map(|profile| &*profile.id);
                let own = self.list.iter().filter(|entry| !self.reaches(entry, next));
                let known = built_in.chain(own.map(|entry| entry.id));
                return Err(next.extends.error(unknown_name("profile", extends, known)));
            };
            next = &self.list[*index];
        }
        Ok(chain)
    }

    /// Whether a profile is another one, or extends it directly or through others.
    fn reaches(&self, entry: &ProfileEntry<'t>, other: &ProfileEntry<'t>) -> bool {
        let parent = |it: &&ProfileEntry<'t>| {
            let index = self.by_id.get(it.extends.text().ok()?)?;
            Some(&self.list[*index])
        };
        // The limit ends the search if a profile extends itself, which is reported elsewhere.
        let mut chain = iter::successors(Some(entry), parent).take(self.list.len());
        chain.any(|it| it.id == other.id)
    }
}

impl<'t> ProfileEntry<'t> {
    fn read(id: &'t str, at: usize, item: TomlItem<'t>) -> Result<Self, ConfigError> {
        if let Err(error) = check_id(id) {
            return Err(item.error_at(at, error.to_string()));
        }
        let table = item.table()?;
        let extends = table
            .entries()
            .find(|(key, ..)| *key == profile_keys::EXTENDS.name);
        let Some((_, _, extends)) = extends else {
            return Err(table.reader().error(
                at,
                format!("the profile `{id}` must extend another one; add extends = \"return\""),
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

    /// Builds the profile. `None` if errors were found in it. The profile that it extends must be built
    /// into the library, or be in `made`.
    fn make(
        &self,
        made: &HashMap<&str, CustomProfile>,
    ) -> Result<Option<CustomProfile>, ConfigError> {
        let extends = self.extends.text()?;
        let parent = made.get(extends);
        let base = parent.map(|parent| &*parent.profile);
        let base = base.or_else(|| Profile::named(extends));
        let base = base.ok_or_else(|| {
            let message = unknown_name("profile", extends, profile_names());
            self.extends.error(message)
        })?;
        let mut builder = Profile::extend(base);
        builder.id(self.id.to_owned());
        let errors = self.reader.error_count();
        let own = profile_keys::apply(&mut builder, self.table);
        if self.reader.error_count() > errors {
            return Ok(None);
        }
        let mut levels = parent.map_or_else(Vec::new, |parent| parent.levels.clone());
        levels.retain(|(known, _)| own.iter().all(|(rule, _)| rule.id != known.id));
        levels.extend(own);
        let profile = builder.build();
        let profile = profile.map_err(|error| self.reader.error(self.at, error.to_string()))?;
        Ok(Some(CustomProfile {
            profile: Arc::new(profile),
            extends: extends.to_owned(),
            levels,
        }))
    }
}
