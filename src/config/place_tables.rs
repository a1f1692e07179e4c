//! Places in the tables of a profile, and the tables that compare what stands there.

use toml::de::DeValue;

use crate::config::reader::{At, TomlItem};
use crate::config::types::{
    Entries, FromToml, OneOrMore, VisibleName, table_of, text, toml_table, toml_types,
};
use crate::json_schema::SchemaNode;

/// A place: a name or a pointer, several of them, or a table with them and what is taken there. In a profile
/// that extends another one, the dotted name of a member.
#[derive(Debug, Clone, Default)]
pub(super) struct PlaceItem {
    pub(super) texts: Vec<At<String>>,
    pub(super) table: Option<Box<PlaceTable>>,
}

toml_table! {
    /// A place with more than a name or a pointer.
    PlaceTable {
        /// where the value stands: a place, or several
        at: Option<PlaceTexts>,
        /// place of objects or rows, whose members are taken
        each: Option<PlaceTexts>,
        /// member with the path of a file, by name or pointer
        path: Option<At<String>>,
        /// member with the line of a cite
        line: Option<At<String>>,
        /// member with the text that a cite quotes
        quote: Option<At<String>>,
        /// member with the id of a commit
        commit: Option<At<String>>,
        /// regular expression whose group value is taken
        r#match: Option<At<String>>,
        /// value if there is none
        default: Option<String>,
        /// whether the value may be missing
        optional: bool,
    }
}

/// One name or pointer, or several.
#[derive(Debug, Clone)]
pub(super) struct PlaceTexts(pub(super) Vec<At<String>>);

impl PlaceItem {
    fn named(at: usize, text: &str) -> Self {
        let value = text.to_owned();
        Self {
            texts: vec![At { at, value }],
            table: None,
        }
    }
}

impl FromToml for PlaceItem {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        if item.has_base {
            let name = VisibleName::read(item)?;
            return Some(Self::named(item.at(), &name));
        }
        if item.is_table() {
            let table = Some(Box::new(PlaceTable::read(item)?));
            let texts = Vec::new();
            return Some(Self { texts, table });
        }
        let PlaceTexts(texts) =
            PlaceTexts::read_or(item, "a place, an array of places or a table")?;
        Some(Self { texts, table: None })
    }

    fn schema(has_base: bool) -> SchemaNode {
        if has_base {
            return text();
        }
        SchemaNode {
            reference: Some("#/$defs/place"),
            ..SchemaNode::default()
        }
    }
}

impl PlaceTexts {
    fn read_or(item: &TomlItem<'_>, expected: &str) -> Option<Self> {
        if item.value().is_str() {
            return At::read(item).map(|text| Self(vec![text]));
        }
        if item.value().is_array() {
            return Vec::read(item).map(Self);
        }
        item.expected(expected)
    }
}

toml_types! {
    PlaceTexts = |item| Self::read_or(item, "a place or an array of places"), OneOrMore::schema(false);
}

/// The schema of a place: what [`PlaceItem`] refers to.
pub(super) fn place_schema() -> SchemaNode {
    let texts = SchemaNode::array(text());
    SchemaNode::any_of([text(), texts, PlaceTable::schema(false)])
}

/// What holds of some places: tables in a list, or a table with the places as keys.
#[derive(Debug, Clone)]
pub(super) struct ByPlace<T>(pub(super) Vec<At<T>>);

/// A table that can also stand as a value under a place.
pub(super) trait PlaceEntry: FromToml {
    fn of_key(place: At<PlaceItem>, item: &TomlItem<'_>) -> Option<Self>;

    /// The schema of the value under a place.
    fn entry_schema() -> SchemaNode;
}

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PlaceEntry> FromToml for ByPlace<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        if item.value().is_array() {
            return Vec::read(item).map(Self);
        }
        let entry = |member: TomlItem<'_>| {
            let name = VisibleName::of_key(item, &member)?;
            let at = name.at;
            let value = PlaceItem::named(at, &name);
            let value = T::of_key(At { at, value }, &member)?;
            Some(At { at, value })
        };
        let entries = item.members()?.into_iter().map(entry);
        entries.collect::<Option<_>>().map(Self)
    }

    fn schema(_: bool) -> SchemaNode {
        SchemaNode::any_of([table_of(T::entry_schema()), Vec::<T>::schema(false)])
    }
}

toml_table! {
    /// The words that a value can be.
    WordsTable {
        /// place of the value
        at: Option<At<PlaceItem>>,
        /// the words
        words: Vec<String>,
    }
}

impl PlaceEntry for WordsTable {
    fn of_key(place: At<PlaceItem>, item: &TomlItem<'_>) -> Option<Self> {
        let (at, words) = (Some(place), Vec::read(item)?);
        Some(Self { at, words })
    }

    fn entry_schema() -> SchemaNode {
        <Vec<String>>::schema(false)
    }
}

toml_table! {
    /// A sum, and its parts.
    SumTable {
        /// place of the sum
        total: Option<At<PlaceItem>>,
        /// places of the parts
        of: Vec<At<PlaceItem>>,
    }
}

impl PlaceEntry for SumTable {
    fn of_key(place: At<PlaceItem>, item: &TomlItem<'_>) -> Option<Self> {
        let (total, of) = (Some(place), Vec::read(item)?);
        Some(Self { total, of })
    }

    fn entry_schema() -> SchemaNode {
        <Vec<PlaceItem>>::schema(false)
    }
}

toml_table! {
    /// A number, and what it counts.
    CountTable {
        /// place of the number
        number: Option<At<PlaceItem>>,
        /// place of the values, or of a list, that it counts
        items: Option<At<PlaceItem>>,
        /// members that an object must have to count, by name or pointer
        r#where: Entries<WantedText>,
        /// the files that it counts
        files: Option<CountedFiles>,
    }
}

toml_table! {
    /// Files that a number counts.
    CountedFiles {
        /// place of the path of their folder
        r#in: Option<At<PlaceItem>>,
        /// glob of their names
        glob: Option<At<String>>,
    }
}

toml_table! {
    /// A schema, and the value that it is for.
    SchemaTable {
        /// place of the value
        at: Option<At<PlaceItem>>,
        /// file with the JSON Schema
        file: Option<At<String>>,
    }
}

/// The file of a schema, or a table with the place of the value that it is for.
#[derive(Debug, Clone)]
pub(super) enum SchemaItem {
    File(String),
    Table(SchemaTable),
}

toml_types! {
    SchemaItem = |item| match item.value().as_str() {
        Some(file) => Some(Self::File(file.to_owned())),
        None if item.is_table() => SchemaTable::read(item).map(Self::Table),
        None => item.expected("a text or a table"),
    }, SchemaNode::any_of([text(), SchemaTable::schema(false)]);
}

/// A text, a number or a boolean, as text.
#[derive(Debug, Clone)]
pub(super) struct WantedText(pub(super) String);

toml_types! {
    WantedText = |item| match item.value() {
        DeValue::String(text) => Some(Self(text.to_string())),
        DeValue::Integer(number) => Some(Self(number.to_string())),
        DeValue::Float(number) => Some(Self(number.to_string())),
        DeValue::Boolean(switch) => Some(Self(switch.to_string())),
        _ => item.expected("a text, a number or a boolean"),
    }, SchemaNode::any_of(["string", "number", "boolean"].map(SchemaNode::of_type));
}
