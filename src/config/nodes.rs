//! The parts of the schema of the configuration: keys of tables, and types of values.

use std::ops::Range;

use crate::rules::{Level, RULES};
use crate::schema::json_schema::{NodeMembers, Others, SchemaNode};

/// A key of a table in the file.
pub(super) struct TomlKey {
    pub(super) name: &'static str,
    /// What it sets.
    about: &'static str,
    schema: fn() -> SchemaNode,
}

impl TomlKey {
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        schema: fn() -> SchemaNode,
    ) -> Self {
        Self {
            name,
            about,
            schema,
        }
    }

    /// Its name, and the schema of its value.
    pub(super) fn member(&self) -> (String, SchemaNode) {
        (self.name.to_owned(), (self.schema)().described(self.about))
    }
}

/// A table with these keys and no others.
pub(super) fn table(members: impl IntoIterator<Item = (String, SchemaNode)>) -> SchemaNode {
    SchemaNode {
        properties: NodeMembers(members.into_iter().collect()),
        others: Some(Others::Allowed(false)),
        ..SchemaNode::of_type("object")
    }
}

/// A table with keys that the user names.
pub(super) fn table_of(values: SchemaNode) -> SchemaNode {
    SchemaNode {
        others: Some(Others::Like(Box::new(values))),
        ..SchemaNode::of_type("object")
    }
}

/// A text that is not blank.
pub(super) fn text() -> SchemaNode {
    matching(r"\S".to_owned())
}

/// A text that matches a regular expression.
pub(super) fn matching(pattern: String) -> SchemaNode {
    SchemaNode {
        pattern: Some(pattern),
        ..SchemaNode::of_type("string")
    }
}

pub(super) fn texts() -> SchemaNode {
    SchemaNode::array(text())
}

pub(super) fn switch() -> SchemaNode {
    SchemaNode::of_type("boolean")
}

pub(super) fn number(range: &Range<u64>) -> SchemaNode {
    SchemaNode {
        minimum: Some(range.start),
        maximum: Some(range.end - 1),
        ..SchemaNode::of_type("integer")
    }
}

/// What `schema` allows, or this word.
pub(super) fn or_word(schema: SchemaNode, word: &'static str) -> SchemaNode {
    SchemaNode::any_of([schema, SchemaNode::one_of([word])])
}

/// The name of the schema of [`rules`] in the definitions of the whole schema.
pub(super) const RULE_LEVELS: &str = "rules";

/// A table of levels.
pub(super) fn rule_levels() -> SchemaNode {
    SchemaNode {
        reference: Some("#/$defs/rules"),
        ..SchemaNode::default()
    }
}

/// A table with every rule, and the levels that the rule can have.
pub(super) fn rules() -> SchemaNode {
    table(RULES.iter().map(|rule| {
        let levels = Level::ALL.into_iter();
        let levels = levels.filter(|level| !rule.is_indispensable() || *level == Level::Error);
        let schema = SchemaNode::one_of(levels.map(Level::as_str));
        (rule.id.to_owned(), schema.described(rule.title()))
    }))
}
