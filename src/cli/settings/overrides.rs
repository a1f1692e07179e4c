//! Finds the `[[overrides]]` of the configuration file that apply to a source, and merges them.

use std::path::Path;

use crate::Profile;
use crate::config::{Override, SettingValues};
use crate::rules::{Level, Rule, Strictness};
use anyhow::Context as _;
use globset::{GlobSet, GlobSetBuilder};

use crate::cli::settings::Settings;
use crate::cli::settings::config_folder::ConfigFolder;

/// A profile, or the selection of one by the file name.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProfileChoice<'s> {
    ByName,
    Is(&'s Profile),
}

/// The settings of overrides for a source, except its profile.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceSettings {
    pub(crate) strict: Option<Strictness>,
    pub(crate) extract: Option<bool>,
    /// The levels of rules. If a rule occurs twice, the last level counts.
    pub(crate) levels: Vec<(&'static Rule, Level)>,
}

#[derive(Default)]
pub(crate) struct Overrides<'s> {
    list: Vec<ResolvedOverride<'s>>,
    globs: GlobSet,
    /// The index of the override that each glob belongs to.
    owners: Vec<usize>,
    folder: ConfigFolder,
}

struct ResolvedOverride<'s> {
    written: &'s Override,
    /// The values, without the settings for which the environment or the command line takes precedence.
    values: SettingValues,
    profile: Option<ProfileChoice<'s>>,
}

impl<'s> Overrides<'s> {
    pub(crate) fn new(settings: &'s Settings) -> anyhow::Result<Self> {
        let written = &settings.config.overrides;
        let Some(folder) = settings.folder.as_deref().filter(|_| !written.is_empty()) else {
            return Ok(Self::default());
        };
        let (mut globs, mut owners) = (GlobSetBuilder::new(), Vec::new());
        for (index, own) in written.iter().enumerate() {
            for glob in &own.files {
                globs.add(glob.glob().clone());
                owners.push(index);
            }
        }
        let globs = globs.build().context("cannot use the overrides")?;
        let list = written
            .iter()
            .map(|own| ResolvedOverride::new(own, settings));
        Ok(Self {
            list: list.collect::<anyhow::Result<_>>()?,
            globs,
            owners,
            folder: ConfigFolder::of(folder),
        })
    }

    /// The indexes of the overrides that apply to a path, in order. Sources with the same indexes have
    /// the same settings.
    pub(crate) fn matching(&self, path: &Path) -> Vec<usize> {
        if self.list.is_empty() {
            return Vec::new();
        }
        let Some(below) = self.folder.below(path) else {
            return Vec::new();
        };
        let globs = self.globs.matches(below);
        let mut matching: Vec<_> = globs.into_iter().map(|glob| self.owners[glob]).collect();
        // Matches come in the order of the globs, and so do their owners.
        matching.dedup();
        matching
    }

    /// The profile of the last of these overrides that sets one. None if none does.
    pub(crate) fn profile(&self, matching: &[usize]) -> Option<ProfileChoice<'s>> {
        let mut latest = matching.iter().rev();
        latest.find_map(|index| self.list[*index].profile)
    }

    /// The other settings of these overrides, merged.
    pub(crate) fn merged(&self, matching: &[usize]) -> SourceSettings {
        let (mut values, mut levels) = (SettingValues::default(), Vec::new());
        for own in matching.iter().map(|index| &self.list[*index]) {
            values.overlay(&own.values);
            let rules = own.written.rules.iter();
            levels.extend(rules.map(|(rule, level)| (*rule, level.value)));
        }
        SourceSettings {
            strict: values.strict,
            extract: values.extract,
            levels,
        }
    }

    /// The merged settings of the overrides that apply to a path, except the profile.
    pub(crate) fn of(&self, path: &Path) -> SourceSettings {
        self.merged(&self.matching(path))
    }
}

impl<'s> ResolvedOverride<'s> {
    fn new(written: &'s Override, settings: &'s Settings) -> anyhow::Result<Self> {
        let mut values = written.settings.values.clone();
        for (setting, _) in &written.settings.positions {
            if settings.is_decided(setting) {
                setting.unset(&mut values);
            }
        }
        let profile = match values.profile.as_deref() {
            None => None,
            name => Some(match settings.profile_or_auto(name)? {
                Some(profile) => ProfileChoice::Is(profile),
                None => ProfileChoice::ByName,
            }),
        };
        Ok(Self {
            written,
            values,
            profile,
        })
    }
}
