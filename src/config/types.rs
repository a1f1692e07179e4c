//! The types of the file: how each is read, and the schema of what it is read from.

use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::str::FromStr;

use globset::Glob;
use toml::de::DeValue;

use crate::config::Setting;
use crate::config::reader::{At, TomlItem, all};
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

/// A key of a table that is read into this type.
pub(super) struct TableKey<T> {
    pub(super) field: &'static str,
    pub(super) about: &'static str,
    /// Whether only profiles have it that extend another one, or only those that do not. None if both do.
    pub(super) needs_base: Option<bool>,
    pub(super) schema: fn(bool) -> SchemaNode,
    /// Reads a member into it.
    pub(super) set: fn(&mut T, &TomlItem<'_>) -> Option<()>,
}

/// A table with known keys.
pub(super) trait TomlTable: 'static {
    /// What they are read into.
    type Own: 'static;

    const KEYS: &'static [TableKey<Self::Own>];

    /// The settings that it can have besides.
    fn settings() -> Vec<&'static Setting> {
        Vec::new()
    }

    /// Reads a member that is one of them.
    fn set(_: &mut Self::Own, _: &'static Setting, _: &TomlItem<'_>) {}

    /// The names of the keys, and the keys.
    fn keys(has_base: bool) -> Vec<(String, &'static TableKey<Self::Own>)> {
        let keys = Self::KEYS.iter();
        let keys = keys.filter(|key| key.needs_base.is_none_or(|needs| needs == has_base));
        let name = |key: &TableKey<_>| key.field.trim_start_matches("r#").replace('_', "-");
        keys.map(|key| (name(key), key)).collect()
    }

    /// Reads the members of a table, in the order of the keys. None if there is a mistake in one of them.
    fn read_into(own: &mut Self::Own, item: &TomlItem<'_>) -> Option<()> {
        let (keys, settings) = (Self::keys(item.has_base), Self::settings());
        // The key of a table with settings is not shown.
        let mut members = if settings.is_empty() { item.members()? } else { item.section()? };
        let is_own = |it: &TomlItem<'_>| keys.iter().any(|(name, _)| name == it.key);
        let setting = |it: &TomlItem<'_>| {
            // A table can stand in place of one.
            let is_table = it.value().is_table() && is_own(it);
            settings.iter().find(|known| known.key() == it.key && !is_table)
        };
        members.retain(|it| match setting(it) {
            Some(setting) => {
                Self::set(own, setting, it);
                false
            }
            None => true,
        });
        let names = keys.iter().map(|(name, _)| &**name);
        let names = names.filter(|name| settings.iter().all(|it| it.key() != *name));
        let names = names.chain(settings.iter().map(|it| it.key()));
        let unknown = members.iter().filter(|it| !is_own(it));
        let unknown = all(unknown.map(|it| it.unknown::<()>(names.clone())));
        let set = |(name, key): &(String, &TableKey<_>)| {
            let member = members.iter().find(|it| it.key == *name)?;
            Some((key.set)(own, member))
        };
        let read = all(keys.iter().filter_map(set));
        unknown.and(read).map(drop)
    }

    fn table_schema(has_base: bool) -> SchemaNode {
        let keys = Self::keys(has_base).into_iter();
        let schema = |key: &TableKey<_>| (key.schema)(has_base).described(key.about.trim());
        let mut members: Vec<_> = keys.map(|(name, key)| (name, schema(key))).collect();
        for (name, mut schema) in Self::settings().into_iter().map(Setting::member) {
            if let Some((_, own)) = members.iter_mut().find(|it| it.0 == name) {
                let about = schema.description.take().unwrap_or_default();
                *own = SchemaNode::any_of([schema, own.clone()]).described(about);
            } else {
                members.push((name.to_owned(), schema));
            }
        }
        table(members)
    }
}

impl<T: TomlTable<Own = T> + Default> FromToml for T {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let mut own = Self::default();
        Self::read_into(&mut own, item)?;
        Some(own)
    }

    fn schema(has_base: bool) -> SchemaNode {
        Self::table_schema(has_base)
    }
}

/// A table that is read into something that is there.
pub(super) struct Nested<T>(PhantomData<T>);

impl<T: TomlTable> FromToml for Nested<T> {
    fn read(_: &TomlItem<'_>) -> Option<Self> {
        Some(Self(PhantomData))
    }

    fn schema(has_base: bool) -> SchemaNode {
        T::table_schema(has_base)
    }
}

/// Declares a table of the file, with keys as in [`toml_keys`].
macro_rules! toml_table {
    ($(#[doc = $text:literal])+ $name:ident {
        $($(#[doc = $about:literal])+ $field:ident: $type:ty,)+
    }) => {
        $(#[doc = $text])+
        #[derive(Default)]
        pub(super) struct $name {
            $($(#[doc = $about])+ pub(super) $field: $type,)+
        }

        $crate::config::types::toml_keys! {
            $name { $($(#[doc = $about])+ $field: $type,)+ }
        }
    };
}
pub(super) use toml_table;

/// The keys of the table that a type is read from, or that is read into another type. The text above a key is its description in the schema. In front
/// of a key, `@extending` says that only a profile has it that extends another one, `@own` that only one that does
/// not. What follows `=>` is done with the value and its item; without it the value is that of a field. Behind the names
/// of these can be settings that the table has besides, and what they are read into.
macro_rules! toml_keys {
    ($name:ident {$($keys:tt)+}) => {
        $crate::config::types::toml_keys! { $name for $name (own, value, item) {$($keys)+} }
    };
    ($name:ident for $into:ident (
        $own:ident, $value:ident, $item:ident $(; $settings:expr => $table:expr)?
    ) {
        $($(#[doc = $about:literal])+ $(@$only:ident)? $field:ident: $type:ty $(=> $set:expr)?,)+
    }) => {
        $crate::config::types::toml_keys! { @keys $name $into [$own, $value, $item]
            [$(fn settings() -> Vec<&'static $crate::config::Setting> {
                $settings
            }

            fn set(
                $own: &mut $into,
                setting: &'static $crate::config::Setting,
                item: &$crate::config::reader::TomlItem<'_>,
            ) {
                $table.set(setting, item);
            })?]
            $({ [$($only)?] $(#[doc = $about])+ $field: $type, [$($set)?] })+ }
    };
    (@keys $name:ident $into:ident $names:tt [$($settings:tt)*]
        $({ $only:tt $(#[doc = $about:literal])+ $field:ident: $type:ty, $set:tt })+) => {
        impl $crate::config::types::TomlTable for $name {
            type Own = $into;

            const KEYS: &'static [$crate::config::types::TableKey<$into>] =
                &[$($crate::config::types::TableKey {
                    field: stringify!($field),
                    about: concat!($($about),+),
                    needs_base: $crate::config::types::toml_keys!(@only $only),
                    schema: <$type as $crate::config::types::FromToml>::schema,
                    set: $crate::config::types::toml_keys!(@set $names $field: $type, $set),
                }),+];

            $($settings)*
        }
    };
    (@only []) => { None };
    (@only [extending]) => { Some(true) };
    (@only [own]) => { Some(false) };
    (@set $names:tt $field:ident: $type:ty, []) => {
        |own, item| {
            own.$field = <$type as $crate::config::types::FromToml>::read(item)?;
            Some(())
        }
    };
    (@set [$own:ident, $value:ident, $item:ident] $field:ident: $type:ty, [$set:expr]) => {
        |$own, $item| {
            let $value = <$type as $crate::config::types::FromToml>::read($item)?;
            let _ = (&*$own, &$value, $item);
            $set;
            Some(())
        }
    };
}
pub(super) use toml_keys;

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

pub(super) fn word<'w>(item: &TomlItem<'_>, words: &[&'w str]) -> Option<&'w str> {
    let Some(text) = item.value().as_str() else {
        return item.expected(&format!("one of `{}`", words.join("`, `")));
    };
    let mut known = words.iter().copied();
    let unknown = unknown_name("value", text, known.clone());
    let found = known.find(|word| *word == text);
    found.or_else(|| item.invalid(unknown))
}

/// Reads a text by its own rules.
pub(super) fn parsed<T: FromStr<Err: Display>>(item: &TomlItem<'_>) -> Option<T> {
    let read = item.text()?.parse();
    read.map_or_else(|error| item.invalid(error), Some)
}

toml_types! {
    String = parsed, text();
    PathBuf = parsed, text();
    bool = |item| item.value().as_bool().or_else(|| item.expected("true or false")),
        SchemaNode::of_type("boolean");
    u64 = |item| match item.number() {
        None => item.expected("an integer that is not negative"),
        Some(number) => number.try_into().ok().or_else(|| item.invalid(format_args!(
            "invalid value: integer `{number}`, expected an integer that is not negative"
        ))),
    }, SchemaNode::of_type("integer");
    [String; 2] = |item| {
        let texts = Vec::read(item)?.try_into().ok();
        texts.or_else(|| item.invalid("expected an array of two texts"))
    }, pair(text());
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
    VisibleName = |item| {
        let name = visible_name(item.text()?);
        name.map_or_else(|why| item.invalid(why), Some)
    }, text();
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
        item.each(T::read)
    }

    fn schema(has_base: bool) -> SchemaNode {
        SchemaNode::array(T::schema(has_base))
    }
}

/// A value, or a word, which is none.
pub(super) struct OrWord<T, const IS_ANY: bool>(pub(super) Option<T>);

pub(super) type OrOff<T> = OrWord<T, false>;

pub(super) type OrAny<T> = OrWord<Vec<T>, true>;

impl<T, const IS_ANY: bool> OrWord<T, IS_ANY> {
    const WORD: &str = if IS_ANY { "any" } else { "off" };
}

impl<T: FromToml, const IS_ANY: bool> FromToml for OrWord<T, IS_ANY> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        if item.value().as_str() == Some(Self::WORD) {
            return Some(Self(None));
        }
        let mut item = item.clone();
        item.or = Some(Self::WORD);
        T::read(&item).map(|it| Self(Some(it)))
    }

    fn schema(has_base: bool) -> SchemaNode {
        SchemaNode::any_of([T::schema(has_base), SchemaNode::one_of([Self::WORD])])
    }
}

pub(super) struct OneOrMore(pub(super) Vec<String>);

/// A name or a text that is put into instructions and messages unchanged.
pub(super) type VisibleName = Cow<'static, str>;

/// Checks that people can read and write a name.
pub(super) fn visible_name(text: &str) -> Result<VisibleName, String> {
    if is_blank(text) {
        return Err("a name must not be empty".to_owned());
    }
    if escape::full(text).to_string() != text {
        let text = escape::truncated(text);
        return Err(format!(
            "`{text}` has escapes for characters that output does not show as they are: leave them out"
        ));
    }
    Ok(text.to_owned().into())
}

/// A table with keys that the user chooses, in the order of the file.
#[derive(Default)]
pub(super) struct Entries<V>(pub(super) Vec<(At<VisibleName>, V)>);

impl<V> Entries<V> {
    /// Reads the value under each key.
    pub(super) fn read_with(
        item: &TomlItem<'_>,
        read: impl Fn(&TomlItem<'_>, &At<VisibleName>) -> Option<V>,
    ) -> Option<Self> {
        let entry = |member: TomlItem<'_>| {
            let at = member.key_at;
            let name = visible_name(member.key);
            let value = name.map_or_else(|why| item.invalid_key(at, why), Some)?;
            let name = At { at, value };
            let value = read(&member, &name)?;
            Some((name, value))
        };
        all(item.members()?.into_iter().map(entry)).map(Self)
    }
}

impl<V: FromToml> FromToml for Entries<V> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        Self::read_with(item, |member, _| V::read(member))
    }

    fn schema(has_base: bool) -> SchemaNode {
        table_of(V::schema(has_base))
    }
}

pub(super) fn table<K: Into<String>>(
    members: impl IntoIterator<Item = (K, SchemaNode)>,
) -> SchemaNode {
    let members = members.into_iter().map(|(key, it)| (key.into(), it));
    SchemaNode {
        properties: NodeMembers(members.collect()),
        others: Some(Others::Allowed(false)),
        ..SchemaNode::of_type("object")
    }
}

pub(super) fn table_of(values: SchemaNode) -> SchemaNode {
    SchemaNode { others: Some(Others::like(values)), ..SchemaNode::of_type("object") }
}

/// A reference to a schema that is written once.
pub(super) fn reference(to: &'static str) -> SchemaNode {
    SchemaNode { reference: Some(to), ..SchemaNode::default() }
}

pub(super) fn pair(of: SchemaNode) -> SchemaNode {
    SchemaNode { fewest: Some(2), most: Some(2), ..SchemaNode::array(of) }
}

pub(super) fn text() -> SchemaNode {
    matching(r"\S".to_owned())
}

pub(super) fn matching(pattern: String) -> SchemaNode {
    SchemaNode { pattern: Some(pattern), ..SchemaNode::of_type("string") }
}

pub(super) fn check_glob(text: &str) -> Result<String, String> {
    let glob = Glob::new(text).map(|_| text.to_owned());
    glob.map_err(|error| invalid_glob(text, &error))
}

pub(super) fn invalid_glob(text: &str, error: &globset::Error) -> String {
    let (text, reason) = (escape::truncated(text), error.kind().to_string());
    format!("invalid glob `{text}`: {}", escape::truncated(&reason))
}
