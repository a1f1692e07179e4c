//! The schema of the report, version 1: the document of `--format json` and the record of `--format
//! jsonl`.

mod record;

use crate::check::rules::RULES;
use crate::format::VERSION;
use crate::schema::full::DRAFT_2020_12;
use crate::schema::json_schema::{NodeMembers, Others, SchemaKeyword, SchemaNode, Types};
pub(super) use record::record;

const RECORD: &str = "record";

pub(super) fn schema() -> SchemaNode {
    let reference = SchemaNode {
        reference: Some("#/$defs/record"),
        ..SchemaNode::default()
    };
    let document = object([
        ("version", version()),
        ("returns", SchemaNode::array(reference.clone())),
        ("totals", totals()),
        (
            "statistics",
            statistics().described("Only with --statistics."),
        ),
    ]);
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: report".to_owned()),
        definitions: NodeMembers(vec![(RECORD.to_owned(), record())]),
        ..SchemaNode::any_of([
            optional(document, "statistics").described("What --format json prints."),
            reference.described("A line of what --format jsonl prints."),
        ])
    }
}

/// The optional member with the number of accepted findings.
const ACCEPTED: &str = "accepted";

/// Returns the schema of an object with exactly these members, all of them required.
fn object<const N: usize>(members: [(&str, SchemaNode); N]) -> SchemaNode {
    let properties = members.map(|(name, schema)| (name.to_owned(), schema));
    SchemaNode {
        required: properties.iter().map(|(name, _)| name.clone()).collect(),
        properties: NodeMembers(properties.to_vec()),
        others: Some(Others::Allowed(false)),
        ..SchemaNode::of_type("object")
    }
}

fn optional(mut object: SchemaNode, member: &str) -> SchemaNode {
    object.required.retain(|name| name != member);
    object
}

fn string() -> SchemaNode {
    SchemaNode::of_type("string")
}

fn count(least: u8) -> SchemaNode {
    SchemaNode {
        minimum: Some(least.into()),
        ..SchemaNode::of_type("integer")
    }
}

fn version() -> SchemaNode {
    SchemaNode {
        words: vec![SchemaKeyword::Number(VERSION)],
        ..SchemaNode::default()
    }
}

fn rule() -> SchemaNode {
    SchemaNode::one_of(RULES.map(|rule| rule.id))
}

fn totals() -> SchemaNode {
    let counted = ["returns", "valid", "invalid", "unchecked", "warnings"];
    let mut totals = object(counted.map(|name| (name, count(0))));
    totals.properties.0.push((ACCEPTED.to_owned(), count(1)));
    totals
}

fn statistics() -> SchemaNode {
    let rules = object([
        ("rule", rule()),
        ("findings", count(1)),
        ("returns", count(1)),
    ]);
    let commonest = SchemaNode {
        types: Types(vec!["string"]),
        ..rule()
    };
    let agents = object([
        ("agent_type", string().or_null()),
        ("returns", count(1)),
        ("valid", count(0)),
        ("commonest_failure", commonest.or_null()),
    ]);
    let statuses = object([("status", string().or_null()), ("returns", count(1))]);
    object([
        ("rules", SchemaNode::array(rules)),
        ("agents", SchemaNode::array(agents)),
        ("statuses", SchemaNode::array(statuses)),
    ])
}
