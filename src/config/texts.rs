//! The types of the file that are read from a text, and the names that are shown unchanged.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use serde::de::{Deserializer, Error, Visitor};

use crate::check::rules::{RULES, Rule};
use crate::config::nodes::{Entries, TomlType, table_of, text};
use crate::schema::json_schema::SchemaNode;
use crate::text::suggest::unknown_name;
use crate::text::{escape, is_blank};

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
                    $crate::config::texts::read_text(from, $read)
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
