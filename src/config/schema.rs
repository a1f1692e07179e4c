//! The JSON Schema of `retval.toml`, made from the types and the settings that read it.

use crate::config::places::place_schema;
use crate::config::profile_table::ProfileTable;
use crate::config::scopes;
use crate::config::scopes::RuleLevels;
use crate::config::settings::{Section, Setting};
use crate::config::types::{self, FromToml};
use crate::json_schema::{DRAFT_2020_12, NodeMembers, SchemaNode};

/// The JSON Schema of a configuration, in draft 2020-12. It accepts what [`Config::parse`] accepts. It
/// cannot express everything, for example that a profile exists or that a glob is valid.
///
/// [`Config::parse`]: crate::config::Config::parse
pub(crate) fn schema() -> SchemaNode {
    let extending = SchemaNode {
        required: vec!["extends".to_owned()],
        ..ProfileTable::schema(true)
    };
    // One of these says what a standard of one's own checks.
    let standards = ["form", "part", "at", "required"].map(|key| SchemaNode {
        reference: Some("#/$defs/standard"),
        required: vec![key.to_owned()],
        ..SchemaNode::default()
    });
    let profiles = std::iter::once(extending).chain(standards);
    let profile = SchemaNode::any_of(profiles.collect::<Vec<_>>());
    let tables = [
        (
            "rules",
            RuleLevels::schema(false).described("levels of rules"),
        ),
        (
            scopes::OVERRIDES,
            scopes::overrides_schema()
                .described("settings for some files; a later table takes precedence"),
        ),
        (
            "profiles",
            types::table_of(profile).described("profiles of your own"),
        ),
        (
            "hook",
            types::table(settings(Section::Hook)).described("settings of the hook"),
        ),
    ];
    let tables = tables.map(|(key, schema)| (key.to_owned(), schema));
    let definitions = [
        ("rules", scopes::rules_schema()),
        ("standard", ProfileTable::schema(false)),
        ("place", place_schema()),
    ];
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: configuration".to_owned()),
        definitions: NodeMembers(definitions.map(|(name, it)| (name.to_owned(), it)).into()),
        ..types::table(settings(Section::All).chain(tables))
    }
}

/// The settings of a section. In place of some values, there can be a table.
fn settings(section: Section) -> impl Iterator<Item = (String, SchemaNode)> {
    let members = section.settings().into_iter().map(Setting::member);
    members.map(|(key, mut schema)| {
        let table = match key.as_str() {
            scopes::EVIDENCE => scopes::evidence_schema(schema.clone()),
            scopes::AGENTS => scopes::agents_schema(),
            _ => return (key, schema),
        };
        let description = schema.description.take();
        let either = SchemaNode {
            description,
            ..SchemaNode::any_of([schema, table])
        };
        (key, either)
    })
}
