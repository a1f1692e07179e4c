//! The level of each rule in one check.

use crate::level::Level;
use crate::profile::Profile;
use crate::rule::Rule;

/// The levels of the profile, those that the caller sets, and strictness. They are kept apart until
/// the level of a rule is needed, so that the order in which they are set does not matter.
#[derive(Debug, Clone)]
pub(crate) struct Levels<'p> {
    profile: &'p Profile,
    explicit: Vec<(&'static str, Level)>,
    is_strict: bool,
}

impl<'p> Levels<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        Self {
            profile,
            explicit: Vec::new(),
            is_strict: false,
        }
    }

    /// Sets the level of one rule, whatever the profile says.
    pub(crate) fn set(&mut self, rule: &Rule, level: Level) {
        match self.explicit.iter_mut().find(|(id, _)| *id == rule.id) {
            Some((_, current)) => *current = level,
            None => self.explicit.push((rule.id, level)),
        }
    }

    /// Makes every warning an error, or not.
    pub(crate) fn set_strict(&mut self, is_strict: bool) {
        self.is_strict = is_strict;
    }

    /// The level of a rule, whether or not it applies to the profile.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let explicit = self.explicit.iter().find(|(id, _)| *id == rule.id);
        match explicit.map_or_else(|| self.profile.level(rule), |(_, level)| *level) {
            Level::Warning if self.is_strict => Level::Error,
            level => level,
        }
    }
}
