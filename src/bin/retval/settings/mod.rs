//! What holds where no option was given: the environment, then the configuration file.

mod file;
mod resolve;

use std::path::{Path, PathBuf};

use anyhow::bail;
use retval::config::{Config, Given, Setting, SettingKind, SettingValue};
use retval::profile::PROFILES;
use retval::rules::{Level, Rule};
use retval::text::escape;
use retval::text::suggest::nearest;
use retval::{Checker, Profile};

use crate::args::config::ConfigArgs;

/// The settings of one run.
pub(crate) struct Settings {
    /// The file as it was found, and what it says.
    pub(crate) file: Option<PathBuf>,
    pub(crate) config: Config,
    unset: Vec<&'static Setting>,
}

/// Where a value comes from.
pub(crate) enum SettingSource<'s> {
    Variable(&'static str),
    File(&'s Given<SettingValue>),
    Default,
}

impl Settings {
    pub(crate) fn load(options: &ConfigArgs) -> anyhow::Result<Self> {
        let found = match &options.config {
            Some(path) => Some(path.clone()),
            None if options.no_config.unwrap_or_default() => None,
            None => file::upwards()?,
        };
        let config = match &found {
            Some(path) => file::read(path)?,
            None => Config::default(),
        };
        Ok(Self {
            file: found,
            config,
            unset: options.unset.clone(),
        })
    }

    /// The value of a setting and its source.
    pub(crate) fn value(
        &self,
        setting: &'static Setting,
    ) -> anyhow::Result<(Option<SettingValue>, SettingSource<'_>)> {
        let is_unset = self.unset.iter().any(|known| std::ptr::eq(*known, setting));
        if is_unset {
            return Ok((None, SettingSource::Default));
        }
        if let Some(variable) = setting.variable
            && let Some(text) = variable_text(variable)?
        {
            return Ok((
                Some(SettingValue::Text(text)),
                SettingSource::Variable(variable),
            ));
        }
        let Some(given) = self.config.value(setting) else {
            return Ok((None, SettingSource::Default));
        };
        let value = match (&given.value, setting.kind) {
            (SettingValue::Text(path), SettingKind::Path) => {
                SettingValue::Text(self.beside_file(path))
            }
            (value, _) => value.clone(),
        };
        Ok((Some(value), SettingSource::File(given)))
    }

    /// A path of the file is relative to the file's folder.
    fn beside_file(&self, path: &str) -> String {
        let folder = self.file.as_deref().and_then(Path::parent);
        let path = folder.unwrap_or(Path::new("")).join(path);
        path.to_string_lossy().into_owned()
    }

    fn get(&self, name: &str) -> anyhow::Result<Option<SettingValue>> {
        Setting::named(name).map_or(Ok(None), |setting| Ok(self.value(setting)?.0))
    }

    /// Every profile that can be chosen. Custom profiles come first: they win where a built-in
    /// profile matches the same file name.
    pub(crate) fn profiles(&self) -> impl Iterator<Item = &Profile> + Clone {
        let custom = self.config.profiles().iter().map(|own| &*own.profile);
        custom.chain(PROFILES.iter().copied())
    }

    /// A profile that the environment names must be one, too.
    pub(crate) fn refuse_unknown_profile(&self) -> anyhow::Result<()> {
        if let Some(SettingValue::Text(name)) = self.get("profile")? {
            self.profile(Some(&name))?;
        }
        Ok(())
    }

    /// The profile of that name; none is `auto`.
    pub(crate) fn profile(&self, name: Option<&str>) -> anyhow::Result<Option<&Profile>> {
        let Some(name) = name.filter(|name| *name != "auto") else {
            return Ok(None);
        };
        let mut known = self.profiles();
        if let Some(found) = known.clone().find(|profile| profile.id == name) {
            return Ok(Some(found));
        }
        let meant = nearest(
            name,
            known.clone().map(|profile| &*profile.id).chain(["auto"]),
        );
        let advice = meant.map_or_else(
            || {
                let names: Vec<_> = known.by_ref().map(|profile| &*profile.id).collect();
                format!("expected one of auto, {}", names.join(", "))
            },
            |meant| format!("did you mean `{meant}`?"),
        );
        bail!("unknown profile `{}`; {advice}", escape::truncated(name))
    }

    /// The checker with the levels of the file. Levels that custom profiles set are kept.
    pub(crate) fn apply<'c>(&self, profile: &Profile, mut checker: Checker<'c>) -> Checker<'c> {
        for (rule, level) in self.levels(profile) {
            checker = checker.rule(rule, level);
        }
        checker
    }

    /// Whether warnings fail, for a command without the option.
    pub(crate) fn is_strict(&self) -> anyhow::Result<bool> {
        Ok(matches!(
            self.get("strict")?,
            Some(SettingValue::Switch(true))
        ))
    }

    /// Levels as they hold in a profile, before options: the first of a rule counts.
    pub(crate) fn all_levels(&self, profile: &Profile) -> Vec<(&'static str, Level)> {
        let levels = self.levels(profile).map(|(rule, level)| (rule.id, level));
        levels.chain(profile.levels.iter().copied()).collect()
    }

    /// Rules that the file switches off wherever no profile says otherwise.
    pub(crate) fn switched_off(&self) -> impl Iterator<Item = &'static str> {
        let levels = self.config.rules().iter();
        let off = levels.filter(|(_, level)| level.value == Level::Off);
        off.map(|(rule, _)| rule.id)
    }

    fn levels(&self, profile: &Profile) -> impl Iterator<Item = (&'static Rule, Level)> {
        let mut custom = self.config.profiles().iter();
        let own = custom.find(|own| own.profile.id == profile.id);
        let own = own.map_or(&[][..], |own| &own.levels);
        let levels = self.config.rules().iter();
        levels
            .filter(move |(rule, _)| own.iter().all(|(known, _)| known.id != rule.id))
            .map(|(rule, level)| (*rule, level.value))
    }
}

/// An empty variable is one that is not set.
fn variable_text(name: &'static str) -> anyhow::Result<Option<String>> {
    match std::env::var_os(name).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => match text.into_string() {
            Ok(text) => Ok(Some(text)),
            Err(_) => bail!("the environment variable {name} is not UTF-8"),
        },
    }
}
