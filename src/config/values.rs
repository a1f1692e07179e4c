//! The types that settings can have.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::config::age::{Age, AgeError};
use crate::config::nodes;
use crate::config::reader::TomlItem;
use crate::config::size::ByteSize;
use crate::config::{ConfigError, Setting};
use crate::evidence::EvidenceMode;
use crate::format::{Format, InvalidRuleUrl, RuleUrl};
use crate::schema::json_schema::SchemaNode;
use crate::text::{escape, names};

/// The value of a setting, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingValue {
    /// A string: a text, a path or a name.
    Text(String),
    /// On or off.
    Switch(bool),
    /// A number.
    Number(u64),
    /// A list.
    Texts(Vec<String>),
}

/// When to use color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorChoice {
    /// If the output is a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

names! { pub ColorChoice, "color choice" {
    Auto = "auto",
    Always = "always",
    Never = "never",
} }

/// A type that a setting can have.
pub(super) trait SettingType: Sized {
    fn read(item: &TomlItem<'_>, setting: &Setting) -> Result<Self, ConfigError>;

    /// The schema of what `read` accepts.
    fn schema(range: &Range<u64>) -> SchemaNode;

    fn value(&self) -> SettingValue;

    /// Makes a relative path relative to `folder`; other types do not change.
    fn resolve_path(&mut self, _folder: &Path) {}
}

impl SettingType for String {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.text().map(str::to_owned)
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        nodes::text()
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.clone())
    }
}

impl SettingType for PathBuf {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.text().map(Self::from)
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        nodes::text()
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.to_string_lossy().into_owned())
    }

    fn resolve_path(&mut self, folder: &Path) {
        *self = folder.join(&self);
    }
}

impl SettingType for bool {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.switch()
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        nodes::switch()
    }

    fn value(&self) -> SettingValue {
        SettingValue::Switch(*self)
    }
}

impl SettingType for u64 {
    fn read(item: &TomlItem<'_>, setting: &Setting) -> Result<Self, ConfigError> {
        item.number(setting.range.clone())
    }

    fn schema(range: &Range<u64>) -> SchemaNode {
        nodes::number(range)
    }

    fn value(&self) -> SettingValue {
        SettingValue::Number(*self)
    }
}

impl SettingType for ByteSize {
    fn read(item: &TomlItem<'_>, setting: &Setting) -> Result<Self, ConfigError> {
        item.size(setting.range.clone())
    }

    fn schema(range: &Range<u64>) -> SchemaNode {
        SchemaNode::any_of([nodes::number(range), nodes::matching(Self::pattern())])
    }

    fn value(&self) -> SettingValue {
        SettingValue::Number(self.bytes())
    }
}

/// Globs.
impl SettingType for Vec<String> {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.globs()
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        nodes::texts()
    }

    fn value(&self) -> SettingValue {
        SettingValue::Texts(self.clone())
    }
}

impl SettingType for Age {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        let text = item.text()?;
        text.parse()
            .map_err(|error: AgeError| item.error(error.to_string()))
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        nodes::matching(Self::pattern())
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.to_string())
    }
}

impl SettingType for Format {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.name(Self::ALL.map(Self::as_str))
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        SchemaNode::one_of(Self::ALL.map(Self::as_str))
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.as_str().to_owned())
    }
}

impl SettingType for RuleUrl {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        let text = item.text()?;
        let url = text.parse();
        url.map_err(|error: InvalidRuleUrl| {
            item.error(format!("`{}`: {error}", escape::truncated(text)))
        })
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        nodes::matching(Self::pattern())
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.to_string())
    }
}

impl SettingType for ColorChoice {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.name(Self::ALL.map(Self::as_str))
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        SchemaNode::one_of(Self::ALL.map(Self::as_str))
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.as_str().to_owned())
    }
}

impl SettingType for EvidenceMode {
    fn read(item: &TomlItem<'_>, _: &Setting) -> Result<Self, ConfigError> {
        item.name(Self::ALL.map(Self::as_str))
    }

    fn schema(_: &Range<u64>) -> SchemaNode {
        SchemaNode::one_of(Self::ALL.map(Self::as_str))
    }

    fn value(&self) -> SettingValue {
        SettingValue::Text(self.as_str().to_owned())
    }
}
