//! `[profiles]`: custom profiles. An extended profile is built before those that extend it.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::iter;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::CustomProfile;
use crate::config::profile::{ProfileTable, check_id, extend};
use crate::config::reader::{ReadError, Reader, TomlItem, TomlKey, entries};
use crate::config::standard::{StandardTable, build};
use crate::profile::{PROFILES, Profile};
use crate::text::escape;
use crate::text::suggest::unknown_name;

/// One `[profiles.NAME]`.
struct ProfileEntry<'t> {
    key: TomlKey<'t>,
    own: ProfileTable,
    /// The name of the profile that it extends.
    base: Spanned<String>,
}

/// The entries without mistakes in their keys, by name.
type ById<'e, 't> = HashMap<&'t str, &'e ProfileEntry<'t>>;

/// Builds every valid profile of the table, in the order of the text.
pub(super) fn read(reader: &Reader<'_>, table: &DeTable<'_>) -> Vec<CustomProfile> {
    let (standards, list): (Vec<_>, Vec<_>) = entries(table).partition(is_standard);
    let standards: HashMap<_, _> = standards
        .into_iter()
        .map(|item| (item.key.name, standard(reader, item)))
        .collect();
    let all: HashSet<_> = list.iter().map(|item| item.key.name).collect();
    let list = list.into_iter().map(ProfileEntry::read);
    let list: Vec<_> = list.filter_map(|read| reader.keep(read)).collect();
    let by_id: ById<'_, '_> = list.iter().map(|entry| (entry.id(), entry)).collect();
    let (mut made, mut seen) = (HashMap::new(), HashSet::new());
    for entry in &list {
        let mut chain: Vec<&ProfileEntry<'_>> = Vec::new();
        let mut next = Some(entry);
        while let Some(entry) = next.filter(|entry| seen.insert(entry.id())) {
            chain.push(entry);
            next = by_id.get(entry.base()).copied();
        }
        if let (Some(again), Some(last)) = (next, chain.last())
            && chain.iter().any(|entry| entry.id() == again.id())
        {
            reader.keep::<()>(Err(last.circle(&chain)));
            continue;
        }
        for entry in chain.into_iter().rev() {
            let base: Option<&CustomProfile> = made.get(entry.base());
            if base.is_some() || built_in(entry.base()).is_some() {
                let custom = reader.keep(entry.make(base));
                made.extend(custom.map(|custom| (entry.id(), custom)));
            } else if standards.contains_key(entry.base()) {
                reader.keep::<()>(Err(entry.extends_standard()));
            } else if !all.contains(entry.base()) {
                reader.keep::<()>(Err(entry.unknown_base(&list, &by_id)));
            }
        }
    }
    made.extend(
        standards
            .into_iter()
            .filter_map(|(id, made)| Some((id, made?))),
    );
    let ids = entries(table).map(|item| item.key.name);
    ids.filter_map(|id| made.remove(id)).collect()
}

/// Whether a profile extends none.
fn is_standard(item: &TomlItem<'_>) -> bool {
    let table = item.table();
    table.is_ok_and(|table| entries(table).all(|it| it.key.name != "extends"))
}

/// Builds a standard of one's own.
fn standard(reader: &Reader<'_>, item: TomlItem<'_>) -> Option<CustomProfile> {
    let id = item.key.name;
    let checked = check_id(id).map_err(|message| item.key.error(message));
    reader.keep(checked)?;
    let own: StandardTable = reader.keep(item.read())?;
    let profile = build(reader, item.key, &own)?;
    let levels = own.rules.0.iter();
    let levels = levels.map(|(rule, level)| (*rule.get_ref(), *level.get_ref()));
    Some(CustomProfile {
        profile: Arc::new(profile),
        extends: None,
        source: item
            .table()
            .map_or_else(|_| String::new(), |table| lines(reader.text, table)),
        levels: levels.collect(),
    })
}

/// The error about a table `profile` at the top of the file, where `profiles` is meant.
pub(super) fn misspelt(item: &TomlItem<'_>) -> Result<ReadError, ReadError> {
    let mut entries = entries(item.table()?);
    let own = entries.find(TomlItem::is_table);
    let id = own.map(|own| format!(".{}", escape::truncated(own.key.name)));
    let id = id.unwrap_or_default();
    Ok(item.error(format!(
        "`profile` must be a string, found a table; did you mean `[profiles{id}]`?"
    )))
}

fn built_in(id: &str) -> Option<&'static Profile> {
    PROFILES.into_iter().find(|profile| profile.id == id)
}

impl<'t> ProfileEntry<'t> {
    fn read(item: TomlItem<'t>) -> Result<Self, ReadError> {
        let key = item.key;
        check_id(key.name).map_err(|message| key.error(message))?;
        let own: ProfileTable = item.read()?;
        let Some(base) = own.extends.clone() else {
            return Err(key.error(format!(
                "the profile `{}` must extend another one; add extends = \"return\"",
                key.name
            )));
        };
        Ok(Self { key, own, base })
    }

    fn id(&self) -> &'t str {
        self.key.name
    }

    fn base(&self) -> &str {
        self.base.get_ref()
    }

    /// An error about the profile that it extends.
    fn error(&self, message: String) -> ReadError {
        ReadError::at(&self.base, message)
    }

    /// The error about the last entry of a chain, which extends one of the chain.
    fn circle(&self, chain: &[&Self]) -> ReadError {
        let ids: Vec<_> = chain.iter().map(|entry| entry.id()).collect();
        let (ids, base) = (ids.join(" -> "), self.base());
        self.error(format!("a profile cannot extend itself: {ids} -> {base}"))
    }

    fn extends_standard(&self) -> ReadError {
        let base = escape::truncated(self.base());
        self.error(format!(
            "`{base}` extends no built-in profile, and cannot be extended"
        ))
    }

    fn unknown_base(&self, list: &[Self], by_id: &ById<'_, 't>) -> ReadError {
        // A profile cannot extend one that extends it. The limit ends the search in a circle.
        let extends_this = |entry: &&Self| {
            let base = |it: &&Self| by_id.get(it.base()).copied();
            let mut chain = iter::successors(by_id.get(entry.id()).copied(), base);
            chain
                .by_ref()
                .take(list.len())
                .any(|it| it.id() == self.id())
        };
        let own = list.iter().filter(|entry| !extends_this(entry));
        let built_in = PROFILES.iter().map(|profile| &*profile.id);
        let known = built_in.chain(own.map(Self::id));
        self.error(unknown_name("profile", self.base(), known))
    }

    /// Builds the profile. `base` is the profile that it extends, unless that is built in.
    fn make(&self, base: Option<&CustomProfile>) -> Result<CustomProfile, ReadError> {
        let profile = base.map(|base| &*base.profile);
        let profile = profile.or_else(|| built_in(self.base()));
        let profile =
            profile.ok_or_else(|| self.error(format!("unknown profile `{}`", self.base())))?;
        let profile = extend(profile, self.key, &self.own)?;
        let own = self.own.rules.0.iter();
        let own = own.map(|(rule, level)| (*rule.get_ref(), *level.get_ref()));
        let mut levels = base.map_or_else(Vec::new, |base| base.levels.clone());
        levels.retain(|(known, _)| own.clone().all(|(rule, _)| rule.id != known.id));
        levels.extend(own);
        Ok(CustomProfile {
            profile: Arc::new(profile),
            extends: Some(self.base().to_owned()),
            source: String::new(),
            levels,
        })
    }
}

/// The values of a table, in lines of dotted keys. `text` is the whole file.
fn lines(text: &str, table: &DeTable<'_>) -> String {
    let mut lines = String::new();
    push(&mut lines, text, "", table);
    lines
}

fn push(lines: &mut String, text: &str, prefix: &str, table: &DeTable<'_>) {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, value)| (name.span().start, value.span().start));
    for (name, value) in entries {
        let key = format!("{prefix}{}", key(name.get_ref()));
        match value.get_ref() {
            DeValue::Table(table) => push(lines, text, &format!("{key}."), table),
            _ => {
                let _ = writeln!(lines, "{key} = {}", written(text, value));
            }
        }
    }
}

/// A value in one expression. Tables that the file writes under headings have no text of their own.
fn written(text: &str, value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::Array(items) if items.iter().any(|it| it.get_ref().is_table()) => {
            let items: Vec<_> = items.iter().map(|item| written(text, item)).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(table) => {
            let mut lines = String::new();
            push(&mut lines, text, "", table);
            format!("{{ {} }}", lines.trim_end().replace('\n', ", "))
        }
        _ => text.get(value.span()).unwrap_or_default().to_owned(),
    }
}

fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        return name.to_owned();
    }
    serde_json::to_string(name).unwrap_or_default()
}
