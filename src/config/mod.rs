//! `retval.toml`: defaults of options, levels of rules, settings of some files, and custom profiles.
//!
//! [`SETTINGS`] lists the options that it can set. An unknown key is an error with its position and
//! the nearest known key. Of the disk it reads only the files that a profile names, below one folder.

mod keys;
mod places;
mod profile_keys;
mod profiles;
mod reader;
mod scopes;
mod settings;
mod types;
mod units;

use std::path::Path;
use std::sync::Arc;

use crate::check::rules::{Level, Rule};
use crate::json_schema::{DRAFT_2020_12, SchemaNode};
use crate::profile::Profile;
use crate::text::Position;
use crate::text::suggest::unknown_name;

pub(crate) use scopes::{AgentSettings, Override};
pub(crate) use settings::{
    ColorChoice, ReceiptMode, SETTINGS, Setting, SettingTable, SettingValues, key, quoted,
};
pub(crate) use types::GlobTexts;
pub(crate) use units::{Age, ByteSize, TimePoint};

use keys::Keys;
use profiles::ProfileTables;
use reader::{Reader, TomlItem};
use scopes::{Agents, RuleLevels, TestRunners};

/// The file name of the configuration.
pub(crate) const FILE_NAME: &str = "retval.toml";

/// A configuration.
#[derive(Debug, Default)]
pub struct Config {
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.lines())]
pub struct ConfigErrors(Vec<ConfigError>);

impl ConfigErrors {
    /// The errors.
    #[must_use]
    pub fn as_slice(&self) -> &[ConfigError] {
        &self.0
    }

    fn lines(&self) -> String {
        let lines: Vec<_> = self.0.iter().map(ConfigError::to_string).collect();
        lines.join("\n")
    }
}

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
        let whole = TomlItem::new(reader, "", &document);
        let config = Keys::read(&whole, Self::read_keys).unwrap_or_default();
        config.refuse_unknown_profiles(reader, &whole);
        reader.all_or(config)
    }

    fn read_keys(keys: &mut Keys<'_>) -> Self {
        let mut own = Self::default();
        if let Some(RuleLevels(rules)) = keys.get("rules", "levels of rules") {
            own.rules = rules;
        }
        let about = "settings for some files; a later table takes precedence";
        keys.set("overrides", about, &mut own.overrides);
        if let Some(ProfileTables(profiles)) = keys.get("profiles", "profiles of your own") {
            own.profiles = profiles;
        }
        keys.table("hook", "settings of the hook", |keys| {
            if keys.has_table("agents")
                && let Some(Agents(agents)) = keys.get("agents", "settings for some agents")
            {
                own.hook_agents = agents;
            }
            keys.settings(Setting::of("hook"), &mut own.settings);
        });
        if keys.has_table("evidence") {
            keys.table("evidence", "what counts as evidence", |keys| {
                if let Some(mode) = Setting::named("evidence") {
                    keys.setting("mode", mode, &mut own.settings);
                }
                let about = "commands that run tests, besides the known ones, such as `just check`";
                if let Some(TestRunners(runners)) = keys.get("test-runners", about) {
                    own.test_runners = runners;
                }
            });
        }
        keys.settings(Setting::of(""), &mut own.settings);
        own
    }

    /// Rejects the name of a profile that does not exist, wherever a profile is set.
    fn refuse_unknown_profiles(&self, reader: &Reader<'_>, whole: &TomlItem<'_>) {
        let own = whole.find("profiles").and_then(|it| it.members()).unwrap_or_default();
        let of_agents = self.hook_agents.iter().map(|own| &own.settings);
        let of_files = self.overrides.iter().map(|own| &own.settings);
        for settings in [&self.settings].into_iter().chain(of_agents).chain(of_files) {
            let at = Setting::named("profile").and_then(|it| settings.find(it));
            let (Some(name), Some((at, _))) = (&settings.values.profile, at) else {
                continue;
            };
            let known = settings::profile_names().chain(own.iter().map(|it| it.key));
            if known.clone().all(|known| known != name) {
                reader.refuse(at.offset, unknown_name("profile", name, known));
            }
        }
    }
}

/// The JSON Schema of a configuration, in draft 2020-12, made of the keys that are read. It accepts what
/// [`Config::parse`] accepts. It cannot express everything, for example that a glob is valid.
pub(crate) fn schema() -> SchemaNode {
    let definitions = [("rules", scopes::rules_schema()), ("field", places::place_schema())];
    SchemaNode {
        draft: Some(DRAFT_2020_12),
        title: Some("retval: configuration".to_owned()),
        definitions: keys::table(definitions).properties,
        ..Keys::schema(Config::read_keys)
    }
}
