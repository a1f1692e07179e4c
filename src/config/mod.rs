//! `retval.toml`: defaults of options, levels of rules, and custom profiles.
//!
//! [`SETTINGS`] lists the options that it can set. An unknown key is an error that names its place
//! and the nearest known key. Nothing is read from disk here.

mod limits;
mod options;
mod profile_keys;
mod profiles;
mod reader;

use std::sync::Arc;

use crate::profile::Profile;
use crate::rules::{Level, Rule};
use crate::text::Position;

pub use options::{SETTINGS, Section, Setting, SettingKind, SettingValue};

use reader::{SourceText, TomlTable};

/// The name that is looked for.
pub const FILE_NAME: &str = "retval.toml";

/// A configuration.
#[derive(Debug, Default)]
pub struct Config {
    values: Vec<(&'static Setting, Given<SettingValue>)>,
    rules: Vec<(&'static Rule, Given<Level>)>,
    profiles: Vec<CustomProfile>,
}

/// A value and its place.
#[derive(Debug, Clone)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// The place of the value in the configuration.
    pub at: Position,
}

/// A custom profile.
#[derive(Debug, Clone)]
pub struct CustomProfile {
    /// The profile.
    pub profile: Arc<Profile>,
    /// The name of the profile that it extends.
    pub extends: String,
    /// The levels that it sets, and those of the custom profiles that it extends.
    pub levels: Vec<(&'static Rule, Level)>,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}", at.line, at.column)]
pub struct ConfigError {
    /// Where.
    pub at: Position,
    /// What is wrong and what would be right; safe to print.
    pub message: String,
}

impl Config {
    /// Reads and checks a configuration.
    ///
    /// # Errors
    ///
    /// The first mistake: text that is not TOML, or a key or value that is not valid.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let document = reader::document(text)?;
        let reader = SourceText::new(text);
        let top = TomlTable::of(&reader, document.get_ref());
        let mut config = Self::default();
        for (key, place, value) in top.entries() {
            match key {
                "rules" => config.rules = reader::levels(value.table()?)?,
                "profiles" => config.profiles = profiles::read(value.table()?)?,
                "hook" => {
                    for (key, place, value) in value.table()?.entries() {
                        let setting = options::find(&reader, Section::Hook, key, place)?;
                        config.values.push((setting, setting.read(&value)?));
                    }
                }
                _ => {
                    let setting = options::find(&reader, Section::All, key, place)?;
                    config.values.push((setting, setting.read(&value)?));
                }
            }
        }
        config.refuse_unknown_profile()?;
        Ok(config)
    }

    /// The profile that is the default must be one.
    fn refuse_unknown_profile(&self) -> Result<(), ConfigError> {
        let given = Setting::named("profile").and_then(|profile| self.value(profile));
        let Some((SettingValue::Text(name), at)) = given.map(|given| (&given.value, given.at))
        else {
            return Ok(());
        };
        let own = self.profiles.iter().map(|own| &*own.profile.id);
        let known = options::profile_names().chain(own);
        if known.clone().any(|known| known == name) {
            return Ok(());
        }
        let message = reader::unknown_name("profile", name, known);
        Err(ConfigError { at, message })
    }

    /// The value of a setting.
    #[must_use]
    pub fn value(&self, setting: &'static Setting) -> Option<&Given<SettingValue>> {
        let mut values = self.values.iter();
        let found = values.find(|(known, _)| std::ptr::eq(*known, setting))?;
        Some(&found.1)
    }

    /// Levels of rules, in all profiles that do not set their own.
    #[must_use]
    pub fn rules(&self) -> &[(&'static Rule, Given<Level>)] {
        &self.rules
    }

    /// The custom profiles, in the order of the text.
    #[must_use]
    pub fn profiles(&self) -> &[CustomProfile] {
        &self.profiles
    }
}
