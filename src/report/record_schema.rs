//! The schema of the report, version 1: the document of `--format json` and the record of `--format
//! jsonl`. Also the columns of the record, for Apache Spark.

use crate::json_schema::{DRAFT_2020_12, NodeMembers, Others, SchemaKeyword, SchemaNode};
use crate::report::Totals;
use crate::report::json::{ReturnRecord, version};

pub(crate) fn report_schema() -> SchemaNode {
    let reference = SchemaNode { reference: Some("#/$defs/record"), ..SchemaNode::default() };
    let document = SchemaNode::object([
        ("version", true, version()),
        ("returns", true, SchemaNode::array(reference.clone())),
        ("totals", true, Totals::schema()),
    ]);
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: report".to_owned()),
        definitions: NodeMembers(vec![("record".to_owned(), ReturnRecord::schema())]),
        ..SchemaNode::any_of([
            document.described("What --format json prints."),
            reference.described("A line of what --format jsonl prints."),
        ])
    }
}

/// The columns of one record in DDL, as `schema`, `from_json` and `mapInArrow` take them, without a final
/// newline.
///
/// A reader that does not know the types guesses them from the first records. If none of these has a
/// finding, it fails at the first record with one.
pub(crate) fn spark_columns() -> String {
    columns(&ReturnRecord::schema(), ("` ", ",\n"))
}

fn columns(node: &SchemaNode, (between, after): (&str, &str)) -> String {
    let members = node.properties.0.iter();
    let column = |(name, member): &_| format!("`{name}{between}{}", column_type(member));
    members.map(column).collect::<Vec<_>>().join(after)
}

/// The type of a column. Every column may be null.
fn column_type(node: &SchemaNode) -> String {
    let mut choices = node.any_of.iter();
    if let Some(choice) = choices.find(|choice| choice.types.0 != ["null"]) {
        return column_type(choice);
    }
    let plain = match (node.types.0.first().copied(), node.words.first()) {
        (Some("integer"), _) | (None, Some(SchemaKeyword::Number(_))) => "BIGINT",
        (Some("number"), _) => "DOUBLE",
        (Some("boolean"), _) => "BOOLEAN",
        // An object of any members is its JSON text.
        (Some("object"), _) if !node.properties.is_empty() => {
            return format!("STRUCT<{}>", columns(node, ("`: ", ", ")));
        }
        (Some("array"), _) => {
            let Some(Others::Like(item)) = &node.items else {
                return "ARRAY<STRING>".to_owned();
            };
            return format!("ARRAY<{}>", column_type(item));
        }
        _ => "STRING",
    };
    plain.to_owned()
}
