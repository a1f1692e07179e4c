//! The columns of the record of `--format jsonl`, for engines that read lines of JSON into a table.
//!
//! An engine that does not know the types guesses them from the first records. If none of these has a
//! finding, it fails at the first record with one. The columns have the types of the report's schema, in
//! the same order.

use crate::schema::json_schema::{Others, SchemaKeyword, SchemaNode};
use crate::schema::report;
use crate::text::names;

names! {
    /// A program that reads records into a table.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Engine: "engine" {
        /// Apache Spark: a list of columns in DDL, as `schema`, `from_json` and `mapInArrow` take it.
        Spark = "spark",
        /// `DuckDB`: the argument `columns` of `read_json`.
        DuckDb = "duckdb",
        /// Polars: a Python module with the argument `schema` of `read_ndjson`.
        Polars = "polars",
        /// Apache Arrow: a Python module with the schema of a table.
        Arrow = "arrow",
    }
}

/// The syntax of an engine for columns: what it writes before and after each part.
struct Dialect {
    table: (&'static str, &'static str),
    /// What is written before the name of a column, before its type, and after the type.
    column: (&'static str, &'static str, &'static str),
    list: (&'static str, &'static str),
    structure: (&'static str, &'static str),
    /// What is written before and after the name of a member of a structure.
    member: (&'static str, &'static str),
    text: &'static str,
    integer: &'static str,
    number: &'static str,
    boolean: &'static str,
}

static SPARK: Dialect = Dialect {
    table: ("", ""),
    column: ("`", "` ", ""),
    list: ("ARRAY<", ">"),
    structure: ("STRUCT<", ">"),
    member: ("`", "`: "),
    text: "STRING",
    integer: "BIGINT",
    number: "DOUBLE",
    boolean: "BOOLEAN",
};

static DUCKDB: Dialect = Dialect {
    table: ("{\n", "\n}"),
    column: ("  '", "': '", "'"),
    list: ("", "[]"),
    structure: ("STRUCT(", ")"),
    member: ("\"", "\" "),
    text: "VARCHAR",
    integer: "BIGINT",
    number: "DOUBLE",
    boolean: "BOOLEAN",
};

static POLARS: Dialect = Dialect {
    table: ("import polars as pl\n\nSCHEMA = {\n", "\n}"),
    column: ("    \"", "\": ", ""),
    list: ("pl.List(", ")"),
    structure: ("pl.Struct({", "})"),
    member: ("\"", "\": "),
    text: "pl.String",
    integer: "pl.Int64",
    number: "pl.Float64",
    boolean: "pl.Boolean",
};

static ARROW: Dialect = Dialect {
    table: ("import pyarrow as pa\n\nSCHEMA = pa.schema({\n", "\n})"),
    column: ("    \"", "\": ", ""),
    list: ("pa.list_(", ")"),
    structure: ("pa.struct({", "})"),
    member: ("\"", "\": "),
    text: "pa.string()",
    integer: "pa.int64()",
    number: "pa.float64()",
    boolean: "pa.bool_()",
};

impl Engine {
    /// Returns the columns of one record in the syntax of the engine, without a final newline.
    pub(crate) fn columns(self) -> String {
        let dialect = match self {
            Self::Spark => &SPARK,
            Self::DuckDb => &DUCKDB,
            Self::Polars => &POLARS,
            Self::Arrow => &ARROW,
        };
        let (before, between, after) = dialect.column;
        let columns = report::record().properties.0;
        let columns = columns.iter().map(|(name, column)| {
            let column = dialect.column_type(column);
            format!("{before}{name}{between}{column}{after}")
        });
        let columns = columns.collect::<Vec<_>>().join(",\n");
        format!("{}{columns}{}", dialect.table.0, dialect.table.1)
    }
}

impl Dialect {
    /// The type of a column. Every column may be null.
    fn column_type(&self, node: &SchemaNode) -> String {
        let within = |(open, close), text: String| format!("{open}{text}{close}");
        let mut choices = node.any_of.iter();
        if let Some(choice) = choices.find(|choice| choice.types.0 != ["null"]) {
            return self.column_type(choice);
        }
        let members = &node.properties.0;
        let plain = match (node.types.0.first().copied(), node.words.first()) {
            (Some("integer"), _) | (None, Some(SchemaKeyword::Number(_))) => self.integer,
            (Some("number"), _) => self.number,
            (Some("boolean"), _) => self.boolean,
            // An object of any members is its JSON text.
            (Some("object"), _) if !members.is_empty() => {
                let members = members.iter().map(|(name, member)| {
                    let member = self.column_type(member);
                    format!("{}{name}{}{member}", self.member.0, self.member.1)
                });
                return within(self.structure, members.collect::<Vec<_>>().join(", "));
            }
            (Some("array"), _) => {
                // The list of steps has a schema for each of its six items, but all have the same type.
                let item = match (&node.items, node.first_items.first()) {
                    (Some(Others::Like(item)), _) => self.column_type(item),
                    (_, Some(first)) => self.column_type(first),
                    _ => self.text.to_owned(),
                };
                return within(self.list, item);
            }
            _ => self.text,
        };
        plain.to_owned()
    }
}
