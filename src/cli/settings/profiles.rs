//! The available profiles, and the levels of rules in them.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use crate::check::rules::{Level, Rule};
use crate::cli::args::AUTO;
use crate::cli::settings::Settings;
use crate::profile::{ANY, PROFILES, Shape};
use crate::text::escape;
use crate::text::suggest::nearest;
use crate::{CustomProfile, Profile};

impl Settings {
    /// All available profiles. Custom profiles come first, so they win if a built-in profile
    /// matches the same file name.
    pub(crate) fn profiles(&self) -> impl Iterator<Item = &Profile> + Clone {
        let custom = self.config.profiles.iter().map(|own| &*own.profile);
        custom.chain(PROFILES).chain([&ANY])
    }

    /// Adds a profile that no file has.
    pub(crate) fn add_profile(&mut self, profile: Profile) {
        let own = CustomProfile { profile: Arc::new(profile), levels: Vec::new() };
        // Nothing else has the configuration yet.
        if let Some(config) = Arc::get_mut(&mut self.config) {
            config.profiles.push(own);
        }
    }

    /// The profile with this name. `None` without a name, and for `auto`.
    pub(crate) fn profile(&self, name: Option<&str>) -> anyhow::Result<Option<&Profile>> {
        let Some(name) = name.filter(|name| *name != AUTO) else {
            return Ok(None);
        };
        if let Some(found) = self.profiles().find(|profile| profile.id == name) {
            return Ok(Some(found));
        }
        let names = self.profiles().map(|profile| &*profile.id);
        let advice = nearest(name, names.clone()).map_or_else(
            || format!("expected one of {}", names.collect::<Vec<_>>().join(", ")),
            |nearest| format!("did you mean `{nearest}`?"),
        );
        let is_own = self.values.profile.as_deref() == Some(name);
        let place = match self.variable("profile").filter(|_| is_own) {
            Some(variable) => format!("the environment variable {variable}: "),
            None => String::new(),
        };
        bail!("{place}unknown profile `{}`; {advice}", escape::truncated(name))
    }

    /// The custom profile for the handoff file of a compact return: the first whose `files` match the
    /// path, otherwise the first without `files`. None if there is neither.
    pub(crate) fn handoff_profile(&self, path: &Path) -> Option<&Profile> {
        let custom = self.config.profiles.iter().map(|own| &*own.profile);
        let mut custom = custom.filter(|profile| profile.shape == Shape::Handoff);
        let by_name = custom.clone().find(|profile| profile.matches_path(path));
        by_name.or_else(|| custom.find(|profile| profile.files.is_empty()))
    }

    /// The rules that the file turns off in all profiles that do not set their own level.
    pub(crate) fn rules_off(&self) -> impl Iterator<Item = &'static str> {
        let levels = self.config.rules.iter();
        let off = levels.filter(|(_, level)| *level == Level::Off);
        off.map(|(rule, _)| rule.id)
    }

    /// The levels of rules in the configuration file that apply in this profile. A level that the custom
    /// profile or one that it extends sets takes precedence.
    pub(crate) fn levels(&self, profile: &Profile) -> impl Iterator<Item = (&'static Rule, Level)> {
        let mut custom = self.config.profiles.iter();
        let own = custom.find(|own| own.profile.id == profile.id);
        let own = own.map_or(&[][..], |own| &own.levels);
        let levels = self.config.rules.iter();
        levels
            .filter(move |(rule, _)| own.iter().all(|(other, _)| other.id != rule.id))
            .chain(own)
            .copied()
    }
}

/// Fails for a profile whose agents are not told how to return.
pub(crate) fn refuse_uninstructed(profile: &Profile) -> anyhow::Result<()> {
    refuse_any(profile, "instruction")?;
    if !profile.is_instructed {
        bail!(
            "the profile {} has no instruction: its agents' own prompts say how to return (instruct = \"none\")",
            escape::full(&profile.id)
        );
    }
    Ok(())
}

/// Fails for the profile whose returns have no form, which `what` would describe.
pub(crate) fn refuse_any(profile: &Profile, what: &str) -> anyhow::Result<()> {
    if profile.shape == Shape::Message {
        bail!("the profile any has no {what}: its returns are any messages");
    }
    Ok(())
}
