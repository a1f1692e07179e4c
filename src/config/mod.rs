//! `retval.toml`: defaults of options, levels of rules, and profiles of one's own.
//!
//! What may stand in it is listed in [`SETTINGS`] and in the keys of a profile; whatever else does
//! is an error that names its place and the nearest key. Nothing is read from disk here.

mod limits;
mod merge;
mod options;
mod patch;
mod profiles;
mod reader;

use crate::profile::Profile;
use crate::rules::{Level, Rule};
use crate::text::Position;

pub use options::{SETTINGS, Section, Setting, SettingKind, SettingValue};

use patch::ProfilePatch;
use reader::{SourceText, TomlTable};

/// The name that is looked for.
pub const FILE_NAME: &str = "retval.toml";

/// What a configuration says.
#[derive(Debug, Default)]
pub struct Config {
    values: Vec<(&'static Setting, Given<SettingValue>)>,
    rules: Vec<(&'static Rule, Given<Level>)>,
    drafts: Vec<ProfilePatch>,
}

/// A value and where it stands.
#[derive(Debug, Clone)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// The place of the value in the configuration.
    pub at: Position,
}

/// A profile of one's own.
#[derive(Debug)]
pub struct CustomProfile {
    /// The profile, which lives as long as the program.
    pub profile: &'static Profile,
    /// The profile that it extends.
    pub extends: String,
    /// Globs of the file names that speak for it.
    pub files: Vec<String>,
    /// Rules whose level it sets itself.
    pub rules: Vec<(&'static Rule, Level)>,
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
    /// Reads a configuration and holds it against itself.
    ///
    /// # Errors
    ///
    /// The first place that is not TOML, or that cannot be meant.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let document = reader::document(text)?;
        let reader = SourceText::new(text);
        let top = TomlTable::of(&reader, document.get_ref());
        let mut config = Self::default();
        for (key, place, value) in top.entries() {
            match key {
                "rules" => config.rules = reader::levels(value.table()?)?,
                "profiles" => config.drafts = profiles::read(value.table()?)?,
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
        profiles::hold(&reader, &config.drafts)?;
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
        let own = self.drafts.iter().map(|draft| draft.id.as_str());
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

    /// Takes out the profiles of one's own. They are never freed: they live as long as the program,
    /// which reads its configuration once.
    #[must_use]
    pub fn take_profiles(&mut self) -> Vec<CustomProfile> {
        profiles::make(&std::mem::take(&mut self.drafts))
    }
}
