//! The types of the file: how each is read, and the schema of what it is read from.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Deref;
use std::path::PathBuf;
use std::str::FromStr;

use globset::Glob;
use toml::de::DeValue;

use crate::config::reader::{At, TomlItem};
use crate::json_schema::{NodeMembers, Others, SchemaNode};
use crate::text::suggest::unknown_name;
use crate::text::{escape, is_blank};

/// A type that can be read from the file.
pub(super) trait FromToml: Sized {
    /// Reads a value. None if there is a mistake in it, which the reader then has.
    fn read(item: &TomlItem<'_>) -> Option<Self>;

    /// The schema of the values that it is read from. Some differ in a profile that extends another one.
    fn schema(has_base: bool) -> SchemaNode;
}

/// A key of a table.
pub(super) struct TableKey {
    /// The name of its field.
    pub(super) field: &'static str,
    /// Its description in the schema.
    pub(super) about: &'static str,
    /// Whether only profiles have it that extend another one, or only those that do not. None if both do.
    pub(super) needs_base: Option<bool>,
    pub(super) schema: fn(bool) -> SchemaNode,
}

impl TableKey {
    fn is_for(&self, has_base: bool) -> bool {
        self.needs_base.is_none_or(|needs| needs == has_base)
    }

    fn name(&self) -> String {
        self.field.trim_start_matches("r#").replace('_', "-")
    }
}

/// Reads the members of a table: `set` reads the one of a field. Returns whether there is no mistake in it.
pub(super) fn read_members(
    item: &TomlItem<'_>,
    keys: &[TableKey],
    mut set: impl FnMut(&str, &TomlItem<'_>) -> Option<()>,
) -> bool {
    let keys = keys.iter().filter(|key| key.is_for(item.has_base));
    let keys: Vec<_> = keys.map(|key| (key.name(), key.field)).collect();
    let Some(members) = item.members() else {
        return false;
    };
    let mut is_right = true;
    for member in members {
        let read = match keys.iter().find(|(name, _)| name == member.key) {
            Some((_, field)) => set(field, &member),
            None => member.unknown(keys.iter().map(|(name, _)| &**name)),
        };
        is_right &= read.is_some();
    }
    is_right
}

/// The schema of a table with these keys.
pub(super) fn schema_of(keys: &[TableKey], has_base: bool) -> SchemaNode {
    let keys = keys.iter().filter(|key| key.is_for(has_base));
    table(keys.map(|key| {
        (
            key.name(),
            (key.schema)(has_base).described(key.about.trim()),
        )
    }))
}

/// Declares a table of the file. The text above a key is its description in the schema. In front of a key,
/// `@extending` says that only a profile has it that extends another one, `@own` that only one that does not.
macro_rules! toml_table {
    ($(#[doc = $text:literal])+ $name:ident {
        $($(#[doc = $about:literal])+ $(@$only:ident)? $field:ident: $type:ty,)+
    }) => {
        $(#[doc = $text])+
        #[derive(Debug, Clone, Default)]
        pub(super) struct $name {
            $($(#[doc = $about])+ pub(super) $field: $type,)+
        }

        $crate::config::types::toml_keys! {
            $name { $($(#[doc = $about])+ $(@$only)? $field: $type,)+ }
        }
    };
}
pub(super) use toml_table;

/// Reads a type that is there from a table with these keys.
macro_rules! toml_keys {
    ($name:ident {
        $($(#[doc = $about:literal])+ $(@$only:ident)? $field:ident: $type:ty,)+
    }) => {
        impl $crate::config::types::TomlTable for $name {
            const KEYS: &[$crate::config::types::TableKey] = &[$($crate::config::types::TableKey {
                field: stringify!($field),
                about: concat!($($about),+),
                needs_base: $crate::config::types::toml_keys!(@only $($only)?),
                schema: <$type as $crate::config::types::FromToml>::schema,
            }),+];

            fn set(
                &mut self,
                field: &str,
                member: &$crate::config::reader::TomlItem<'_>,
            ) -> Option<()> {
                match field {
                    $(stringify!($field) => {
                        self.$field = $crate::config::types::FromToml::read(member)?;
                    })+
                    _ => {}
                }
                Some(())
            }
        }
    };
    (@only) => { None };
    (@only extending) => { Some(true) };
    (@only own) => { Some(false) };
}
pub(super) use toml_keys;

/// A type that is read from a table with known keys.
pub(super) trait TomlTable: Default {
    const KEYS: &[TableKey];

    /// Reads the member of a field.
    fn set(&mut self, field: &str, member: &TomlItem<'_>) -> Option<()>;

    /// Reads what has no mistake, and says whether that is all.
    fn read_partly(item: &TomlItem<'_>) -> (Self, bool) {
        let mut own = Self::default();
        let is_right = read_members(item, Self::KEYS, |field, member| own.set(field, member));
        (own, is_right)
    }
}

impl<T: TomlTable> FromToml for T {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let (own, is_right) = Self::read_partly(item);
        is_right.then_some(own)
    }

    fn schema(has_base: bool) -> SchemaNode {
        schema_of(Self::KEYS, has_base)
    }
}

/// How types are read that have one schema.
macro_rules! toml_types {
    ($($type:ty = $read:expr, $schema:expr;)*) => {
        $(impl $crate::config::types::FromToml for $type {
            fn read(item: &$crate::config::reader::TomlItem<'_>) -> Option<Self> {
                let read: fn(&$crate::config::reader::TomlItem<'_>) -> Option<Self> = $read;
                read(item)
            }

            fn schema(_: bool) -> $crate::json_schema::SchemaNode {
                $schema
            }
        })*
    };
}
pub(super) use toml_types;

/// Types that are read from one of their words.
macro_rules! toml_words {
    ($($type:ty),+) => {
        $crate::config::types::toml_types! {
            $($type = |item| {
                let word = $crate::config::types::word(item, &Self::ALL.map(Self::as_str))?;
                word.parse().ok()
            }, $crate::json_schema::SchemaNode::one_of(Self::ALL.map(Self::as_str));)+
        }
    };
}
pub(super) use toml_words;

/// One of these words, or an error.
pub(super) fn word<'w>(item: &TomlItem<'_>, words: &[&'w str]) -> Option<&'w str> {
    let Some(text) = item.value().as_str() else {
        return item.expected(&format!("one of `{}`", words.join("`, `")));
    };
    let known = words.iter().copied();
    let found = known.clone().find(|word| *word == text);
    found.or_else(|| item.invalid(unknown_name("value", text, known)))
}

toml_types! {
    String = |item| item.text().map(str::to_owned), text();
    PathBuf = |item| item.text().map(PathBuf::from), text();
    bool = |item| item.value().as_bool().or_else(|| item.expected("true or false")),
        SchemaNode::of_type("boolean");
    [String; 2] = |item| match Vec::read(item)?.try_into() {
        Ok(texts) => Some(texts),
        Err(_) => item.invalid("expected an array of two texts"),
    }, pair(text());
    u64 = |item| match item.number().map(u64::try_from) {
        Some(Ok(number)) => Some(number),
        Some(Err(_)) => {
            let number = item.number().unwrap_or_default();
            item.invalid(format_args!(
                "invalid value: integer `{number}`, expected an integer that is not negative"
            ))
        }
        None => item.expected("an integer that is not negative"),
    }, SchemaNode::of_type("integer");
}

/// The schema of a pair.
pub(super) fn pair(of: SchemaNode) -> SchemaNode {
    SchemaNode {
        fewest: Some(2),
        most: Some(2),
        ..SchemaNode::array(of)
    }
}

/// Reads a text by its own rules.
pub(super) fn parsed<T: FromStr>(item: &TomlItem<'_>) -> Option<T>
where
    T::Err: Display,
{
    match item.text()?.parse() {
        Ok(value) => Some(value),
        Err(error) => item.invalid(error),
    }
}

impl<T: FromToml> FromToml for Option<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        T::read(item).map(Some)
    }

    fn schema(has_base: bool) -> SchemaNode {
        T::schema(has_base)
    }
}

impl<T: FromToml> FromToml for At<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let at = item.at();
        T::read(item).map(|value| Self { at, value })
    }

    fn schema(has_base: bool) -> SchemaNode {
        T::schema(has_base)
    }
}

impl<T: FromToml> FromToml for Vec<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let items: Vec<_> = item.items()?.map(|item| T::read(&item)).collect();
        items.into_iter().collect()
    }

    fn schema(has_base: bool) -> SchemaNode {
        SchemaNode::array(T::schema(has_base))
    }
}

/// A value, or the word `off`, which is none.
#[derive(Debug, Clone)]
pub(super) struct OrOff<T>(pub(super) Option<T>);

/// A list, or the word `any`, which is none.
#[derive(Debug, Clone)]
pub(super) struct OrAny<T>(pub(super) Option<Vec<T>>);

impl<T> Default for OrAny<T> {
    fn default() -> Self {
        Self(Some(Vec::new()))
    }
}

/// Reads a value, or a word, which is none.
fn read_or<T: FromToml, W>(
    item: &TomlItem<'_>,
    word: &'static str,
    wrap: fn(Option<T>) -> W,
) -> Option<W> {
    match item.value() {
        DeValue::String(text) if text == word => Some(wrap(None)),
        DeValue::String(_) | DeValue::Integer(_) | DeValue::Array(_) => {
            let or = Some(word);
            T::read(&TomlItem { or, ..item.clone() }).map(|it| wrap(Some(it)))
        }
        _ => item.expected(&format!("\"{word}\", a text, a number or an array")),
    }
}

fn schema_or(value: SchemaNode, word: &str) -> SchemaNode {
    SchemaNode::any_of([value, SchemaNode::one_of([word])])
}

impl<T: FromToml> FromToml for OrOff<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        read_or(item, "off", Self)
    }

    fn schema(has_base: bool) -> SchemaNode {
        schema_or(T::schema(has_base), "off")
    }
}

impl<T: FromToml> FromToml for OrAny<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        read_or(item, "any", Self)
    }

    fn schema(has_base: bool) -> SchemaNode {
        schema_or(Vec::<T>::schema(has_base), "any")
    }
}

/// A text, or several.
#[derive(Debug, Clone)]
pub(super) struct OneOrMore(pub(super) Vec<String>);

toml_types! {
    OneOrMore = |item| {
        let texts = match item.value() {
            DeValue::String(text) => Some(vec![text.to_string()]),
            DeValue::Array(items) => items
                .iter()
                .map(|it| it.get_ref().as_str().map(str::to_owned))
                .collect(),
            _ => None,
        };
        let texts = texts.or_else(|| item.invalid("expected a text, or an array of texts"));
        texts.map(Self)
    }, SchemaNode::any_of([text(), SchemaNode::array(text())]);
}

/// A name or a text that is put into instructions and messages unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VisibleName(String);

impl VisibleName {
    /// Checks that people can read and write it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if is_blank(text) {
            return Err("a name must not be empty".to_owned());
        }
        if escape::full(text).to_string() != text {
            let text = escape::truncated(text);
            return Err(format!(
                "`{text}` has escapes for characters that output does not show as they are: leave them out"
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// The key of a member of a table.
    pub(super) fn of_key(table: &TomlItem<'_>, member: &TomlItem<'_>) -> Option<At<Self>> {
        let at = member.key_at;
        match Self::parse(member.key) {
            Ok(value) => Some(At { at, value }),
            Err(why) => table.invalid_key(at, why),
        }
    }

    pub(super) fn cow(&self) -> Cow<'static, str> {
        self.0.clone().into()
    }
}

impl Deref for VisibleName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

toml_types! {
    VisibleName = |item| match Self::parse(item.text()?) {
        Ok(name) => Some(name),
        Err(why) => item.invalid(why),
    }, text();
}

/// A table with keys that the user chooses, in the order of the file.
#[derive(Debug, Clone)]
pub(super) struct Entries<V>(pub(super) Vec<(At<VisibleName>, V)>);

impl<V> Default for Entries<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Deref for Entries<V> {
    type Target = [(At<VisibleName>, V)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<V: FromToml> FromToml for Entries<V> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let entry = |member: TomlItem<'_>| {
            let name = VisibleName::of_key(item, &member)?;
            Some((name, V::read(&member)?))
        };
        let entries: Vec<_> = item.members()?.into_iter().map(entry).collect();
        entries.into_iter().collect::<Option<_>>().map(Self)
    }

    fn schema(has_base: bool) -> SchemaNode {
        table_of(V::schema(has_base))
    }
}

/// A table with these keys and no others.
pub(super) fn table(members: impl IntoIterator<Item = (String, SchemaNode)>) -> SchemaNode {
    SchemaNode {
        properties: NodeMembers(members.into_iter().collect()),
        others: Some(Others::Allowed(false)),
        ..SchemaNode::of_type("object")
    }
}

/// A table with keys that the user names.
pub(super) fn table_of(values: SchemaNode) -> SchemaNode {
    SchemaNode {
        others: Some(Others::Like(Box::new(values))),
        ..SchemaNode::of_type("object")
    }
}

/// A text that is not blank.
pub(super) fn text() -> SchemaNode {
    matching(r"\S".to_owned())
}

/// A text that matches a regular expression.
pub(super) fn matching(pattern: String) -> SchemaNode {
    SchemaNode {
        pattern: Some(pattern),
        ..SchemaNode::of_type("string")
    }
}

pub(super) fn check_glob(text: &str) -> Result<String, String> {
    let glob = Glob::new(text).map(|_| text.to_owned());
    glob.map_err(|error| invalid_glob(text, &error))
}

/// The message about a text that is not a glob.
pub(super) fn invalid_glob(text: &str, error: &globset::Error) -> String {
    let (text, reason) = (escape::truncated(text), error.kind().to_string());
    format!("invalid glob `{text}`: {}", escape::truncated(&reason))
}
