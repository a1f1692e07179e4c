//! The keys of `[profiles.NAME]` and their effects.

use crate::config::ConfigError;
use crate::config::reader::{self, TomlItem, TomlTable, unknown_name};
use crate::config::statuses::statuses;
use crate::config::{agents, limits};
use crate::profile::{Action, Need, ProfileBuilder};
use crate::rules::{Level, Rule};
use crate::text::escape;

/// What the keys set besides the profile.
#[derive(Default)]
struct Read {
    levels: Vec<(&'static Rule, Level)>,
    needs: Vec<(String, Need)>,
}

type ReadKey = fn(&mut ProfileBuilder, &TomlItem<'_>, &mut Read) -> Result<(), ConfigError>;

/// The keys except for `extends`.
const KEYS: [(&str, ReadKey); 13] = [
    ("document", |profile, item, _| {
        profile.document(item.owned()?);
        item.check(profile.take_error())
    }),
    ("statuses", |profile, item, _| {
        for (word, place, meaning) in statuses(item)? {
            match meaning {
                Some(meaning) => profile.status(word.to_owned(), meaning),
                None => profile.remove_status(word),
            };
            item.check_at(place.start, profile.take_error())?;
        }
        Ok(())
    }),
    ("failure", |profile, item, _| {
        profile.failure(item.owned()?);
        item.check(profile.take_error())
    }),
    ("actions", |profile, item, _| {
        for (word, place, item) in item.table()?.entries() {
            profile.action(word.to_owned(), item.name(Action::ALL.map(Action::as_str))?);
            item.check_at(place.start, profile.take_error())?;
        }
        Ok(())
    }),
    ("agents", |profile, item, _| agents::read(profile, item)),
    ("artifact-types", |profile, item, _| match types(item)? {
        None => {
            profile.any_artifact_type();
            Ok(())
        }
        Some(types) => types.iter().try_for_each(|item| {
            profile.artifact_type(item.owned()?);
            item.check(profile.take_error())
        }),
    }),
    ("error-types", |profile, item, _| match types(item)? {
        None => {
            profile.any_error_type();
            Ok(())
        }
        Some(types) => types.iter().try_for_each(|item| {
            profile.error_type(item.owned()?);
            item.check(profile.take_error())
        }),
    }),
    ("required", |profile, item, read| {
        fields(profile, item, Need::Required, &mut read.needs)
    }),
    ("optional", |profile, item, read| {
        fields(profile, item, Need::Optional, &mut read.needs)
    }),
    ("limits", |profile, item, _| limits::read(profile, item)),
    ("handoff-path", |profile, item, _| {
        profile.handoff_path(item.owned()?);
        item.check(profile.take_error())
    }),
    ("rules", |profile, item, read| {
        for (rule, level) in reader::levels(item.table()?) {
            profile.level(rule, level.value);
            read.levels.push((rule, level.value));
        }
        Ok(())
    }),
    ("files", |profile, item, _| {
        item.list()?.iter().try_for_each(|item| {
            let pattern = item.text()?;
            if pattern.contains('/') {
                let message = "`files` takes file names, without folders";
                return Err(item.error(message.to_owned()));
            }
            profile.file(pattern);
            item.check(profile.take_error())
        })
    }),
];

/// Applies every key except for `extends`, in the order of the file. Returns the levels that it
/// sets.
pub(super) fn apply(
    profile: &mut ProfileBuilder,
    table: TomlTable<'_>,
) -> Vec<(&'static Rule, Level)> {
    let mut read = Read::default();
    for (key, place, item) in table.entries().filter(|(key, ..)| *key != "extends") {
        let known = KEYS.iter().find(|(known, _)| *known == key);
        let apply = known.map(|(_, apply)| apply).ok_or_else(|| {
            let known = KEYS.iter().map(|(known, _)| *known);
            let message = unknown_name("key", key, known.chain(["extends"]));
            item.error_at(place.start, message)
        });
        item.keep(apply.and_then(|apply| apply(profile, &item, &mut read)));
    }
    read.levels
}

/// The types that are allowed in addition to those of the extended profile; `None` allows any.
fn types<'t>(item: &TomlItem<'t>) -> Result<Option<Vec<TomlItem<'t>>>, ConfigError> {
    match item.text() {
        Ok("any") => Ok(None),
        Ok(_) => Err(item.wrong("an array or \"any\"")),
        Err(_) => item.list().map(Some),
    }
}

fn fields(
    profile: &mut ProfileBuilder,
    item: &TomlItem<'_>,
    need: Need,
    needs: &mut Vec<(String, Need)>,
) -> Result<(), ConfigError> {
    for item in item.list()? {
        let path = item.owned()?;
        if needs
            .iter()
            .any(|(known, before)| *known == path && *before != need)
        {
            let path = escape::truncated(&path);
            return Err(item.error(format!("`{path}` is both required and optional")));
        }
        profile.field(path.clone(), need);
        item.check(profile.take_error())?;
        needs.push((path, need));
    }
    Ok(())
}
