//! `retval.toml`: defaults of options, levels of rules, settings of some files, and custom profiles.
//!
//! [`SETTINGS`] lists the options that it can set. An unknown key is an error with its position and
//! the nearest known key. This module does not read from disk.

mod age;
mod agent_globs;
mod agents;
mod evidence;
mod hook_agents;
mod known;
mod limits;
mod nodes;
mod options;
mod overrides;
mod profile_keys;
mod profiles;
mod reader;
mod schema;
mod size;
mod statuses;
mod syntax;
mod values;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::sync::Arc;

use crate::profile::Profile;
use crate::rules::{Level, Rule};
use crate::text::Position;

pub use age::{Age, AgeError};
pub use hook_agents::AgentSettings;
use hook_agents::AgentTables;
pub use options::{SETTINGS, Section, Setting, SettingValues};
pub use overrides::{FileGlob, Override};
pub use schema::schema;
pub use size::{ByteSize, ByteSizeError};
pub use values::{ColorChoice, SettingValue};

use reader::{SourceText, TomlItem, TomlTable};

/// The file name of the configuration.
pub const FILE_NAME: &str = "retval.toml";

/// A configuration.
#[derive(Debug, Default)]
pub struct Config {
    values: SettingValues,
    /// The position of each value.
    positions: Vec<(&'static Setting, Position)>,
    rules: Vec<(&'static Rule, Given<Level>)>,
    overrides: Vec<Override>,
    profiles: Vec<CustomProfile>,
    hook_agents: AgentTables,
    test_runners: Vec<String>,
}

/// A value and its position.
#[derive(Debug, Clone)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// The position of the value in the configuration.
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

/// An error in a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}", at.line, at.column)]
pub struct ConfigError {
    /// Its position.
    pub at: Position,
    /// What is wrong and what is valid; safe to print.
    pub message: String,
}

/// All errors of a configuration, in the order of the text. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors(Vec<ConfigError>);

impl ConfigErrors {
    /// The errors.
    #[must_use]
    pub fn as_slice(&self) -> &[ConfigError] {
        &self.0
    }
}

/// One line for each error.
impl Display for ConfigErrors {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let before = if index == 0 { "" } else { "\n" };
            write!(out, "{before}{error}")?;
        }
        Ok(())
    }
}

impl Error for ConfigErrors {}

impl Config {
    /// Reads and checks a configuration.
    ///
    /// # Errors
    ///
    /// [`ConfigErrors`]: every place where the text is not TOML. If there is none, every invalid key and
    /// value.
    pub fn parse(text: &str) -> Result<Self, ConfigErrors> {
        let document = reader::document(text)?;
        let reader = SourceText::new(text);
        let top = TomlTable::of(&reader, document.get_ref());
        let mut config = Self::default();
        let mut own_profiles = Vec::new();
        for (key, place, value) in top.entries() {
            if let ("profiles", Ok(table)) = (key, value.table()) {
                own_profiles.extend(table.entries().map(|(id, ..)| id));
            }
            reader.keep(config.read(key, place, &value));
        }
        config.refuse_unknown_profiles(&reader, &own_profiles);
        reader.all_or(config)
    }

    /// Reads a key at the top of the file.
    fn read(
        &mut self,
        key: &str,
        place: Range<usize>,
        value: &TomlItem<'_>,
    ) -> Result<(), ConfigError> {
        match key {
            "rules" => self.rules = reader::levels(value.table()?),
            overrides::KEY => self.overrides = overrides::read(value)?,
            "profiles" => self.profiles = profiles::read(value.table()?),
            "profile" if value.is_table() => return Err(profiles::misspelt(value)?),
            "hook" => {
                for (key, place, value) in value.table()?.entries() {
                    value.keep(self.read_hook(key, place, &value));
                }
            }
            evidence::KEY if value.is_table() => {
                let set = |setting, item: &TomlItem<'_>| self.set(setting, item);
                self.test_runners = evidence::read(value, set)?;
            }
            _ => {
                let setting = options::find(value, Section::All, &schema::TABLES, key, place)?;
                self.set(setting, value)?;
            }
        }
        Ok(())
    }

    fn read_hook(
        &mut self,
        key: &str,
        place: Range<usize>,
        value: &TomlItem<'_>,
    ) -> Result<(), ConfigError> {
        let setting = options::find(value, Section::Hook, &[], key, place)?;
        if key == hook_agents::KEY && value.is_table() {
            self.hook_agents = hook_agents::read(value.table()?);
            Ok(())
        } else {
            self.set(setting, value)
        }
    }

    /// Rejects the name of a profile that does not exist, wherever a profile is set. `own` has the names
    /// of all profiles of the file, even of those that cannot be built.
    fn refuse_unknown_profiles(&self, reader: &SourceText<'_>, own: &[&str]) {
        let refuse = |values: &SettingValues,
                      positions: &[(&'static Setting, Position)],
                      offers_auto: bool| {
            let mut positions = positions.iter();
            let position = positions.find(|(setting, _)| setting.name == "profile");
            let (Some(name), Some((_, at))) = (&values.profile, position) else {
                return;
            };
            let known = options::profile_names().chain(own.iter().copied());
            if known.clone().all(|known| known != name) {
                let offered = known.filter(|known| offers_auto || *known != options::AUTO);
                let message = reader::unknown_name("profile", name, offered);
                reader.keep::<()>(Err(ConfigError { at: *at, message }));
            }
        };
        refuse(&self.values, &self.positions, true);
        // A final message has no file name that could select the profile.
        for agents in self.hook_agents.all() {
            refuse(agents.values(), agents.positions(), false);
        }
        for own in &self.overrides {
            refuse(own.values(), own.positions(), true);
        }
    }

    fn set(&mut self, setting: &'static Setting, item: &TomlItem<'_>) -> Result<(), ConfigError> {
        setting.read(&mut self.values, item)?;
        self.positions.push((setting, item.position()));
        Ok(())
    }

    /// The values of settings.
    #[must_use]
    pub fn values(&self) -> &SettingValues {
        &self.values
    }

    /// The position of the value of a setting, if the configuration sets it.
    #[must_use]
    pub fn position(&self, setting: &Setting) -> Option<Position> {
        let mut positions = self.positions.iter();
        let found = positions.find(|(known, _)| std::ptr::eq(*known, setting))?;
        Some(found.1)
    }

    /// Levels of rules, for all profiles that do not set their own.
    #[must_use]
    pub fn rules(&self) -> &[(&'static Rule, Given<Level>)] {
        &self.rules
    }

    /// Settings for some files, in the order of the text: a later one takes precedence.
    #[must_use]
    pub fn overrides(&self) -> &[Override] {
        &self.overrides
    }

    /// The custom profiles, in the order of the text.
    #[must_use]
    pub fn profiles(&self) -> &[CustomProfile] {
        &self.profiles
    }

    /// Commands that run tests, besides the known ones.
    #[must_use]
    pub fn test_runners(&self) -> &[String] {
        &self.test_runners
    }

    /// Settings of the hook for some agents, in the order of the text.
    #[must_use]
    pub fn hook_agents(&self) -> &[AgentSettings] {
        self.hook_agents.all()
    }

    /// The settings of the hook for an agent of that name: the first ones whose glob matches.
    #[must_use]
    pub fn hook_agent(&self, name: &str) -> Option<&AgentSettings> {
        self.hook_agents.find(name)
    }
}
