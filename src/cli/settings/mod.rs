//! The settings of a run: those of the configuration file, and of the environment, which takes precedence
//! over it.
//!
//! A command parses its arguments and combines them with the settings once, into a struct of plain
//! values (`CheckOptions`, `HookOptions`). Other code does not read the settings.

pub(crate) mod checker;
mod file;
pub(crate) mod overrides;
mod profiles;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};

use crate::Position;
use crate::cli::args::ConfigArgs;
use crate::cli::files::{is_lasting, target};
use crate::config::{AgentSettings, Config, SETTINGS, Setting, SettingTable, SettingValues};
use crate::text::{escape, is_blank};
use file::{find_upwards, read};

pub(crate) use profiles::{refuse_any, refuse_uninstructed};

#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) file: Option<PathBuf>,
    /// The folder that the paths and globs of the configuration file are relative to.
    pub(crate) folder: Option<PathBuf>,
    /// Whether the file was found, not named. Somebody else may have written it.
    is_found: bool,
    pub(crate) config: Arc<Config>,
    /// The values of the environment, or those of the file where the environment sets none.
    pub(crate) values: SettingValues,
    /// What the environment sets.
    variables: SettingTable,
    /// The settings that the command line or the agent's own table sets.
    given: Vec<&'static Setting>,
}

/// The source of a value.
pub(crate) enum SettingSource {
    Variable(&'static str),
    File(Position),
    Default,
}

impl Settings {
    pub(crate) fn load(args: &ConfigArgs) -> anyhow::Result<Self> {
        Self::load_of(args, None)
    }

    /// The settings that apply in another folder. Its options may have been written by someone other
    /// than the person who runs this command, so only regular files are read.
    pub(crate) fn load_for_others(args: &ConfigArgs, folder: &Path) -> anyhow::Result<Self> {
        Self::load_of(args, Some(folder))
    }

    /// Loads the settings that apply in a folder, or in the current folder if it is None.
    fn load_of(args: &ConfigArgs, folder: Option<&Path>) -> anyhow::Result<Self> {
        let at = folder.unwrap_or(Path::new(""));
        // The person who runs the command chose it.
        let is_own = folder.is_none() && args.config.is_some();
        let file = match &args.config {
            Some(path) => Some(at.join(path)),
            None if args.no_config => None,
            None => find_upwards(folder)?,
        };
        // A file that was found, not named, is a regular file.
        let is_passing = |path: &PathBuf| args.config.is_some() && !is_lasting(path);
        let folder = file.as_ref().map(|path| match path.parent() {
            Some(folder) if !is_passing(path) => folder.to_owned(),
            _ => at.to_owned(),
        });
        let file = file.zip(folder);
        let config = match &file {
            Some((file, folder)) => read(file, folder, is_own)?,
            None => Config::default(),
        };
        let settings = Self::new(file, config, |name| std::env::var_os(name))?;
        Ok(Self { is_found: args.config.is_none(), ..settings })
    }

    /// The settings of an environment, and of a configuration file if there is one. `file` is its path
    /// and the folder that its paths are relative to.
    pub(crate) fn new(
        file: Option<(PathBuf, PathBuf)>,
        config: Config,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> anyhow::Result<Self> {
        let mut values = config.settings.values.clone();
        let (file, folder) = file.unzip();
        if let Some(folder) = &folder {
            values.resolve_paths(folder);
        }
        let mut variables = SettingTable::default();
        for setting in &SETTINGS {
            let Some(name) = setting.variable else {
                continue;
            };
            let Some(text) = environment(name) else {
                continue;
            };
            let Ok(text) = text.into_string() else {
                bail!("the environment variable {name} is not UTF-8");
            };
            // A variable without visible characters sets nothing.
            if !is_blank(&text) {
                let set = variables.set_variable(setting, &text);
                set.map_err(|error| anyhow!("the environment variable {name}: {error}"))?;
            }
        }
        values.overlay(&variables.values);
        Ok(Self {
            file,
            folder,
            is_found: false,
            config: Arc::new(config),
            values,
            variables,
            given: Vec::new(),
        })
    }

    /// Records which settings the command line sets.
    pub(crate) fn given<const N: usize>(mut self, settings: [(&str, bool); N]) -> Self {
        let given = settings.into_iter().filter(|(_, is_given)| *is_given);
        (self.given).extend(given.filter_map(|(name, _)| Setting::named(name)));
        self
    }

    /// The path of an output: the one of the command line, or the value of this setting.
    pub(crate) fn output(
        &self,
        given: Option<PathBuf>,
        name: &str,
        value: Option<PathBuf>,
    ) -> anyhow::Result<Option<PathBuf>> {
        if let (true, None, Some(path)) = (self.is_found, &given, &value)
            && let (Some(file), Some(folder)) = (&self.file, &self.folder)
            && let Some((at, _)) = Setting::named(name).and_then(|it| self.config.settings.find(it))
            && !target(path).starts_with(target(&folder.join(".")))
        {
            let file = escape::path(file);
            bail!(
                "{file}:{}:{}: `{name}` leads out of the folder of this file: only a file that \
                 --config names may do that",
                at.line,
                at.column
            );
        }
        Ok(given.or(value))
    }

    /// The root: the one of the command line, or the value of its setting, or the folder of the file if
    /// that was found, or the current folder.
    pub(crate) fn root(&self, given: Option<PathBuf>) -> PathBuf {
        let of_file = self.folder.clone().filter(|_| self.is_found);
        let root = given.or_else(|| self.values.root.clone()).or(of_file);
        root.filter(|root| !root.as_os_str().is_empty()).unwrap_or_else(|| ".".into())
    }

    /// Whether a setting takes precedence over the overrides of the configuration file.
    fn is_decided(&self, setting: &'static Setting) -> bool {
        let mut given = self.given.iter();
        self.variables.find(setting).is_some() || given.any(|it| std::ptr::eq(*it, setting))
    }

    /// The hook settings for an agent: the first table whose glob matches its name.
    pub(crate) fn hook_agent(&self, agent: &str) -> Option<&AgentSettings> {
        self.config.hook_agents.iter().find(|own| own.glob.is_match(agent))
    }

    /// These settings for the returns of one agent, or of the one that they name.
    pub(crate) fn for_agent(self, agent: Option<&str>) -> Self {
        let agent = agent.or(self.values.agent.as_deref());
        let own = agent.and_then(|agent| self.hook_agent(agent));
        own.map(|own| self.with_own(own)).unwrap_or(self)
    }

    /// These settings with those of an agent's own table, which take precedence.
    pub(crate) fn with_own(&self, own: &AgentSettings) -> Self {
        let mut settings = self.clone();
        settings.values.overlay(&own.settings.values);
        settings.given.extend(own.settings.set.iter().map(|it| it.0));
        settings
    }

    /// The variable that sets a setting. None if something else does.
    pub(crate) fn variable(&self, name: &str) -> Option<&'static str> {
        let setting = Setting::named(name)?;
        setting.variable.filter(|_| self.variables.find(setting).is_some())
    }

    /// Where a setting comes from, and its value as TOML.
    pub(crate) fn source(&self, setting: &'static Setting) -> (SettingSource, &str) {
        let of_variable = setting.variable.zip(self.variables.find(setting));
        match (of_variable, self.config.settings.find(setting)) {
            (Some((name, (_, value))), _) => (SettingSource::Variable(name), value),
            (None, Some((at, value))) => (SettingSource::File(at), value),
            (None, None) => (SettingSource::Default, setting.default),
        }
    }
}

/// Whether a flag is given or, if not, its setting is on.
pub(crate) fn is_on(flag: Option<bool>, setting: Option<bool>) -> bool {
    flag.or(setting).unwrap_or(false)
}
