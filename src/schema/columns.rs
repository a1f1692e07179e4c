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
    #[non_exhaustive]
    pub enum Engine: "engine" {
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
    #[must_use]
    pub fn columns(self) -> String {
        let dialect = match self {
            Self::Spark => &SPARK,
            Self::DuckDb => &DUCKDB,
            Self::Polars => &POLARS,
            Self::Arrow => &ARROW,
        };
        let (before, between, after) = dialect.column;
        let columns = ColumnType::members(&report::record());
        let columns = columns.iter().map(|(name, column)| {
            let column = dialect.column_type(column);
            format!("{before}{name}{between}{column}{after}")
        });
        let columns = columns.collect::<Vec<_>>().join(",\n");
        format!("{}{columns}{}", dialect.table.0, dialect.table.1)
    }
}

impl Dialect {
    fn column_type(&self, column: &ColumnType) -> String {
        let within = |(open, close), text: String| format!("{open}{text}{close}");
        match column {
            ColumnType::Text => self.text.to_owned(),
            ColumnType::Integer => self.integer.to_owned(),
            ColumnType::Number => self.number.to_owned(),
            ColumnType::Boolean => self.boolean.to_owned(),
            ColumnType::List(item) => within(self.list, self.column_type(item)),
            ColumnType::Struct(members) => {
                let members = members.iter().map(|(name, member)| {
                    let member = self.column_type(member);
                    format!("{}{name}{}{member}", self.member.0, self.member.1)
                });
                within(self.structure, members.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The type of a column. Every column may be null.
enum ColumnType {
    Text,
    Integer,
    Number,
    Boolean,
    List(Box<ColumnType>),
    Struct(Vec<(String, ColumnType)>),
}

impl ColumnType {
    fn members(object: &SchemaNode) -> Vec<(String, Self)> {
        let members = object.properties.0.iter();
        members
            .map(|(name, member)| (name.clone(), Self::of(member)))
            .collect()
    }

    fn of(node: &SchemaNode) -> Self {
        let mut choices = node.any_of.iter();
        if let Some(choice) = choices.find(|choice| choice.types.0 != ["null"]) {
            return Self::of(choice);
        }
        match (node.types.0.first().copied(), node.words.first()) {
            (Some("integer"), _) | (None, Some(SchemaKeyword::Number(_))) => Self::Integer,
            (Some("number"), _) => Self::Number,
            (Some("boolean"), _) => Self::Boolean,
            // An object of any members is its JSON text.
            (Some("object"), _) if node.properties.0.is_empty() => Self::Text,
            (Some("object"), _) => Self::Struct(Self::members(node)),
            (Some("array"), _) => Self::List(Box::new(Self::of_items(node))),
            _ => Self::Text,
        }
    }

    /// Returns the type of the items. The list of steps has a schema for each of its six items, but all
    /// have the same type.
    fn of_items(array: &SchemaNode) -> Self {
        match (&array.items, array.first_items.first()) {
            (Some(Others::Like(item)), _) => Self::of(item),
            (_, Some(first)) => Self::of(first),
            _ => Self::Text,
        }
    }
}
