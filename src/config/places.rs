//! The fields of a profile of one's own: where each is, and what must be true of its value.

use std::borrow::Cow;
use std::sync::Arc;

use toml::de::DeValue;

use crate::config::keys::{self, FromToml, Keys, TomlTable};
use crate::config::reader::{At, TomlItem, all};
use crate::config::types::{self, Entries, OneOrMore, VisibleName, glob, text, toml_types};
use crate::json_schema::SchemaNode;
use crate::profile::{
    AllowedWords, CountRule, CountedThings, Expression, PathGlob, Place, PlacePath, RoleMember,
    Roles, Schema, SchemaRule, WantedText,
};
use crate::text::escape::truncated;

/// A name or a pointer.
fn path(
    at: usize,
    item: &TomlItem<'_>,
    text: &str,
    read: impl FnOnce(&str) -> Result<PlacePath, String>,
) -> Option<PlacePath> {
    let refuse = |why: String| {
        let (key, place) = (truncated(item.key), truncated(text));
        item.reader.refuse(at, format!("`{key}`: the field `{place}` {why}"));
    };
    read(text).map_err(refuse).ok()
}

type PlacePaths = Cow<'static, [PlacePath]>;

/// Several ways to a value.
struct Paths(PlacePaths);

/// The way to a member.
struct MemberPath(PlacePath);

/// A place with more than a name or a pointer.
struct PlaceTable(Place);

impl TomlTable for PlaceTable {
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self> {
        let at: Option<Paths> = keys.get("at", "the field, or several");
        let about = "field with objects or rows, whose members are taken";
        let each: Option<Paths> = keys.get("each", about);
        let mut members = Vec::new();
        for (kind, key, about) in [
            (RoleMember::Path, "path", "member with the path of a file, by name or pointer"),
            (RoleMember::Line, "line", "member with the line of a cite"),
            (RoleMember::Quote, "quote", "member with the text that a cite quotes"),
            (RoleMember::Commit, "commit", "member with the id of a commit"),
        ] {
            members.extend(keys.get(key, about).map(|MemberPath(path)| (kind, path)));
        }
        let mut place = Place::BASE;
        keys.set("match", "regular expression whose group value is taken", &mut place.expression);
        let default: Option<WantedText> = keys.get("default", "value if there is none");
        keys.set("optional", "whether the value may be missing", &mut place.is_optional);
        place.is_optional |= default.is_some();
        place.default = default.map(|it| it.text);
        place.paths = match (at, each) {
            (Some(Paths(paths)), None) if members.is_empty() => paths,
            (None, Some(Paths(paths))) if !members.is_empty() => paths,
            _ => {
                return keys.refuse("needs either `at`, or `each` and the members that are taken");
            }
        };
        place.members = members.into();
        Some(Self(place))
    }
}

/// The schema of a place: what that of [`Place`] refers to.
pub(super) fn place_schema() -> SchemaNode {
    SchemaNode::any_of([text(), SchemaNode::array(text()), PlaceTable::schema()])
}

toml_types! {
    Place = |item| match item.value() {
        DeValue::Table(_) => PlaceTable::read(item).map(|it| it.0),
        _ => Paths::read(item).map(|Paths(paths)| Self { paths, ..Self::BASE }),
    }, types::reference("#/$defs/field");
    Paths = |item| {
        let one = |item: &TomlItem<'_>| {
            path(item.at(), item, item.text()?, |text| PlacePath::read(text, item.form))
        };
        let paths = item.one_or_each(one)?;
        if paths.is_empty() { item.invalid("needs a field") } else { Some(Self(paths.into())) }
    }, OneOrMore::schema();
    MemberPath = |item| path(item.at(), item, item.text()?, PlacePath::read_member).map(Self), text();
    Expression = |item| item.read(|text| Self::new(text).map_err(|why| {
        format!("invalid expression `{}`: {}", truncated(text), truncated(&why))
    })), text();
    PathGlob = |item| item.read(|text| glob(text, Self::new)), text();
    WantedText = |item| {
        let text = match item.value() {
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(switch) => switch.to_string(),
            _ => item.text()?.to_owned(),
        };
        Some(Self { text, is_text: item.value().is_str() })
    }, SchemaNode::any_of(["string", "number", "boolean"].map(SchemaNode::of_type));
}

/// Reads where each field is that the steps look at.
pub(super) fn roles(keys: &mut Keys<'_>, roles: &mut Roles) {
    keys.set("status", "the status", &mut roles.status);
    keys.set("session", "the session id", &mut roles.session);
    keys.set("agent", "the name of the agent", &mut roles.agent);
    keys.set("summary", "the summary", &mut roles.summary);
    keys.set("artifacts", "the files that the agent wrote", &mut roles.artifacts);
    keys.set("files", "files that must be there, whoever wrote them", &mut roles.files);
    keys.set("covers", "the files that its verdict is about", &mut roles.covers);
    keys.set("changed", "the files that the agent changed", &mut roles.changed);
    keys.set("cites", "lines of files that it cites", &mut roles.cites);
    keys.set("commits", "its commits", &mut roles.commits);
    keys.set("tests", "the tests that it ran", &mut roles.tests);
    let given = keys.get("given", "values that must be those of --given, by name");
    let Entries::<Place>(given) = given.unwrap_or_default();
    roles.given = given.into_iter().map(|(name, place)| (name.to_string(), place)).collect();
}

/// Values with places as keys.
fn by_place<V: FromToml>(item: &TomlItem<'_>) -> Option<Vec<(Place, V)>> {
    let Entries(entries) = Entries::<V>::read(item)?;
    let pair = |(name, value): (At<VisibleName>, V)| {
        let read = |text: &str| PlacePath::read(text, item.form);
        Some((Place::at(path(name.at, item, &name, read)?), value))
    };
    all(entries.into_iter().map(pair))
}

/// The same of lists, or tables in a list.
fn lists_by_place<T: FromToml>(
    item: &TomlItem<'_>,
    names: [&'static str; 2],
) -> Option<Vec<(Place, Vec<T>)>> {
    let pairs = if item.value().is_array() {
        item.each(|item| Keys::read(item, |keys| pair(keys, names)).flatten())?
    } else {
        by_place(item)?
    };
    let is_empty = pairs.iter().any(|it: &(_, Vec<T>)| it.1.is_empty());
    if is_empty { item.invalid("a list must not be empty") } else { Some(pairs) }
}

fn pair<T: FromToml>(keys: &mut Keys<'_>, [at, of]: [&'static str; 2]) -> Option<(Place, Vec<T>)> {
    let (place, held) = (keys.get(at, "the field"), keys.get(of, "the words, or the fields"));
    place.zip(held).or_else(|| keys.refuse(format!("needs `{at}` and `{of}`")))
}

fn by_place_schema<T: FromToml>(names: [&'static str; 2]) -> SchemaNode {
    let tables = SchemaNode::array(Keys::schema(|keys| pair::<T>(keys, names)));
    SchemaNode::any_of([keys::table_of(<Vec<T>>::schema()), tables])
}

/// Lists of fields with one value.
pub(super) struct SameFields(pub(super) Vec<Vec<Place>>);

const VALUES: [&str; 2] = ["at", "words"];
const SUMS: [&str; 2] = ["total", "of"];

toml_types! {
    Cow<'static, [AllowedWords]> = |item| {
        let all = lists_by_place(item, VALUES)?.into_iter();
        Some(all.map(|(place, words)| AllowedWords { place, words }).collect())
    }, by_place_schema::<String>(VALUES);
    Cow<'static, [(Place, Vec<Place>)]> = |item| lists_by_place(item, SUMS).map(Self::Owned),
        by_place_schema::<Place>(SUMS);
    SameFields = |item| {
        let groups = if item.value().is_array() {
            <Vec<Vec<Place>>>::read(item)?
        } else {
            let pairs = by_place::<Place>(item)?.into_iter();
            pairs.map(|(place, other)| vec![place, other]).collect()
        };
        let is_one = |it: &Vec<Place>| it.len() < 2;
        if groups.iter().any(is_one) { item.invalid("needs two fields") } else { Some(Self(groups)) }
    }, SchemaNode::any_of([
        keys::table_of(Place::schema()),
        SchemaNode::array(<Vec<Place>>::schema()),
    ]);
}

impl TomlTable for CountRule {
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self> {
        let number = keys.get("number", "field with the number");
        let about = "field with the values, or with a list, that it counts";
        let place: Option<Place> = keys.get("items", about);
        let mut members = Vec::new();
        let about = "members that an object must have to count, by name or pointer";
        if let Some(Entries(all)) = keys.get::<Entries<WantedText>>("where", about) {
            for (name, value) in all {
                match PlacePath::read_member(&name) {
                    Ok(path) => members.push((path, value)),
                    Err(why) => keys.refuse_at(name.at, format!("`where`: the field {why}")),
                }
            }
        }
        let (mut folder, mut glob) = (None, None);
        keys.table("files", "the files that it counts", |keys| {
            folder = keys.get("in", "field with the path of their folder");
            glob = keys.get("glob", "glob of their names");
        });
        let counted = match (place, folder, glob) {
            (Some(place), None, None) => Some(CountedThings::Items { place, members }),
            (None, Some(folder), Some(glob)) => Some(CountedThings::Files { folder, glob }),
            _ => None,
        };
        let rule = number.zip(counted).map(|(number, counted)| Self { number, counted });
        let needs = "needs `number`, and either `items`, or `files` with `in` and `glob`";
        rule.or_else(|| keys.refuse(needs))
    }
}

/// A schema, and the value that it is for.
struct SchemaTable(Place, At<String>);

impl TomlTable for SchemaTable {
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self> {
        let place = keys.get("at", "field with the value");
        let both = place.zip(keys.get("file", "file with the JSON Schema"));
        let both = both.map(|(place, file)| Self(place, file));
        both.or_else(|| keys.refuse("needs `at` and `file`"))
    }
}

toml_types! {
    SchemaRule = |item| {
        let (place, file) = if item.value().is_table() {
            SchemaTable::read(item).map(|SchemaTable(place, file)| (Some(place), file))?
        } else {
            (None, <At<String>>::read(item)?)
        };
        let read = item.reader.folder().and_then(|folder| Schema::read(&file, folder));
        let refuse = |why| item.reader.refuse(file.at, format!("`schema`: {why}"));
        Some(Self { place, schema: Arc::new(read.map_err(refuse).ok()?) })
    }, SchemaNode::any_of([text(), SchemaTable::schema()]);
}
