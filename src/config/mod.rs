//! `retval.toml`: defaults of options, levels of rules, settings of some files, and custom profiles.
//!
//! [`SETTINGS`] lists the options that it can set. An unknown key is an error with its position and
//! the nearest known key. Of the disk it reads only the files that a standard names, below one folder.

mod build;
mod extend;
mod places;
mod profile_table;
mod profiles;
mod reader;
mod schema;
mod scopes;
mod settings;
mod types;
mod units;
mod written;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;

use crate::check::rules::{Level, Rule};
use crate::profile::Profile;
use crate::text::Position;
use crate::text::suggest::unknown_name;

pub(crate) use schema::schema;
pub(crate) use scopes::{AgentSettings, Override};
pub(crate) use settings::{
    ColorChoice, SETTINGS, Section, Setting, SettingTable, SettingValue, SettingValues,
};
pub(crate) use units::{Age, ByteSize, TimePoint};
pub(crate) use written::{key, quoted};

use reader::{Reader, TomlItem};

/// The file name of the configuration.
pub(crate) const FILE_NAME: &str = "retval.toml";

/// A configuration.
#[derive(Debug, Default)]
pub struct Config {
    /// The settings.
    pub(crate) settings: SettingTable,
    /// Levels of rules, for all profiles that do not set their own.
    pub(crate) rules: Vec<(&'static Rule, Level)>,
    /// Settings for some files, in the order of the text: a later one takes precedence.
    pub(crate) overrides: Vec<Override>,
    /// The custom profiles, in the order of the text.
    pub profiles: Vec<CustomProfile>,
    /// Settings of the hook for some agents, in the order of the text.
    pub(crate) hook_agents: Vec<AgentSettings>,
    /// Commands that run tests, besides the known ones.
    pub(crate) test_runners: Vec<String>,
}

/// A custom profile.
#[derive(Debug, Clone)]
pub struct CustomProfile {
    /// The profile.
    pub profile: Arc<Profile>,
    /// The levels that it sets, and those of the custom profiles that it extends.
    pub(crate) levels: Vec<(&'static Rule, Level)>,
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
    /// [`ConfigErrors`]: every line where the text is not TOML. If there is none, the invalid keys and
    /// values.
    ///
    /// ```
    /// use retval::Config;
    ///
    /// let text = "
    /// [profiles.plan]
    /// extends = 'return'
    /// statuses = { planned = 'success' }
    /// required = ['ticket']
    /// files = ['plan-*.json']
    /// ";
    /// let config = Config::parse(text)?;
    /// assert_eq!(config.profiles[0].profile.id, "plan");
    /// let error = Config::parse("strit = true").unwrap_err();
    /// assert_eq!(error.to_string(), "1:1: unknown key `strit`; did you mean `strict`?");
    /// # Ok::<(), retval::ConfigErrors>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ConfigErrors> {
        Self::read_all(&Reader::new(text, None))
    }

    /// Reads and checks a configuration, and the files below `folder` that it names. [`Self::parse`]
    /// refuses to read files.
    ///
    /// # Errors
    ///
    /// As [`Self::parse`]; what is wrong with a file is an error at its name.
    pub fn parse_in(text: &str, folder: &Path) -> Result<Self, ConfigErrors> {
        Self::read_all(&Reader::new(text, Some(folder)))
    }

    fn read_all(reader: &Reader<'_>) -> Result<Self, ConfigErrors> {
        let document = reader.document()?;
        let table = document.get_ref();
        for (key, value) in table {
            reader.refuse_blanks(key.get_ref(), value);
        }
        let (mut config, mut own_profiles) = (Self::default(), Vec::new());
        let settings = Section::All.settings();
        let others = ["rules", scopes::OVERRIDES, "profiles", "hook"];
        let tables = ["profile", scopes::EVIDENCE];
        let items = reader.items(table);
        for item in &config.settings.read(items, &settings, &others, &tables) {
            match item.key {
                "rules" => config.rules = scopes::levels(item).unwrap_or_default(),
                scopes::OVERRIDES => config.overrides = scopes::overrides(item).unwrap_or_default(),
                "profiles" => {
                    let Some(table) = item.table() else { continue };
                    let items = reader.items(table).into_iter();
                    own_profiles.extend(items.map(|item| item.key.to_owned()));
                    config.profiles = profiles::read(reader, table);
                }
                "profile" => profiles::misspelt(item),
                "hook" => config.read_hook(item),
                _ => config.read_evidence(item),
            }
        }
        config.refuse_unknown_profiles(reader, &own_profiles);
        reader.all_or(config)
    }

    fn read_hook(&mut self, item: &TomlItem<'_>) {
        let Some(table) = item.table() else { return };
        let (items, settings) = (item.reader.items(table), Section::Hook.settings());
        for item in self.settings.read(items, &settings, &[], &[scopes::AGENTS]) {
            self.hook_agents = scopes::agents(&item).unwrap_or_default();
        }
    }

    fn read_evidence(&mut self, item: &TomlItem<'_>) {
        for item in item.members().unwrap_or_default() {
            match (item.key, Setting::named(scopes::EVIDENCE)) {
                (scopes::MODE, Some(setting)) => self.settings.set(setting, &item),
                (scopes::RUNNERS, _) => {
                    self.test_runners = scopes::test_runners(&item).unwrap_or_default();
                }
                _ => {
                    item.unknown::<()>([scopes::MODE, scopes::RUNNERS].into_iter());
                }
            }
        }
    }

    /// Rejects the name of a profile that does not exist, wherever a profile is set. `own` has the names
    /// of all profiles of the file, even of those that cannot be built.
    fn refuse_unknown_profiles(&self, reader: &Reader<'_>, own: &[String]) {
        let refuse = |settings: &SettingTable, offers_auto: bool| {
            let at = Setting::named("profile").and_then(|it| settings.position(it));
            let (Some(name), Some(at)) = (&settings.values.profile, at) else {
                return;
            };
            let known = settings::profile_names().chain(own.iter().map(String::as_str));
            if known.clone().all(|known| known != name) {
                let offered = known.filter(|known| offers_auto || *known != settings::AUTO);
                reader.refuse(at.offset, unknown_name("profile", name, offered));
            }
        };
        refuse(&self.settings, true);
        // A final message has no file name that could select the profile.
        self.hook_agents
            .iter()
            .for_each(|own| refuse(&own.settings, false));
        self.overrides
            .iter()
            .for_each(|own| refuse(&own.settings, true));
    }

    /// The settings of the hook for an agent of that name: the first ones whose glob matches.
    #[must_use]
    pub(crate) fn hook_agent(&self, name: &str) -> Option<&AgentSettings> {
        self.hook_agents.iter().find(|own| own.is_of(name))
    }
}
