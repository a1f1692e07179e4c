//! JSON Schema as types. Only the keywords that are used exist; they are written in the order of the
//! fields.

use std::fmt;

use serde::Serialize;
use serde::ser::Serializer;

use crate::text::escape;

pub(crate) const DRAFT_2020_12: &str = "https://json-schema.org/draft/2020-12/schema";
pub(crate) const DRAFT_07: &str = "http://json-schema.org/draft-07/schema#";

/// A JSON Schema. Displays as indented JSON, safe to print, without a final line feed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct SchemaNode {
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub(crate) draft: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub(crate) reference: Option<&'static str>,
    #[serde(rename = "type", skip_serializing_if = "Types::is_any")]
    pub(crate) types: Types,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub(crate) words: Vec<SchemaKeyword>,
    #[serde(rename = "maxLength", skip_serializing_if = "Option::is_none")]
    pub(crate) longest: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) minimum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) maximum: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) required: Vec<String>,
    #[serde(skip_serializing_if = "NodeMembers::is_empty")]
    pub(crate) properties: NodeMembers,
    #[serde(rename = "additionalProperties", skip_serializing_if = "Option::is_none")]
    pub(crate) others: Option<Others>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) items: Option<Others>,
    #[serde(rename = "minItems", skip_serializing_if = "Option::is_none")]
    pub(crate) fewest: Option<usize>,
    #[serde(rename = "maxItems", skip_serializing_if = "Option::is_none")]
    pub(crate) most: Option<usize>,
    #[serde(rename = "anyOf", skip_serializing_if = "Vec::is_empty")]
    pub(crate) any_of: Vec<SchemaNode>,
    #[serde(rename = "$defs", skip_serializing_if = "NodeMembers::is_empty")]
    pub(crate) definitions: NodeMembers,
}

/// A value of `enum`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum SchemaKeyword {
    Text(String),
    Number(u8),
    Null,
}

/// The values of `type`; empty for any type.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Types(pub(crate) Vec<&'static str>);

/// The value of `additionalProperties` or `items`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Others {
    Allowed(bool),
    Like(Box<SchemaNode>),
}

/// Named schemas, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct NodeMembers(pub(crate) Vec<(String, SchemaNode)>);

impl SchemaNode {
    pub(crate) fn of_type(name: &'static str) -> Self {
        Self { types: Types(vec![name]), ..Self::default() }
    }

    pub(crate) fn one_of(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            words: words.into_iter().map(|word| SchemaKeyword::Text(word.into())).collect(),
            ..Self::default()
        }
    }

    pub(crate) fn array(items: Self) -> Self {
        Self { items: Some(Others::like(items)), ..Self::of_type("array") }
    }

    /// An object with exactly these members: the name, whether it is always there, and the schema.
    pub(crate) fn object<const N: usize>(members: [(&str, bool, Self); N]) -> Self {
        let required = members.iter().filter(|(_, is_required, _)| *is_required);
        Self {
            required: required.map(|(name, ..)| (*name).to_owned()).collect(),
            properties: NodeMembers(members.map(|(name, _, it)| (name.to_owned(), it)).to_vec()),
            others: Some(Others::Allowed(false)),
            ..Self::of_type("object")
        }
    }

    pub(crate) fn any_of(schemas: impl Into<Vec<Self>>) -> Self {
        Self { any_of: schemas.into(), ..Self::default() }
    }

    pub(crate) fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Returns the same schema, except that null is valid, too.
    pub(crate) fn or_null(mut self) -> Self {
        let is_simple = self.any_of.is_empty() && self.properties.is_empty();
        if !is_simple || self.types.is_any() {
            let description = self.description.take();
            return Self { description, ..Self::any_of([self, Self::of_type("null")]) };
        }
        self.types.0.push("null");
        if !self.words.is_empty() {
            self.words.push(SchemaKeyword::Null);
        }
        self
    }
}

impl fmt::Display for SchemaNode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // This fails only for map keys that are not strings, which schemas do not have.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        out.write_str(&escape::json(&text))
    }
}

impl Types {
    fn is_any(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Types {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let [one] = self.0.as_slice() {
            return serializer.serialize_str(one);
        }
        serializer.collect_seq(&self.0)
    }
}

impl Others {
    pub(crate) fn like(schema: SchemaNode) -> Self {
        Self::Like(Box::new(schema))
    }
}

impl NodeMembers {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for NodeMembers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, schema)| (name, schema)))
    }
}
