//! The JSON Schema of `retval.toml`, made from the tables that read it.

use crate::config::nodes::{self, RULE_LEVELS, TomlKey};
use crate::config::options::{SETTINGS, Section};
use crate::config::{Setting, evidence, hook_agents, overrides, profile_keys};
use crate::schema::DRAFT_2020_12;
use crate::schema::json_schema::{NodeMembers, SchemaNode};

/// The tables of the file.
pub(super) const TABLES: [TomlKey; 4] = [
    TomlKey::new("rules", "levels of rules", nodes::rule_levels),
    TomlKey::new(
        overrides::KEY,
        "settings for some files; a later table takes precedence",
        overrides::schema,
    ),
    TomlKey::new("profiles", "profiles of your own", profiles),
    TomlKey::new("hook", "settings of the hook", hook),
];

/// The JSON Schema of a configuration, in draft 2020-12. It accepts what [`Config::parse`] accepts. It
/// cannot express everything, for example that a profile exists or that a glob is valid.
///
/// [`Config::parse`]: crate::config::Config::parse
#[must_use]
pub fn schema() -> SchemaNode {
    let tables = TABLES.iter().map(TomlKey::member);
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: configuration".to_owned()),
        definitions: NodeMembers(vec![(RULE_LEVELS.to_owned(), nodes::rules())]),
        ..nodes::table(settings(Section::All).map(with_evidence).chain(tables))
    }
}

fn settings(section: Section) -> impl Iterator<Item = (String, SchemaNode)> {
    let settings = SETTINGS.iter().filter(move |it| it.section() == section);
    settings.map(Setting::member)
}

/// Lets `evidence` be a table that has its mode and more.
fn with_evidence((key, schema): (String, SchemaNode)) -> (String, SchemaNode) {
    let schema = if key == evidence::KEY {
        evidence::schema(schema)
    } else {
        schema
    };
    (key, schema)
}

fn profiles() -> SchemaNode {
    nodes::table_of(profile_keys::schema())
}

/// The schema of `[hook]`. Its list of agents can also be a table, with settings for some agents.
fn hook() -> SchemaNode {
    nodes::table(settings(Section::Hook).map(|(key, mut schema)| {
        if key == hook_agents::KEY {
            let description = schema.description.take();
            schema = SchemaNode {
                description,
                ..SchemaNode::any_of([schema, nodes::table_of(hook_agents::schema())])
            };
        }
        (key, schema)
    }))
}
