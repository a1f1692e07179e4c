//! Places in the tables of a profile of one's own, and what is held to the values that stand there.

use std::borrow::Cow;
use std::sync::Arc;

use toml::de::DeValue;

use crate::config::reader::{At, TomlItem};
use crate::config::types::{
    Entries, FromToml, OneOrMore, VisibleName, invalid_glob, table_of, text, toml_keys, toml_table,
    toml_types,
};
use crate::json_schema::SchemaNode;
use crate::profile::{
    AllowedWords, CountRule, CountedThings, Expression, PathGlob, Place, PlaceError, PlacePath,
    RoleMember, Roles, Schema, SchemaRule, WantedText,
};
use crate::text::escape::truncated;

toml_table! {
    /// A place with more than a name or a pointer.
    PlaceTable {
        /// where the value stands: a place, or several
        at: Option<PlaceTexts>,
        /// place of objects or rows, whose members are taken
        each: Option<PlaceTexts>,
        /// member with the path of a file, by name or pointer
        path: Option<MemberPath>,
        /// member with the line of a cite
        line: Option<MemberPath>,
        /// member with the text that a cite quotes
        quote: Option<MemberPath>,
        /// member with the id of a commit
        commit: Option<MemberPath>,
        /// regular expression whose group value is taken
        r#match: Option<Expression>,
        /// value if there is none
        default: Option<WantedText>,
        /// whether the value may be missing
        optional: bool,
    }
}

/// One name or pointer, or several.
#[derive(Debug, Clone)]
pub(super) struct PlaceTexts(Vec<PlacePath>);

/// A member of an object or a row.
#[derive(Debug, Clone)]
pub(super) struct MemberPath(PlacePath);

/// A name or a pointer that stands at this byte.
fn path(
    item: &TomlItem<'_>,
    at: usize,
    text: &str,
    read: impl FnOnce(&str) -> Result<PlacePath, PlaceError>,
) -> Option<PlacePath> {
    let refuse = |error| {
        let (key, place) = (truncated(item.place_key()), truncated(text));
        let message = format!("`{key}`: the place `{place}` {error}");
        item.reader.refuse(at, message);
    };
    read(text).map_err(refuse).ok()
}

impl PlaceTexts {
    fn read_or(item: &TomlItem<'_>, expected: &str) -> Option<Self> {
        let one = |item: &TomlItem<'_>| {
            let read = |text: &str| PlacePath::read(text, item.form);
            path(item, item.at(), item.text()?, read)
        };
        match item.value() {
            DeValue::String(_) => one(item).map(|it| Self(vec![it])),
            DeValue::Array(_) => {
                let paths: Vec<_> = item.items()?.map(|it| one(&it)).collect();
                let paths: Vec<_> = paths.into_iter().collect::<Option<_>>()?;
                if paths.is_empty() {
                    return item.refuse("`at` needs a place");
                }
                Some(Self(paths))
            }
            _ => item.expected(expected),
        }
    }

    fn place(self) -> Place {
        Place {
            paths: self.0.into(),
            ..Place::BASE
        }
    }
}

impl PlaceTable {
    fn place(self, item: &TomlItem<'_>) -> Option<Place> {
        let members = [
            (RoleMember::Path, self.path),
            (RoleMember::Line, self.line),
            (RoleMember::Quote, self.quote),
            (RoleMember::Commit, self.commit),
        ];
        let members = members.into_iter();
        let members = members.filter_map(|(kind, member)| Some((kind, member?.0)));
        let members: Vec<_> = members.collect();
        let key = truncated(item.place_key());
        let texts = match (self.at, self.each) {
            (Some(texts), None) if members.is_empty() => texts,
            (None, Some(texts)) if !members.is_empty() => texts,
            _ => {
                return item.refuse(format!(
                    "`{key}` needs either `at`, or `each` and the members that are taken"
                ));
            }
        };
        let looked_for = match item.key {
            "cites" => Some((RoleMember::Path, "path")),
            "commits" => Some((RoleMember::Commit, "commit")),
            _ => None,
        };
        if let Some((kind, name)) = looked_for
            && !members.is_empty()
            && members.iter().all(|(known, _)| *known != kind)
        {
            return item.refuse(format!(
                "`{key}` needs `{name}`, the member that is looked for"
            ));
        }
        Some(Place {
            members: members.into(),
            expression: self.r#match,
            is_optional: self.optional || self.default.is_some(),
            default: self.default.map(|it| it.text),
            ..texts.place()
        })
    }
}

impl FromToml for Place {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        if item.is_table() {
            return PlaceTable::read(item)?.place(item);
        }
        let texts = PlaceTexts::read_or(item, "a place, an array of places or a table")?;
        Some(texts.place())
    }

    fn schema(_: bool) -> SchemaNode {
        SchemaNode {
            reference: Some("#/$defs/place"),
            ..SchemaNode::default()
        }
    }
}

/// The schema of a place: what that of [`Place`] refers to.
pub(super) fn place_schema() -> SchemaNode {
    let texts = SchemaNode::array(text());
    SchemaNode::any_of([text(), texts, PlaceTable::schema(false)])
}

toml_types! {
    PlaceTexts = |item| Self::read_or(item, "a place or an array of places"), OneOrMore::schema(false);
    MemberPath = |item| path(item, item.at(), item.text()?, PlacePath::read_member).map(Self), text();
    Expression = |item| {
        let text = item.text()?;
        Self::new(text).map_or_else(|why| {
            let (expression, why) = (truncated(text), truncated(&why));
            item.refuse(format!("invalid expression `{expression}`: {why}"))
        }, Some)
    }, text();
    PathGlob = |item| {
        let text = item.text()?;
        Self::new(text).map_or_else(|error| item.refuse(invalid_glob(text, &error)), Some)
    }, text();
}

toml_keys! {
    Roles {
        /// the status
        status: Option<Place>,
        /// the session id
        session: Option<Place>,
        /// the name of the agent
        agent: Option<Place>,
        /// the summary
        summary: Option<Place>,
        /// the files that the agent wrote
        artifacts: Option<Place>,
        /// files that must be there, whoever wrote them
        files: Option<Place>,
        /// the files that the agent changed
        changed: Option<Place>,
        /// lines of files that it cites
        cites: Option<Place>,
        /// its commits
        commits: Option<Place>,
        /// the tests that it ran
        tests: Option<Place>,
        /// values that must be those of --given, by name
        given: Cow<'static, [(String, Place)]>,
    }
}

toml_types! {
    Cow<'static, [(String, Place)]> = |item| {
        let Entries(entries) = Entries::read(item)?;
        let entries = entries.into_iter();
        Some(entries.map(|(name, place)| (name.to_string(), place)).collect())
    }, Entries::<Place>::schema(false);
}

/// What holds of some places: tables in a list, or a table with the places as keys.
#[derive(Debug, Clone)]
pub(super) struct ByPlace<T>(pub(super) Vec<T>);

/// What is held to a place.
pub(super) trait OfPlace: Sized {
    /// The table in a list: the place, and what is held to it.
    type Table: FromToml;

    /// Makes it of a table, or refuses that.
    fn of_table(table: Self::Table, item: &TomlItem<'_>) -> Option<Self>;

    /// Makes it of the value under a place.
    fn of_value(place: Place, item: &TomlItem<'_>) -> Option<Self>;

    /// The schema of the value under a place.
    fn value_schema() -> SchemaNode;
}

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: OfPlace> FromToml for ByPlace<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let entries: Vec<_> = if item.value().is_array() {
            let entry = |item: TomlItem<'_>| T::of_table(T::Table::read(&item)?, &item);
            item.items()?.map(entry).collect()
        } else {
            let entry = |member: TomlItem<'_>| {
                let name = VisibleName::of_key(item, &member)?;
                let read = |text: &str| PlacePath::read(text, item.form);
                let place = Place::at(path(&member, name.at, &name, read)?);
                T::of_value(place, &member)
            };
            item.members()?.into_iter().map(entry).collect()
        };
        entries.into_iter().collect::<Option<_>>().map(Self)
    }

    fn schema(_: bool) -> SchemaNode {
        let tables = SchemaNode::array(T::Table::schema(false));
        SchemaNode::any_of([table_of(T::value_schema()), tables])
    }
}

toml_table! {
    /// The words that a value can be.
    WordsTable {
        /// place of the value
        at: Option<Place>,
        /// the words
        words: Vec<String>,
    }
}

impl OfPlace for AllowedWords {
    type Table = WordsTable;

    fn of_table(table: WordsTable, item: &TomlItem<'_>) -> Option<Self> {
        let WordsTable { at, words } = table;
        match at {
            Some(place) => held(place, words, item),
            None => item.refuse(format!("`{}` needs `at` and `words`", item.place_key())),
        }
    }

    fn of_value(place: Place, item: &TomlItem<'_>) -> Option<Self> {
        held(place, Vec::read(item)?, item)
    }

    fn value_schema() -> SchemaNode {
        <Vec<String>>::schema(false)
    }
}

fn held(place: Place, words: Vec<String>, item: &TomlItem<'_>) -> Option<AllowedWords> {
    if words.is_empty() {
        let name = truncated(place.as_str());
        return item.refuse(format!("`values`: `{name}` needs words"));
    }
    Some(AllowedWords { place, words })
}

toml_table! {
    /// A sum, and its parts.
    SumTable {
        /// place of the sum
        total: Option<Place>,
        /// places of the parts
        of: Vec<Place>,
    }
}

impl OfPlace for (Place, Vec<Place>) {
    type Table = SumTable;

    fn of_table(table: SumTable, item: &TomlItem<'_>) -> Option<Self> {
        match (table.total, table.of) {
            (Some(total), of) if !of.is_empty() => sum_of(total, of, item),
            _ => item.refuse("`sums` needs `total` and `of`"),
        }
    }

    fn of_value(total: Place, item: &TomlItem<'_>) -> Option<Self> {
        let parts: Vec<_> = Vec::read(item)?;
        if parts.is_empty() {
            return item.refuse("`sums` needs the places of the parts");
        }
        sum_of(total, parts, item)
    }

    fn value_schema() -> SchemaNode {
        <Vec<Place>>::schema(false)
    }
}

fn sum_of(total: Place, parts: Vec<Place>, item: &TomlItem<'_>) -> Option<(Place, Vec<Place>)> {
    if parts.contains(&total) {
        return item.refuse("`sums`: a total cannot be a part of itself");
    }
    Some((total, parts))
}

/// Places that have one value.
#[derive(Debug, Clone)]
pub(super) struct SamePlaces(pub(super) Vec<Place>);

toml_types! {
    SamePlaces = |item| {
        let places = Vec::read(item)?;
        if places.len() < 2 {
            return item.refuse("`same` needs at least two places");
        }
        Some(Self(places))
    }, <Vec<Place>>::schema(false);
}

impl OfPlace for SamePlaces {
    type Table = Self;

    fn of_table(places: Self, _: &TomlItem<'_>) -> Option<Self> {
        Some(places)
    }

    fn of_value(place: Place, item: &TomlItem<'_>) -> Option<Self> {
        Some(Self(vec![place, Place::read(item)?]))
    }

    fn value_schema() -> SchemaNode {
        Place::schema(false)
    }
}

toml_table! {
    /// A number, and what it counts.
    CountTable {
        /// place of the number
        number: Option<Place>,
        /// place of the values, or of a list, that it counts
        items: Option<Place>,
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
        r#in: Option<Place>,
        /// glob of their names
        glob: Option<PathGlob>,
    }
}

impl FromToml for CountRule {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let table = CountTable::read(item)?;
        let members = table.r#where.iter().map(|(name, value)| {
            let path = path(item, name.at, name, PlacePath::read_member)?;
            Some((path, value.clone()))
        });
        let members = members.collect::<Option<_>>()?;
        let counted = match (table.items, table.files) {
            (Some(place), None) => CountedThings::Items { place, members },
            (None, Some(files)) => {
                let (Some(folder), Some(glob)) = (files.r#in, files.glob) else {
                    return item.refuse("`files` needs `in` and `glob`");
                };
                CountedThings::Files { folder, glob }
            }
            _ => return item.refuse("`counts` needs `number`, and either `items` or `files`"),
        };
        match table.number {
            Some(number) => Some(Self { number, counted }),
            None => item.refuse("`counts` needs `number`, and either `items` or `files`"),
        }
    }

    fn schema(has_base: bool) -> SchemaNode {
        CountTable::schema(has_base)
    }
}

toml_table! {
    /// A schema, and the value that it is for.
    SchemaTable {
        /// place of the value
        at: Option<Place>,
        /// file with the JSON Schema
        file: Option<At<String>>,
    }
}

/// The file of a schema, or a table with the place of the value that it is for.
impl FromToml for SchemaRule {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let (place, at, file) = match item.value() {
            DeValue::String(file) => (None, item.at(), file.to_string()),
            DeValue::Table(_) => match SchemaTable::read(item)? {
                SchemaTable {
                    at: Some(place),
                    file: Some(file),
                } => (Some(place), file.at, file.value),
                _ => return item.refuse("`schema` needs `at` and `file`"),
            },
            _ => return item.expected("a text or a table"),
        };
        let folder = item.reader.folder();
        match folder.and_then(|folder| Schema::read(&file, folder)) {
            Ok(schema) => Some(Self {
                place,
                schema: Arc::new(schema),
            }),
            Err(why) => {
                item.reader.refuse(at, format!("`schema`: {why}"));
                None
            }
        }
    }

    fn schema(_: bool) -> SchemaNode {
        SchemaNode::any_of([text(), SchemaTable::schema(false)])
    }
}

toml_types! {
    WantedText = |item| {
        let text = match item.value() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(switch) => switch.to_string(),
            _ => return item.expected("a text, a number or a boolean"),
        };
        let is_text = item.value().is_str();
        Some(Self { text, is_text })
    }, SchemaNode::any_of(["string", "number", "boolean"].map(SchemaNode::of_type));
}
