//! The types of the file: what serde reads, and the schema of it.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;

use serde::de::value::{
    Error as ValueError, MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer,
};
use serde::de::{
    Deserialize, Deserializer, Error, IntoDeserializer as _, MapAccess, SeqAccess, Visitor,
};
use toml::Spanned;

use crate::check::rules::{Level, RULES, Rule};
use crate::json_schema::{NodeMembers, Others, SchemaNode};
use crate::text::suggest::unknown_name;
use crate::text::{escape, is_blank};

/// A type that can be read from the file.
pub(super) trait TomlType {
    /// The schema of the values that it is read from.
    fn schema() -> SchemaNode;
}

/// Gives each type the schema of the values that it is read from.
macro_rules! toml_types {
    ($($type:ty => $schema:expr;)*) => {
        $(impl $crate::config::nodes::TomlType for $type {
            fn schema() -> $crate::json_schema::SchemaNode {
                $schema
            }
        })*
    };
}
pub(super) use toml_types;

/// Gives each enum of names the schema of its words.
macro_rules! toml_words {
    ($($type:ty),+) => {
        $crate::config::nodes::toml_types! {
            $($type => $crate::json_schema::SchemaNode::one_of(Self::ALL.map(Self::as_str));)+
        }
    };
}
pub(super) use toml_words;

/// Declares a table of the file. The text above a key is its description in the schema.
macro_rules! toml_table {
    ($(#[doc = $text:literal])+ $name:ident {
        $($(#[doc = $about:literal])+ $field:ident: $type:ty,)+
    }) => {
        $(#[doc = $text])+
        #[derive(Debug, Clone, Default, serde::Deserialize)]
        #[serde(default, rename_all = "kebab-case", deny_unknown_fields, expecting = "a table")]
        pub(super) struct $name {
            $($(#[doc = $about])+ pub(super) $field: $type,)+
        }

        $crate::config::nodes::toml_types! {
            $name => $crate::config::nodes::table([$((
                stringify!($field).trim_start_matches("r#").replace('_', "-"),
                <$type>::schema().described(concat!($($about),+).trim()),
            ),)+]);
        }
    };
}
pub(super) use toml_table;

/// A value, or the word `off`, which is none.
#[derive(Debug, Clone)]
pub(super) struct OrOff<T>(pub(super) Option<T>);

/// A list, or the word `any`, which is none.
#[derive(Debug, Clone)]
pub(super) struct OrAny<T>(pub(super) Option<T>);

/// Reads types that are a value, or a word.
macro_rules! or_word {
    ($($type:ident = $word:literal;)*) => {
        $(
            impl<'de, T: Deserialize<'de>> Deserialize<'de> for $type<T> {
                fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    from.deserialize_any(OrWord($word, PhantomData)).map(Self)
                }
            }

            impl<T: TomlType> TomlType for $type<T> {
                fn schema() -> SchemaNode {
                    SchemaNode::any_of([T::schema(), SchemaNode::one_of([$word])])
                }
            }
        )*
    };
}

or_word! {
    OrOff = "off";
    OrAny = "any";
}

impl<T: Default> Default for OrAny<T> {
    fn default() -> Self {
        Self(Some(T::default()))
    }
}

/// Reads a value, or a word, which is none.
struct OrWord<T>(&'static str, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OrWord<T> {
    type Value = Option<T>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\", a text, a number or an array", self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
        if text == self.0 {
            return Ok(None);
        }
        let text: StrDeserializer<'_, ValueError> = text.into_deserializer();
        let value = T::deserialize(text).map(Some);
        value.map_err(|error| match error.to_string() {
            of_type if of_type.starts_with("invalid type") => {
                E::custom(format_args!("{of_type} or \"{}\"", self.0))
            }
            other => E::custom(other),
        })
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        T::deserialize(number.into_deserializer()).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Option<T>, A::Error> {
        T::deserialize(SeqAccessDeserializer::new(items)).map(Some)
    }
}

/// A text, or a table.
#[derive(Debug, Clone)]
pub(super) enum TextOr<T> {
    Text(String),
    Table(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextOrVisitor(PhantomData))
    }
}

struct TextOrVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TextOrVisitor<T> {
    type Value = TextOr<T>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a text or a table")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TextOr<T>, E> {
        Ok(TextOr::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<TextOr<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table)).map(TextOr::Table)
    }
}

impl<T: TomlType> TomlType for TextOr<T> {
    fn schema() -> SchemaNode {
        SchemaNode::any_of([text(), T::schema()])
    }
}

/// A text, or several.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(untagged, expecting = "expected a text, or an array of texts")]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    pub(super) fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::More(texts) => texts,
        }
    }
}

toml_types! {
    OneOrMore => SchemaNode::any_of([String::schema(), <Vec<String>>::schema()]);
}

/// A table with keys that the user chooses, in the order of the file.
#[derive(Debug, Clone)]
pub(super) struct Entries<K, V>(pub(super) Vec<(Spanned<K>, V)>);

impl<K, V> Default for Entries<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Entries<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for EntriesVisitor<K, V> {
    type Value = Entries<K, V>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<Spanned<K>, V>()? {
            entries.push(entry);
        }
        entries.sort_by_key(|(key, _)| key.span().start);
        Ok(Entries(entries))
    }
}

impl<T: TomlType> TomlType for Spanned<T> {
    fn schema() -> SchemaNode {
        T::schema()
    }
}

impl<T: TomlType> TomlType for Option<T> {
    fn schema() -> SchemaNode {
        T::schema()
    }
}

impl<T: TomlType> TomlType for Vec<T> {
    fn schema() -> SchemaNode {
        SchemaNode::array(T::schema())
    }
}

impl<T: TomlType> TomlType for [T; 2] {
    fn schema() -> SchemaNode {
        SchemaNode {
            fewest: Some(2),
            most: Some(2),
            ..<Vec<T>>::schema()
        }
    }
}

/// Levels of rules. The definitions of the whole schema have the schema of this table.
impl<V> TomlType for Entries<&'static Rule, V> {
    fn schema() -> SchemaNode {
        SchemaNode {
            reference: Some("#/$defs/rules"),
            ..SchemaNode::default()
        }
    }
}

/// Reads a text into a type. If it is invalid, its own place is that of the error.
pub(super) fn read_text<'de, T, M: Display, D: Deserializer<'de>>(
    from: D,
    read: fn(&str) -> Result<T, M>,
) -> Result<T, D::Error> {
    struct TextVisitor<T, M>(fn(&str) -> Result<T, M>);

    impl<T, M: Display> Visitor<'_> for TextVisitor<T, M> {
        type Value = T;

        fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
            out.write_str("a string")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.0)(text).map_err(E::custom)
        }
    }

    from.deserialize_str(TextVisitor(read))
}

/// Reads each type from a text by a function, and gives it the schema of such texts.
macro_rules! toml_texts {
    ($($type:ty => $read:expr, $schema:expr;)*) => {
        $(
            impl<'de> serde::Deserialize<'de> for $type {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    $crate::config::nodes::read_text(from, $read)
                }
            }

            $crate::config::nodes::toml_types! { $type => $schema; }
        )*
    };
}
pub(super) use toml_texts;

/// A name or a text that is put into instructions and messages unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VisibleName(pub(super) String);

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

    pub(super) fn cow(&self) -> Cow<'static, str> {
        self.0.clone().into()
    }
}

impl AsRef<str> for VisibleName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

toml_texts! {
    VisibleName => VisibleName::parse, text();
    &'static Rule => |id| {
        let known = RULES.iter().map(|rule| rule.id);
        Rule::named(id).ok_or_else(|| unknown_name("rule", id, known))
    }, text();
}

impl<V: TomlType> TomlType for Entries<VisibleName, V> {
    fn schema() -> SchemaNode {
        table_of(V::schema())
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

/// A table with every rule, and the levels that the rule can have.
pub(super) fn rules() -> SchemaNode {
    table(RULES.iter().map(|rule| {
        let levels = Level::ALL.into_iter();
        let levels = levels.filter(|level| !rule.is_indispensable() || *level == Level::Error);
        let schema = SchemaNode::one_of(levels.map(Level::as_str));
        (rule.id.to_owned(), schema.described(rule.title()))
    }))
}
