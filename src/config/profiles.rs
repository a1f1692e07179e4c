//! `[profiles]`: custom profiles. An extended profile is built before those that extend it.

use std::collections::{HashMap, HashSet};
use std::iter;
use std::sync::Arc;

use toml::de::DeTable;

use crate::config::CustomProfile;
use crate::config::build::build;
use crate::config::extend::{check_id, extend};
use crate::config::profile_table::ProfileTable;
use crate::config::reader::{At, Reader, TomlItem};
use crate::config::types::TomlTable;
use crate::profile::{PROFILES, Profile};
use crate::text::escape;
use crate::text::suggest::unknown_name;

/// One `[profiles.NAME]`. One that extends another has no mistakes in its keys and values.
struct ProfileEntry<'r> {
    item: TomlItem<'r>,
    own: ProfileTable,
    /// The name of the profile that it extends. Empty if there is none.
    base: At<String>,
    /// Whether some of its keys have mistakes.
    has_mistakes: bool,
}

/// Builds every valid profile of the table, in the order of the text.
pub(super) fn read<'r>(reader: &'r Reader<'r>, table: &'r DeTable<'r>) -> Vec<CustomProfile> {
    let items = reader.items(table);
    let ids: HashSet<_> = items.iter().map(|item| item.key).collect();
    let entries = items.iter().filter_map(ProfileEntry::read);
    let entries: Vec<_> = entries.collect();
    let by_id: HashMap<_, _> = entries.iter().map(|entry| (entry.id(), entry)).collect();
    let (mut made, mut seen) = (HashMap::new(), HashSet::new());
    for entry in &entries {
        let mut chain: Vec<&ProfileEntry<'_>> = Vec::new();
        let mut next = Some(entry);
        while let Some(entry) = next.filter(|entry| seen.insert(entry.id())) {
            chain.push(entry);
            next = by_id.get(&**entry.base).copied();
        }
        if let (Some(again), Some(last)) = (next, chain.last())
            && chain.iter().any(|entry| entry.id() == again.id())
        {
            let names: Vec<_> = chain.iter().map(|entry| entry.id()).collect();
            let (names, base) = (names.join(" -> "), &*last.base);
            let message = format!("a profile cannot extend itself: {names} -> {base}");
            reader.refuse(last.base.at, message);
            continue;
        }
        for entry in chain.into_iter().rev() {
            if let Some(custom) = entry.make(&made, &by_id, &ids) {
                made.insert(entry.id(), custom);
            }
        }
    }
    items
        .iter()
        .filter_map(|item| made.remove(item.key))
        .collect()
}

/// Refuses a table `profile` at the top of the file, where `profiles` is meant.
pub(super) fn misspelt(item: &TomlItem<'_>) {
    let members = item.members().unwrap_or_default();
    let own = members.into_iter().find(TomlItem::is_table);
    let id = own.map(|own| format!(".{}", escape::truncated(own.key)));
    let id = id.unwrap_or_default();
    item.refuse::<()>(format!(
        "`profile` must be a string, found a table; did you mean `[profiles{id}]`?"
    ));
}

fn built_in(id: &str) -> Option<&'static Profile> {
    PROFILES.into_iter().find(|profile| profile.id == id)
}

impl<'r> ProfileEntry<'r> {
    fn read(item: &TomlItem<'r>) -> Option<Self> {
        if let Err(why) = check_id(item.key) {
            return item.refuse_key(why);
        }
        let members = item.members()?;
        let has_base = members.iter().any(|it| it.key == "extends");
        let form = members.iter().find(|it| it.key == "form");
        let form = form.and_then(|it| it.value().as_str()?.parse().ok());
        let item = TomlItem {
            has_base,
            form: form.unwrap_or_default(),
            ..item.clone()
        };
        let (own, is_right) = ProfileTable::read_partly(&item);
        let base = own.extends.clone().unwrap_or_default();
        let has_mistakes = !is_right;
        (is_right || !has_base).then_some(Self {
            item,
            own,
            base,
            has_mistakes,
        })
    }

    fn id(&self) -> &'r str {
        self.item.key
    }

    /// Builds the profile. `made` are those that were built before, `ids` the names of all of the file.
    fn make(
        &self,
        made: &HashMap<&str, CustomProfile>,
        by_id: &HashMap<&str, &Self>,
        ids: &HashSet<&str>,
    ) -> Option<CustomProfile> {
        let own = self
            .own
            .rules
            .0
            .iter()
            .map(|(rule, level)| (*rule, **level));
        if !self.item.has_base {
            let profile = build(&self.item, &self.own, self.has_mistakes)?;
            return Some(CustomProfile {
                profile: Arc::new(profile),
                levels: own.collect(),
            });
        }
        let custom = made.get(&**self.base);
        let base = custom.map(|base| &*base.profile);
        let Some(base) = base.or_else(|| built_in(&self.base)) else {
            // A base with mistakes of its own is not reported again.
            if !ids.contains(&**self.base) {
                self.unknown_base(by_id);
            }
            return None;
        };
        if base.is_own() {
            let base = escape::truncated(&self.base);
            let message = format!("`{base}` extends no built-in profile, and cannot be extended");
            self.item.reader.refuse(self.base.at, message);
            return None;
        }
        let profile = extend(base, &self.item, &self.own)?;
        let mut levels = custom.map_or_else(Vec::new, |base| base.levels.clone());
        levels.retain(|(known, _)| own.clone().all(|(rule, _)| rule.id != known.id));
        levels.extend(own);
        Some(CustomProfile {
            profile: Arc::new(profile),
            levels,
        })
    }

    fn unknown_base(&self, by_id: &HashMap<&str, &Self>) {
        // A profile cannot extend one that extends it. The limit ends the search in a circle.
        let extends_this = |entry: &&&Self| {
            let base = |it: &&Self| by_id.get(&**it.base).copied();
            let mut chain = iter::successors(Some(**entry), base).take(by_id.len());
            chain.any(|it| it.id() == self.id())
        };
        let mut own: Vec<_> = by_id.values().filter(|it| !extends_this(it)).collect();
        own.sort_by_key(|entry| entry.item.key_at);
        let own = own.into_iter().filter(|entry| entry.item.has_base);
        let built_in = PROFILES.iter().map(|profile| &*profile.id);
        let known = built_in.chain(own.map(|entry| entry.id()));
        let message = unknown_name("profile", &self.base, known);
        self.item.reader.refuse(self.base.at, message);
    }
}
