//! Which rules apply to a profile, and with which level.

use crate::profile::Profile;
use crate::rule::{Level, Rule};

impl Profile {
    /// Whether a rule applies to returns of this profile.
    pub(crate) fn has_rule(&self, rule: &Rule) -> bool {
        (rule.applies)(self)
    }

    /// Returns the level of a rule in this profile. Options can change it.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let own = self.levels.iter().find(|(id, _)| *id == rule.id);
        own.map_or(rule.level, |(_, level)| *level)
    }

    /// Returns the level of a rule. None if the rule does not apply to this profile.
    pub(crate) fn applicable_level(&self, rule: &Rule) -> Option<Level> {
        self.has_rule(rule).then(|| self.level(rule))
    }
}
