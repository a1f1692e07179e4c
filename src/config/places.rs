//! Places in the tables of a profile of one's own, and what is held to the values that stand there.

use std::borrow::Cow;
use std::sync::Arc;

use toml::de::DeValue;

use crate::config::reader::{At, TomlItem, all};
use crate::config::types::{
    self, Entries, FromToml, OneOrMore, VisibleName, invalid_glob, text, toml_keys, toml_table,
    toml_types,
};
use crate::json_schema::SchemaNode;
use crate::profile::{
    AllowedWords, CountRule, CountedThings, Expression, PathGlob, Place, PlacePath, RoleMember,
    Roles, Schema, SchemaRule, WantedText,
};
use crate::text::escape::truncated;

toml_table! {
    /// A place with more than a name or a pointer.
    PlaceTable {
        /// the field, or several
        at: Option<PlacePaths>,
        /// field with objects or rows, whose members are taken
        each: Option<PlacePaths>,
        /// member with the path of a file, by name or pointer
        path: Option<PlacePath>,
        /// member with the line of a cite
        line: Option<PlacePath>,
        /// member with the text that a cite quotes
        quote: Option<PlacePath>,
        /// member with the id of a commit
        commit: Option<PlacePath>,
        /// regular expression whose group value is taken
        r#match: Option<Expression>,
        /// value if there is none
        default: Option<WantedText>,
        /// whether the value may be missing
        optional: bool,
    }
}

type PlacePaths = Cow<'static, [PlacePath]>;

/// A name or a pointer that stands at this byte.
fn path(
    item: &TomlItem<'_>,
    at: usize,
    text: &str,
    read: impl FnOnce(&str) -> Result<PlacePath, String>,
) -> Option<PlacePath> {
    let refuse = |error| {
        let (key, place) = (truncated(item.place_key()), truncated(text));
        let is_first = item.form.is_none() && !item.has_base && item.reader.mistakes() == 0;
        let hint = if is_first && error == PlacePath::NO_POINTER {
            "; `form` is json by default, and Markdown is `text`"
        } else {
            ""
        };
        let message = format!("`{key}`: the field `{place}` {error}{hint}");
        item.reader.refuse(at, message);
    };
    read(text).map_err(refuse).ok()
}

fn paths_or(item: &TomlItem<'_>, expected: &str) -> Option<PlacePaths> {
    let one = |item: &TomlItem<'_>| {
        let read = |text: &str| PlacePath::read(text, item.form.unwrap_or_default());
        path(item, item.at(), item.text()?, read)
    };
    let paths = match item.value() {
        DeValue::String(_) => vec![one(item)?],
        DeValue::Array(_) => item.each(one)?,
        _ => return item.expected(expected),
    };
    if paths.is_empty() {
        return item.refuse("`at` needs a field");
    }
    Some(paths.into())
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
        let members = members.filter_map(|(kind, member)| Some((kind, member?)));
        let members: Vec<_> = members.collect();
        let key = truncated(item.place_key());
        let paths = match (self.at, self.each) {
            (Some(paths), None) if members.is_empty() => paths,
            (None, Some(paths)) if !members.is_empty() => paths,
            _ => {
                return item.refuse(format!(
                    "`{key}` needs either `at`, or `each` and the members that are taken"
                ));
            }
        };
        let looked_for =
            [("cites", RoleMember::Path, "path"), ("commits", RoleMember::Commit, "commit")];
        let lacks = |kind| !members.is_empty() && members.iter().all(|(it, _)| *it != kind);
        let mut looked_for = looked_for.iter();
        if let Some((_, _, name)) =
            looked_for.find(|(role, kind, _)| *role == item.key && lacks(*kind))
        {
            return item.refuse(format!("`{key}` needs `{name}`, the member that is looked for"));
        }
        Some(Place {
            paths,
            members: members.into(),
            expression: self.r#match,
            is_optional: self.optional || self.default.is_some(),
            default: self.default.map(|it| it.text),
            ..Place::BASE
        })
    }
}

impl FromToml for Place {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        if item.value().is_table() {
            return PlaceTable::read(item)?.place(item);
        }
        let paths = paths_or(item, "a field, an array of fields or a table")?;
        Some(Self { paths, ..Self::BASE })
    }

    fn schema(_: bool) -> SchemaNode {
        types::reference("#/$defs/field")
    }
}

/// The schema of a place: what that of [`Place`] refers to.
pub(super) fn place_schema() -> SchemaNode {
    let texts = SchemaNode::array(text());
    SchemaNode::any_of([text(), texts, PlaceTable::schema(false)])
}

toml_types! {
    PlacePaths = |item| paths_or(item, "a field or an array of fields"), OneOrMore::schema(false);
    PlacePath = |item| path(item, item.at(), item.text()?, Self::read_member), text();
    Expression = |item| item.read(|text| Self::new(text).map_err(|why| {
        format!("invalid expression `{}`: {}", truncated(text), truncated(&why))
    })), text();
    PathGlob = |item| item.read(|text| Self::new(text).map_err(|it| invalid_glob(text, &it))), text();
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
    Cow<'static, [(String, Place)]> = |item| {
        let Entries(entries) = Entries::read(item)?;
        let entries = entries.into_iter();
        Some(entries.map(|(name, place)| (name.to_string(), place)).collect())
    }, Entries::<Place>::schema(false);
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
        /// the files that its verdict is about
        covers: Option<Place>,
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
    Cow<'static, [AllowedWords]> = |item| {
        let all = by_place(item, VALUES, |place, words| {
            let name = truncated(place.as_str());
            words.is_empty().then(|| format!("`values`: `{name}` needs words"))
        })?;
        Some(all.into_iter().map(|(place, words)| AllowedWords { place, words }).collect())
    }, by_place_schema::<String>(VALUES);
    Cow<'static, [(Place, Vec<Place>)]> = |item| by_place(item, SUMS, |total, parts| match parts {
        [] => Some("`sums` needs the fields of the parts".to_owned()),
        parts if !parts.contains(total) => None,
        _ => Some("`sums`: a total cannot be a part of itself".to_owned()),
    }).map(Self::Owned), by_place_schema::<Place>(SUMS);
    Cow<'static, [Vec<Place>]> = |item| {
        if item.value().is_array() {
            let places = |item: &TomlItem<'_>| match Vec::read(item)? {
                places if places.len() < 2 => item.refuse("`same` needs at least two fields"),
                places => Some(places),
            };
            return item.each(places).map(Self::Owned);
        }
        let pair = |member: &TomlItem<'_>, name: &At<VisibleName>| {
            Some(vec![place_of_key(member, name)?, Place::read(member)?])
        };
        let Entries(pairs) = Entries::read_with(item, pair)?;
        Some(pairs.into_iter().map(|(_, pair)| pair).collect())
    }, SchemaNode::any_of([
        types::table_of(Place::schema(false)),
        SchemaNode::array(<Vec<Place>>::schema(false)),
    ]);
}

/// The keys of the tables for some places, and what they are.
type PlaceKeys = [(&'static str, &'static str); 2];

const VALUES: PlaceKeys = [("at", "field with the value"), ("words", "the words")];
const SUMS: PlaceKeys = [("total", "field with the sum"), ("of", "fields with the parts")];

fn place_of_key(member: &TomlItem<'_>, name: &At<VisibleName>) -> Option<Place> {
    let read = |text: &str| PlacePath::read(text, member.form.unwrap_or_default());
    path(member, name.at, name, read).map(Place::at)
}

/// What holds of some places: tables in a list, or a table with the places as keys. `wrong` says why something
/// cannot hold of a place.
fn by_place<T: FromToml>(
    item: &TomlItem<'_>,
    [(at, _), (of, _)]: PlaceKeys,
    wrong: impl Fn(&Place, &[T]) -> Option<String>,
) -> Option<Vec<(Place, Vec<T>)>> {
    let checked = |item: &TomlItem<'_>, place: Place, held: Vec<T>| match wrong(&place, &held) {
        Some(why) => item.refuse(why),
        None => Some((place, held)),
    };
    if !item.value().is_array() {
        let entry = |member: &TomlItem<'_>, name: &At<VisibleName>| {
            checked(member, place_of_key(member, name)?, Vec::read(member)?)
        };
        let Entries(entries) = Entries::read_with(item, entry)?;
        return Some(entries.into_iter().map(|(_, entry)| entry).collect());
    }
    item.each(|item| {
        let (mut place, mut held) = (None, Vec::new());
        all(item.members()?.iter().map(|member| match member.key {
            key if key == at => Place::read(member).map(|it| place = Some(it)),
            key if key == of => Vec::read(member).map(|it| held = it),
            _ => member.unknown([at, of].into_iter()),
        }))?;
        match place {
            Some(place) if !held.is_empty() => checked(item, place, held),
            _ => item.refuse(format!("`{}` needs `{at}` and `{of}`", item.place_key())),
        }
    })
}

fn by_place_schema<T: FromToml>([at, of]: PlaceKeys) -> SchemaNode {
    let held = <Vec<T>>::schema(false);
    let keys = [(at, Place::schema(false)), (of, held.clone())];
    let keys = keys.map(|((name, about), it)| (name, it.described(about)));
    SchemaNode::any_of([types::table_of(held), SchemaNode::array(types::table(keys))])
}

toml_table! {
    /// A number, and what it counts.
    CountTable {
        /// field with the number
        number: Option<Place>,
        /// field with the values, or with a list, that it counts
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
        /// field with the path of their folder
        r#in: Option<Place>,
        /// glob of their names
        glob: Option<PathGlob>,
    }
}

toml_types! {
    CountRule = |item| {
        let table = CountTable::read(item)?;
        let members = table.r#where.0.iter().map(|(name, value)| {
            let path = path(item, name.at, name, PlacePath::read_member)?;
            Some((path, value.clone()))
        });
        let members = members.collect::<Option<_>>()?;
        let counted = match (table.items, table.files) {
            (Some(place), None) => Some(CountedThings::Items { place, members }),
            (None, Some(CountedFiles { r#in: Some(folder), glob: Some(glob) })) => {
                Some(CountedThings::Files { folder, glob })
            }
            (None, Some(_)) => return item.refuse("`files` needs `in` and `glob`"),
            _ => None,
        };
        let rule = table.number.zip(counted).map(|(number, counted)| Self { number, counted });
        rule.or_else(|| item.refuse("`counts` needs `number`, and either `items` or `files`"))
    }, CountTable::schema(false);
    SchemaRule = |item| {
        let (place, file) = match item.value() {
            DeValue::String(_) => (None, At::read(item)?),
            DeValue::Table(_) => match SchemaTable::read(item)? {
                SchemaTable { at: Some(place), file: Some(file) } => (Some(place), file),
                _ => return item.refuse("`schema` needs `at` and `file`"),
            },
            _ => return item.expected("a text or a table"),
        };
        let file: At<String> = file;
        let read = item.reader.folder().and_then(|folder| Schema::read(&file, folder));
        let refuse = |why| item.reader.refuse(file.at, format!("`schema`: {why}"));
        let schema = Arc::new(read.map_err(refuse).ok()?);
        Some(Self { place, schema })
    }, SchemaNode::any_of([text(), SchemaTable::schema(false)]);
}

toml_table! {
    /// A schema, and the value that it is for.
    SchemaTable {
        /// field with the value
        at: Option<Place>,
        /// file with the JSON Schema
        file: Option<At<String>>,
    }
}
