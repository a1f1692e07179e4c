//! Finds the `[[overrides]]` of the configuration file that apply to a source, and merges them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use globset::{GlobSet, GlobSetBuilder};

use crate::Profile;
use crate::check::rules::{Level, Rule, Strictness};
use crate::cli::settings::Settings;
use crate::config::{Override, Setting};
use crate::root::collapsed;

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
    folder: ConfigFolder,
}

struct ResolvedOverride<'s> {
    files: GlobSet,
    /// Without the settings for which the environment or the command line takes precedence.
    own: SourceSettings,
    profile: Option<ProfileChoice<'s>>,
}

impl<'s> Overrides<'s> {
    pub(crate) fn new(settings: &'s Settings) -> anyhow::Result<Self> {
        let written = &settings.config.overrides;
        let Some(folder) = settings.folder.as_deref().filter(|_| !written.is_empty()) else {
            return Ok(Self::default());
        };
        let list = written.iter().map(|own| ResolvedOverride::new(own, settings));
        Ok(Self { list: list.collect::<anyhow::Result<_>>()?, folder: ConfigFolder::of(folder) })
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
        let all = self.list.iter().enumerate();
        let matching = all.filter(|(_, own)| own.files.is_match(&below));
        matching.map(|(index, _)| index).collect()
    }

    /// The profile of the last of these overrides that sets one. None if none does.
    pub(crate) fn profile(&self, matching: &[usize]) -> Option<ProfileChoice<'s>> {
        let mut latest = matching.iter().rev();
        latest.find_map(|index| self.list[*index].profile)
    }

    /// The other settings of these overrides, merged.
    pub(crate) fn merged(&self, matching: &[usize]) -> SourceSettings {
        let mut all = SourceSettings::default();
        for own in matching.iter().map(|index| &self.list[*index].own) {
            all.strict = own.strict.or(all.strict);
            all.extract = own.extract.or(all.extract);
            all.levels.extend(&own.levels);
        }
        all
    }

    /// The merged settings of the overrides that apply to a path, except the profile.
    pub(crate) fn of(&self, path: &Path) -> SourceSettings {
        self.merged(&self.matching(path))
    }
}

impl<'s> ResolvedOverride<'s> {
    fn new(written: &Override, settings: &'s Settings) -> anyhow::Result<Self> {
        let values = &written.settings.values;
        let is_open = |name| Setting::named(name).is_some_and(|it| !settings.is_decided(it));
        let profile = match values.profile.as_deref().filter(|_| is_open("profile")) {
            None => None,
            name => Some(match settings.profile(name)? {
                Some(profile) => ProfileChoice::Is(profile),
                None => ProfileChoice::ByName,
            }),
        };
        let mut files = GlobSetBuilder::new();
        for glob in &written.files {
            files.add(glob.clone());
        }
        Ok(Self {
            files: files.build().context("cannot use the overrides")?,
            own: SourceSettings {
                strict: values.strict.filter(|_| is_open("strict")),
                extract: values.extract.filter(|_| is_open("extract")),
                levels: written.rules.clone(),
            },
            profile,
        })
    }
}

/// The folder that globs are relative to.
#[derive(Debug, Default)]
pub(crate) struct ConfigFolder {
    current: PathBuf,
    /// The absolute paths of the folder: as it was named, and without symlinks if that differs.
    names: Vec<PathBuf>,
}

impl ConfigFolder {
    pub(crate) fn of(folder: &Path) -> Self {
        let current = std::env::current_dir().unwrap_or_default();
        let mut names = vec![collapsed(&current.join(folder))];
        names.extend(names[0].canonicalize().ok());
        names.dedup();
        Self { current, names }
    }

    /// A path relative to the folder. None if it is not below the folder.
    pub(crate) fn below(&self, path: &Path) -> Option<PathBuf> {
        let absolute = collapsed(&self.current.join(path));
        self.strip(&absolute).or_else(|| {
            // The folder may have been named through a symlink.
            let folder = absolute.parent()?.canonicalize().ok()?;
            self.strip(&folder.join(absolute.file_name()?))
        })
    }

    fn strip(&self, absolute: &Path) -> Option<PathBuf> {
        let mut names = self.names.iter();
        let below = names.find_map(|name| absolute.strip_prefix(name).ok())?;
        Some(below.to_owned())
    }
}
