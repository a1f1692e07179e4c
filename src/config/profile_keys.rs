//! The keys of `[profiles.NAME]` and their effects.

use crate::config::ConfigError;
use crate::config::nodes::{self, TomlKey};
use crate::config::reader::{self, TomlItem, TomlTable, unknown_name};
use crate::config::statuses::{self, statuses};
use crate::config::{agents, limits};
use crate::profile::{Action, Need, ProfileBuilder};
use crate::rules::{Level, Rule};
use crate::schema::json_schema::SchemaNode;
use crate::text::escape;

/// What reading the keys collects, besides the profile.
#[derive(Default)]
struct Read {
    levels: Vec<(&'static Rule, Level)>,
    needs: Vec<(String, Need)>,
}

type ReadKey = fn(&mut ProfileBuilder, &TomlItem<'_>, &mut Read) -> Result<(), ConfigError>;

/// The key that every profile has.
pub(super) const EXTENDS: TomlKey = TomlKey::new("extends", "profile that it extends", nodes::text);

/// The keys except for `extends`.
const KEYS: [(TomlKey, ReadKey); 13] = [
    (
        TomlKey::new(
            "document",
            "what the documents are, for instructions and schemas",
            nodes::text,
        ),
        |profile, item, _| {
            profile.document(item.owned()?);
            item.check(profile.take_error())
        },
    ),
    (
        TomlKey::new(
            "statuses",
            "what each status claims; off removes a status",
            statuses::schema,
        ),
        |profile, item, _| {
            for (word, place, meaning) in statuses(item)? {
                match meaning {
                    Some(meaning) => profile.status(word.to_owned(), meaning),
                    None => profile.remove_status(word),
                };
                item.check_at(place.start, profile.take_error())?;
            }
            Ok(())
        },
    ),
    (
        TomlKey::new("failure", "status of work that failed", nodes::text),
        |profile, item, _| {
            profile.failure(item.owned()?);
            item.check(profile.take_error())
        },
    ),
    (
        TomlKey::new("actions", "what the caller does after a status", actions),
        |profile, item, _| {
            for (word, place, item) in item.table()?.entries() {
                profile.action(word.to_owned(), item.name(Action::ALL.map(Action::as_str))?);
                item.check_at(place.start, profile.take_error())?;
            }
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "agents",
            "agents, and the chain in which they work",
            agents::schema,
        ),
        |profile, item, _| agents::read(profile, item),
    ),
    (
        TomlKey::new(
            "artifact-types",
            "types of artifacts beside those of the base; any allows all",
            types_or_any,
        ),
        |profile, item, _| match types(item)? {
            None => {
                profile.any_artifact_type();
                Ok(())
            }
            Some(types) => types.iter().try_for_each(|item| {
                profile.artifact_type(item.owned()?);
                item.check(profile.take_error())
            }),
        },
    ),
    (
        TomlKey::new(
            "error-types",
            "types of errors beside those of the base; any allows all",
            types_or_any,
        ),
        |profile, item, _| match types(item)? {
            None => {
                profile.any_error_type();
                Ok(())
            }
            Some(types) => types.iter().try_for_each(|item| {
                profile.error_type(item.owned()?);
                item.check(profile.take_error())
            }),
        },
    ),
    (
        TomlKey::new(
            "required",
            "members that must be there, dotted; [] is every item",
            nodes::texts,
        ),
        |profile, item, read| fields(profile, item, Need::Required, &mut read.needs),
    ),
    (
        TomlKey::new(
            "optional",
            "members that can be there, dotted; [] is every item",
            nodes::texts,
        ),
        |profile, item, read| fields(profile, item, Need::Optional, &mut read.needs),
    ),
    (
        TomlKey::new("limits", "limits of lengths", limits::schema),
        |profile, item, _| limits::read(profile, item),
    ),
    (
        TomlKey::new(
            "handoff-path",
            "path of handoff files, with {session}, {group} and {agent}",
            nodes::text,
        ),
        |profile, item, _| {
            profile.handoff_path(item.owned()?);
            item.check(profile.take_error())
        },
    ),
    (
        TomlKey::new("rules", "levels of rules", nodes::rule_levels),
        |profile, item, read| {
            for (rule, level) in reader::levels(item.table()?) {
                profile.level(rule, level.value);
                read.levels.push((rule, level.value));
            }
            Ok(())
        },
    ),
    (
        TomlKey::new("files", "file names that select this profile", file_names),
        |profile, item, _| {
            item.list()?.iter().try_for_each(|item| {
                let pattern = item.text()?;
                if pattern.contains('/') {
                    let message = "`files` takes file names, without folders";
                    return Err(item.error(message.to_owned()));
                }
                profile.file(pattern);
                item.check(profile.take_error())
            })
        },
    ),
];

/// The schema of a profile.
pub(super) fn schema() -> SchemaNode {
    let others = KEYS.iter().map(|(key, _)| key.member());
    SchemaNode {
        required: vec![EXTENDS.name.to_owned()],
        ..nodes::table([EXTENDS.member()].into_iter().chain(others))
    }
}

fn actions() -> SchemaNode {
    nodes::table_of(SchemaNode::one_of(Action::ALL.map(Action::as_str)))
}

fn types_or_any() -> SchemaNode {
    nodes::or_word(nodes::texts(), ANY)
}

fn file_names() -> SchemaNode {
    SchemaNode::array(nodes::matching("^[^/]+$".to_owned()))
}

/// Applies every key except for `extends`, in the order of the file. Returns the levels that it
/// sets.
pub(super) fn apply(
    profile: &mut ProfileBuilder,
    table: TomlTable<'_>,
) -> Vec<(&'static Rule, Level)> {
    let mut read = Read::default();
    for (key, place, item) in table.entries().filter(|(key, ..)| *key != EXTENDS.name) {
        let known = KEYS.iter().find(|(known, _)| known.name == key);
        let apply = known.map(|(_, apply)| apply).ok_or_else(|| {
            let known = KEYS.iter().map(|(known, _)| known.name);
            let message = unknown_name("key", key, known.chain([EXTENDS.name]));
            item.error_at(place.start, message)
        });
        item.keep(apply.and_then(|apply| apply(profile, &item, &mut read)));
    }
    read.levels
}

/// The word that allows any type.
const ANY: &str = "any";

/// The types that are allowed in addition to those of the extended profile; `None` allows any.
fn types<'t>(item: &TomlItem<'t>) -> Result<Option<Vec<TomlItem<'t>>>, ConfigError> {
    match item.text() {
        Ok(ANY) => Ok(None),
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
