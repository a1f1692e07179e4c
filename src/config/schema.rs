//! The JSON Schema of `retval.toml`, made from the types and the settings that read it.

use crate::config::nodes::{self, TomlType};
use crate::config::options::Section;
use crate::config::profile::ProfileTable;
use crate::config::reader::LevelTable;
use crate::config::standard::StandardTable;
use crate::config::{Setting, evidence, hook_agents, overrides};
use crate::json_schema::{DRAFT_2020_12, NodeMembers, SchemaNode};

/// The JSON Schema of a configuration, in draft 2020-12. It accepts what [`Config::parse`] accepts. It
/// cannot express everything, for example that a profile exists or that a glob is valid.
///
/// [`Config::parse`]: crate::config::Config::parse
pub(crate) fn schema() -> SchemaNode {
    let levels = LevelTable::schema();
    let extending = SchemaNode {
        required: vec!["extends".to_owned()],
        ..ProfileTable::schema()
    };
    // One of these says what a standard of one's own checks.
    let standards = ["form", "part", "at", "required"].map(|key| SchemaNode {
        reference: Some("#/$defs/standard"),
        required: vec![key.to_owned()],
        ..SchemaNode::default()
    });
    let profiles = std::iter::once(extending).chain(standards);
    let profile = SchemaNode::any_of(profiles.collect::<Vec<_>>());
    let profiles = nodes::table_of(profile);
    let tables = [
        ("rules", levels.described("levels of rules")),
        (
            overrides::KEY,
            overrides::schema()
                .described("settings for some files; a later table takes precedence"),
        ),
        ("profiles", profiles.described("profiles of your own")),
        (
            "hook",
            nodes::table(settings(Section::Hook)).described("settings of the hook"),
        ),
    ];
    let tables = tables.map(|(key, schema)| (key.to_owned(), schema));
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: configuration".to_owned()),
        definitions: NodeMembers(vec![
            ("rules".to_owned(), nodes::rules()),
            ("standard".to_owned(), StandardTable::schema()),
        ]),
        ..nodes::table(settings(Section::All).chain(tables))
    }
}

/// The settings of a section. In place of some values, there can be a table.
fn settings(section: Section) -> impl Iterator<Item = (String, SchemaNode)> {
    let members = section.settings().map(Setting::member);
    members.map(|(key, mut schema)| {
        let table = match key.as_str() {
            evidence::KEY => evidence::schema(schema.clone()),
            hook_agents::KEY => hook_agents::schema(),
            _ => return (key, schema),
        };
        let description = schema.description.take();
        let either = SchemaNode::any_of([schema, table]);
        (
            key,
            SchemaNode {
                description,
                ..either
            },
        )
    })
}
