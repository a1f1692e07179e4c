//! The types that settings can have.

use std::path::{Path, PathBuf};

use serde::de::value::{Error as ValueError, StringDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, IntoDeserializer as _};

use crate::check::rules::{Level, Strictness};
use crate::config::nodes::{self, TomlType, toml_texts, toml_types, toml_words};
use crate::config::reader::{ReadError, TomlItem, check_glob};
use crate::config::{Age, ByteSize, ByteSizeError, RootEntry, TimePoint};
use crate::document::Form;
use crate::evidence::EvidenceMode;
use crate::format::{Format, RuleUrl};
use crate::json_schema::SchemaNode;
use crate::profile::Action;
use crate::text::{escape, names};

/// The value of a setting, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SettingValue {
    /// A string: a text, a path or a name.
    Text(String),
    /// On or off.
    Switch(bool),
    /// A number.
    Number(u64),
    /// A list.
    Texts(Vec<String>),
}

names! {
    /// When to use color.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(crate) enum ColorChoice: "color choice" {
        /// If the output is a terminal, unless the environment says otherwise.
        #[default]
        Auto = "auto",
        /// Always.
        Always = "always",
        /// Never.
        Never = "never",
    }
}

/// A type that a setting can have.
pub(super) trait SettingType: TomlType + DeserializeOwned {
    fn read(item: &TomlItem<'_>) -> Result<Self, ReadError> {
        item.read()
    }

    /// Reads the text of an environment variable. None if the setting has another type.
    fn read_variable(text: String) -> Option<Self> {
        let text: StringDeserializer<ValueError> = text.into_deserializer();
        Self::deserialize(text).ok()
    }

    fn value(&self) -> SettingValue;

    /// Makes a relative path relative to `folder`; other types do not change.
    fn resolve_path(&mut self, _folder: &Path) {}
}

impl SettingType for u64 {
    fn read_variable(text: String) -> Option<Self> {
        text.parse().ok()
    }

    fn value(&self) -> SettingValue {
        SettingValue::Number(*self)
    }
}

impl SettingType for bool {
    fn read_variable(text: String) -> Option<Self> {
        text.parse().ok()
    }

    fn value(&self) -> SettingValue {
        SettingValue::Switch(*self)
    }
}

/// Globs.
impl SettingType for Vec<String> {
    fn read(item: &TomlItem<'_>) -> Result<Self, ReadError> {
        item.texts(check_glob)
    }

    fn value(&self) -> SettingValue {
        SettingValue::Texts(self.clone())
    }
}

impl SettingType for PathBuf {
    fn value(&self) -> SettingValue {
        SettingValue::Text(self.to_string_lossy().into_owned())
    }

    fn resolve_path(&mut self, folder: &Path) {
        *self = folder.join(&self);
    }
}

/// Says what is displayed of each type.
macro_rules! setting_types {
    ($($type:ty => |$it:ident| $value:expr;)*) => {
        $(impl SettingType for $type {
            fn value(&self) -> SettingValue {
                let $it = self;
                $value
            }
        })*
    };
}

setting_types! {
    String => |it| SettingValue::Text(it.clone());
    ByteSize => |it| SettingValue::Number(it.bytes());
    Age => |it| SettingValue::Text(it.to_string());
    TimePoint => |it| SettingValue::Text(it.to_string());
    RootEntry => |it| SettingValue::Text(it.to_string());
    RuleUrl => |it| SettingValue::Text(it.to_string());
    Format => |it| SettingValue::Text(it.as_str().to_owned());
    ColorChoice => |it| SettingValue::Text(it.as_str().to_owned());
    EvidenceMode => |it| SettingValue::Text(it.as_str().to_owned());
    Strictness => |it| match it {
        Strictness::Required => SettingValue::Text(Strictness::REQUIRED.to_owned()),
        _ => SettingValue::Switch(*it == Strictness::All),
    };
}

toml_types! {
    String => nodes::text();
    PathBuf => nodes::text();
    bool => SchemaNode::of_type("boolean");
    Strictness => SchemaNode::any_of([bool::schema(), SchemaNode::one_of([Self::REQUIRED])]);
    u64 => SchemaNode::of_type("integer");
    ByteSize => SchemaNode::any_of([u64::schema(), nodes::matching(Self::pattern())]);
}

toml_words!(Form, Format, ColorChoice, EvidenceMode, Action, Level);

toml_texts! {
    Age => str::parse, nodes::matching(Self::pattern());
    TimePoint => str::parse, nodes::text();
    RootEntry => str::parse, nodes::text();
    RuleUrl => |text| text.parse().map_err(|error: String| {
        format!("`{}`: {error}", escape::truncated(text))
    }), nodes::matching(Self::pattern());
}

/// What a size is read from.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(from) {
            Ok(NumberOrText::Number(bytes)) => Ok(bytes.into()),
            Ok(NumberOrText::Text(text)) => text.parse().map_err(D::Error::custom),
            Err(_) => Err(D::Error::custom(ByteSizeError)),
        }
    }
}
