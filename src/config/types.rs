//! The types of the file: how each is read, and the schema of what it is read from.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use globset::Glob;

use crate::config::keys::{FromToml, table_of};
use crate::config::reader::{At, TomlItem, all};
use crate::json_schema::SchemaNode;
use crate::text::suggest::unknown_name;
use crate::text::{escape, is_blank};

/// How types are read.
macro_rules! toml_types {
    ($($type:ty = $read:expr, $schema:expr;)*) => {
        $(impl $crate::config::keys::FromToml for $type {
            fn read(item: &$crate::config::reader::TomlItem<'_>) -> Option<Self> {
                let read: fn(&$crate::config::reader::TomlItem<'_>) -> Option<Self> = $read;
                read(item)
            }

            fn schema() -> $crate::json_schema::SchemaNode {
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
    let one_of = || item.expected(&format!("one of `{}`", words.join("`, `")));
    let text = item.value().as_str().or_else(one_of)?;
    let mut known = words.iter().copied();
    let unknown = unknown_name("value", text, known.clone());
    known.find(|word| *word == text).or_else(|| item.invalid(unknown))
}

/// Reads a text by its own rules.
pub(super) fn parsed<T: FromStr<Err: Display>>(item: &TomlItem<'_>) -> Option<T> {
    item.read(|text| text.parse().map_err(|error: T::Err| error.to_string()))
}

/// The most of what is counted.
const COUNT_AT_MOST: u64 = 1_000_000_000;

toml_types! {
    String = parsed, text();
    PathBuf = parsed, text();
    bool = |item| item.value().as_bool().or_else(|| item.expected("true or false")),
        SchemaNode::of_type("boolean");
    u64 = |item| item.number(&(0..u64::MAX)), SchemaNode::of_type("integer");
    usize = |item| item.number(&(1..COUNT_AT_MOST + 1))?.try_into().ok(), SchemaNode {
        minimum: Some(1),
        maximum: Some(COUNT_AT_MOST),
        ..SchemaNode::of_type("integer")
    };
    (usize, usize) = |item| match Vec::read(item)?[..] {
        [fewest, most] if fewest <= most => Some((fewest, most)),
        _ => item.invalid("expected the fewest and the most, such as [2, 5]"),
    }, pair(usize::schema());
    [String; 2] = |item| {
        let texts = Vec::read(item)?.try_into().ok();
        texts.or_else(|| item.invalid("expected an array of two texts"))
    }, pair(text());
    OneOrMore = |item| item.one_or_each(String::read).map(Self),
        SchemaNode::any_of([text(), SchemaNode::array(text())]);
    VisibleName = |item| item.read(visible_name), text();
}

impl<T: FromToml> FromToml for Option<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        T::read(item).map(Some)
    }

    fn schema() -> SchemaNode {
        T::schema()
    }
}

impl<T: FromToml> FromToml for At<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let at = item.at();
        T::read(item).map(|value| Self { at, value })
    }

    fn schema() -> SchemaNode {
        T::schema()
    }
}

impl<T: FromToml> FromToml for Vec<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        item.each(T::read)
    }

    fn schema() -> SchemaNode {
        SchemaNode::array(T::schema())
    }
}

impl<T: FromToml + Clone + 'static> FromToml for Cow<'static, [T]> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        Vec::read(item).map(Self::Owned)
    }

    fn schema() -> SchemaNode {
        <Vec<T>>::schema()
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
pub(super) struct Entries<V>(pub(super) Vec<(At<VisibleName>, V)>);

impl<V> Default for Entries<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V: FromToml> FromToml for Entries<V> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let entry = |member: TomlItem<'_>| {
            let name = visible_name(member.key);
            let value = name.map_or_else(|why| member.refuse_key(why), Some)?;
            Some((At { at: member.key_at, value }, V::read(&member)?))
        };
        all(item.members()?.into_iter().map(entry)).map(Self)
    }

    fn schema() -> SchemaNode {
        table_of(V::schema())
    }
}

/// A reference to a schema that is written once.
pub(super) fn reference(to: &'static str) -> SchemaNode {
    SchemaNode { reference: Some(to), ..SchemaNode::default() }
}

fn pair(of: SchemaNode) -> SchemaNode {
    SchemaNode { fewest: Some(2), most: Some(2), ..SchemaNode::array(of) }
}

pub(super) fn text() -> SchemaNode {
    SchemaNode { pattern: Some(r"\S".to_owned()), ..SchemaNode::of_type("string") }
}

/// What `read` makes of a glob.
pub(super) fn glob<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, globset::Error>,
) -> Result<T, String> {
    /// Most bytes of a glob, which takes much more when it is compiled.
    const BYTES_AT_MOST: usize = 1_000;
    if text.len() > BYTES_AT_MOST {
        return Err(format!("a glob has at most {BYTES_AT_MOST} bytes"));
    }
    read(text).map_err(|error| {
        let (text, reason) = (escape::truncated(text), error.kind().to_string());
        format!("invalid glob `{text}`: {}", escape::truncated(&reason))
    })
}

/// The texts of globs.
#[derive(Debug, Clone)]
pub(crate) struct GlobTexts(pub(crate) Vec<String>);

toml_types! {
    GlobTexts = |item| {
        let text = |text: &str| glob(text, |it| Glob::new(it).map(|_| it.to_owned()));
        item.each(|item| item.read(text)).map(Self)
    }, <Vec<String>>::schema();
}
