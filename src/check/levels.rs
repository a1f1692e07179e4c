//! The level of each rule in one check.

use crate::profile::Profile;
use crate::rule::{Level, Rule, Strictness};

/// The levels of the profile, the levels that the caller sets, and strictness. They are combined
/// only when the level of a rule is needed, so the order of the calls does not matter.
#[derive(Debug, Clone)]
pub(crate) struct Levels<'p> {
    profile: &'p Profile,
    explicit: Vec<(&'static str, Level)>,
    pub(super) strictness: Strictness,
    /// Whether errors of evidence are warnings unless the caller says otherwise.
    pub(super) evidence_warns: bool,
}

impl<'p> Levels<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        Self {
            profile,
            explicit: Vec::new(),
            strictness: Strictness::Off,
            evidence_warns: false,
        }
    }

    pub(crate) fn with_profile<'q>(&self, profile: &'q Profile) -> Levels<'q> {
        Levels {
            profile,
            explicit: self.explicit.clone(),
            strictness: self.strictness,
            evidence_warns: self.evidence_warns,
        }
    }

    /// Sets the level of one rule. It takes precedence over the profile.
    pub(crate) fn set(&mut self, rule: &Rule, level: Level) {
        match self.explicit.iter_mut().find(|(id, _)| *id == rule.id) {
            Some((_, current)) => *current = level,
            None => self.explicit.push((rule.id, level)),
        }
    }

    fn level_of_profile(&self, rule: &Rule) -> Level {
        match self.profile.level(rule) {
            Level::Error if self.evidence_warns && rule.is_error_of_evidence() => Level::Warning,
            level => level,
        }
    }

    fn makes_error(&self, rule: &Rule) -> bool {
        match self.strictness {
            Strictness::Off => false,
            Strictness::Required => rule.is_required_by(&self.profile.sources),
            Strictness::All => true,
        }
    }

    /// The level of a rule, whether or not it applies to the profile.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let explicit = self.explicit.iter().find(|(id, _)| *id == rule.id);
        match explicit.map_or_else(|| self.level_of_profile(rule), |(_, level)| *level) {
            Level::Warning if self.makes_error(rule) => Level::Error,
            level => level,
        }
    }

    /// The level of a rule where the standard of the profile does not lower it: only the caller does,
    /// and a profile that turns it off.
    pub(crate) fn default_level(&self, rule: &Rule) -> Level {
        let is_explicit = self.explicit.iter().any(|(id, _)| *id == rule.id);
        match self.level(rule) {
            Level::Warning if !is_explicit => rule.level,
            level => level,
        }
    }
}
