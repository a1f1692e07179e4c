//! The schema of the report, version 1: the document of `--format json` and the record of `--format
//! jsonl`.

/// The schema of an object with exactly these members, all of them required but the optional ones.
macro_rules! object {
    (@required) => { true };
    (@required optional) => { false };
    ($($name:literal $($optional:ident)?: $schema:expr;)+) => {
        $crate::schema::json_schema::SchemaNode::object([$(($name, object!(@required $($optional)?), $schema)),+])
    };
}

mod record;

use crate::check::rules::RULES;
use crate::format::VERSION;
use crate::schema::full::DRAFT_2020_12;
use crate::schema::json_schema::{NodeMembers, SchemaKeyword, SchemaNode};
pub(super) use record::record;

const RECORD: &str = "record";

pub(super) fn schema() -> SchemaNode {
    let reference = SchemaNode {
        reference: Some("#/$defs/record"),
        ..SchemaNode::default()
    };
    let document = object! {
        "version": version();
        "returns": SchemaNode::array(reference.clone());
        "totals": totals();
    };
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: report".to_owned()),
        definitions: NodeMembers(vec![(RECORD.to_owned(), record())]),
        ..SchemaNode::any_of([
            document.described("What --format json prints."),
            reference.described("A line of what --format jsonl prints."),
        ])
    }
}

fn string() -> SchemaNode {
    SchemaNode::of_type("string")
}

fn number() -> SchemaNode {
    SchemaNode::of_type("number")
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
    object! {
        "returns": count(0);
        "valid": count(0);
        "invalid": count(0);
        "unchecked": count(0);
        "warnings": count(0);
        "accepted" optional: count(1);
    }
}
