//! `[profiles.NAME.agents.NAME]`: the agents of a profile, and the chain in which they work.

use crate::config::ConfigError;
use crate::config::nodes::{self, TomlKey};
use crate::config::reader::{TomlItem, TomlTable, unknown_name};
use crate::config::statuses::{self, OFF, statuses};
use crate::profile::{AgentBuilder, ProfileBuilder};
use crate::schema::json_schema::SchemaNode;

type ReadAgentKey = fn(&mut AgentBuilder<'_>, &TomlItem<'_>) -> Result<(), ConfigError>;

/// The keys, in the order in which they are applied. The chain comes last, because it names statuses and
/// agents.
const KEYS: [(TomlKey, ReadAgentKey); 8] = [
    (
        TomlKey::new(
            "statuses",
            "what each status claims; off removes a status",
            statuses::schema,
        ),
        |agent, item| {
            for (word, place, meaning) in statuses(item)? {
                match meaning {
                    Some(meaning) => agent.status(word.to_owned(), meaning),
                    None => agent.remove_status(word),
                };
                item.check_at(place.start, agent.take_error())?;
            }
            Ok(())
        },
    ),
    (
        TomlKey::new("failure", "status of work that failed", nodes::text),
        |agent, item| {
            agent.failure(item.owned()?);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "reads-from",
            "agents whose handoff file it starts from",
            nodes::texts,
        ),
        |agent, item| {
            agent.reads_from(item.texts()?);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "reads-otherwise",
            "agents whose handoff file it starts from if none of those left one",
            nodes::texts,
        ),
        |agent, item| {
            agent.reads_otherwise(item.texts()?);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "writes-handoff",
            "whether it leaves a handoff file",
            nodes::switch,
        ),
        |agent, item| {
            agent.writes_handoff(item.switch()?);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "limits-summary",
            "whether a summary of its handoff that is too long is an error",
            nodes::switch,
        ),
        |agent, item| {
            agent.limits_summary(item.switch()?);
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "details",
            "paths of files with details of its work, by name; off removes one",
            details,
        ),
        |agent, item| {
            for (name, place, item) in item.table()?.entries() {
                let path = item.text()?;
                if path == OFF {
                    agent.remove_detail(name);
                } else {
                    agent.detail(name.to_owned(), path.to_owned());
                }
                item.check_at(place.start, agent.take_error())?;
            }
            Ok(())
        },
    ),
    (
        TomlKey::new(
            "next",
            "agents that continue after a status, the usual one first; off leaves that open",
            next_agents,
        ),
        |agent, item| {
            for (status, place, item) in item.table()?.entries() {
                let agents = match item.text() {
                    Ok(OFF) => Vec::new(),
                    Ok(one) => vec![one.to_owned()],
                    Err(_) => item.texts()?,
                };
                agent.next(status, agents);
                item.check_at(place.start, agent.take_error())?;
            }
            Ok(())
        },
    ),
];

/// The schema of the agents of a profile.
pub(super) fn schema() -> SchemaNode {
    nodes::table_of(nodes::table(KEYS.iter().map(|(key, _)| key.member())))
}

fn details() -> SchemaNode {
    nodes::table_of(nodes::text())
}

fn next_agents() -> SchemaNode {
    nodes::table_of(SchemaNode::any_of([nodes::text(), nodes::texts()]))
}

/// Adds every agent before any is read, so that one can name another that comes later.
pub(super) fn read(profile: &mut ProfileBuilder, item: &TomlItem<'_>) -> Result<(), ConfigError> {
    for (name, place, item) in item.table()?.entries() {
        if profile.agent_builder(name.to_owned()).is_none() {
            item.keep(item.check_at(place.start, profile.take_error()));
        }
        let table = item.keep(item.table());
        for (key, place, item) in table.into_iter().flat_map(TomlTable::entries) {
            if KEYS.iter().all(|(known, _)| known.name != key) {
                let message = unknown_name("key", key, KEYS.iter().map(|(known, _)| known.name));
                item.keep::<()>(Err(item.error_at(place.start, message)));
            }
        }
    }
    for (name, _, table) in item.table()?.entries() {
        let Some(mut agent) = profile.agent_builder(name.to_owned()) else {
            continue;
        };
        // A value that is not a table was reported above.
        let Ok(table) = table.table() else {
            continue;
        };
        for (known, read) in KEYS {
            if let Some((_, _, item)) = table.entries().find(|(key, ..)| *key == known.name) {
                let read = read(&mut agent, &item);
                item.keep(read.and_then(|()| item.check(agent.take_error())));
            }
        }
    }
    Ok(())
}
