//! The columns of the record of `--format jsonl`, for Apache Spark.
//!
//! A reader that does not know the types guesses them from the first records. If none of these has a
//! finding, it fails at the first record with one. The columns have the types of the report's schema, in
//! the same order.

use crate::schema::json_schema::{Others, SchemaKeyword, SchemaNode};
use crate::schema::report;

/// The columns of one record in DDL, as `schema`, `from_json` and `mapInArrow` take them, without a final
/// newline.
pub(crate) fn spark_columns() -> String {
    let columns = report::record().properties.0;
    let columns = columns
        .iter()
        .map(|(name, column)| format!("`{name}` {}", column_type(column)));
    columns.collect::<Vec<_>>().join(",\n")
}

/// The type of a column. Every column may be null.
fn column_type(node: &SchemaNode) -> String {
    let mut choices = node.any_of.iter();
    if let Some(choice) = choices.find(|choice| choice.types.0 != ["null"]) {
        return column_type(choice);
    }
    let members = &node.properties.0;
    let plain = match (node.types.0.first().copied(), node.words.first()) {
        (Some("integer"), _) | (None, Some(SchemaKeyword::Number(_))) => "BIGINT",
        (Some("number"), _) => "DOUBLE",
        (Some("boolean"), _) => "BOOLEAN",
        // An object of any members is its JSON text.
        (Some("object"), _) if !members.is_empty() => {
            let members = members.iter();
            let members =
                members.map(|(name, member)| format!("`{name}`: {}", column_type(member)));
            return format!("STRUCT<{}>", members.collect::<Vec<_>>().join(", "));
        }
        (Some("array"), _) => {
            // The list of steps has a schema for each of its six items, but all have the same type.
            let item = match (&node.items, node.first_items.first()) {
                (Some(Others::Like(item)), _) => column_type(item),
                (_, Some(first)) => column_type(first),
                _ => "STRING".to_owned(),
            };
            return format!("ARRAY<{item}>");
        }
        _ => "STRING",
    };
    plain.to_owned()
}
