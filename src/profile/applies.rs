//! Which rules apply to a profile.

use crate::profile::{Meaning, Need, Profile, Shape};
use crate::rule::{Applies, Rule, TextLimit};

impl Profile {
    /// Whether a rule applies to returns of this profile.
    #[doc(hidden)]
    #[must_use]
    pub fn has_rule(&self, rule: &Rule) -> bool {
        match rule.applies {
            Applies::Always => true,
            Applies::IfRequires(requirement) => self.requires(requirement),
            Applies::IfStatusNeeds(companion) => self.requires_companion(companion),
            Applies::IfStatusIsUnfinished => {
                (self.statuses.iter()).any(|status| status.meaning == Meaning::Unfinished)
            }
            Applies::IfFieldKnown(path) => self.has_field(path),
            Applies::IfFieldRecommended(place) => self
                .fields_with(Need::Recommended)
                .any(|path| path.starts_with(place)),
            Applies::IfSession => self.session.is_some() && self.shape == Shape::Return,
            Applies::IfAgent => self.agent.is_some() && self.shape == Shape::Return,
            Applies::IfTimestamp => ["started_at", "timestamp"]
                .iter()
                .any(|field| self.has_field(field)),
            Applies::IfArtifactTypes => !self.artifact_types.is_empty(),
            Applies::IfErrorTypes => !self.error_types.is_empty(),
            Applies::IfLimit(limit) => self.has_limit(limit),
            Applies::IfArtifacts => self.handoff_path.is_none(),
            Applies::IfHandoffFile => self.handoff_path.is_some(),
            Applies::IfHandoff => self.shape == Shape::Handoff,
            Applies::IfTests => {
                let own = self.standard.as_ref();
                self.shape == Shape::Handoff || own.is_some_and(|own| own.roles.tests.is_some())
            }
            Applies::IfStandard => self.standard.is_some(),
        }
    }

    fn has_limit(&self, limit: TextLimit) -> bool {
        let limits = &self.limits;
        match limit {
            TextLimit::Length => self.length.is_some(),
            TextLimit::SoftLength => self.soft_length.is_some(),
            TextLimit::Sentences => self.sentences.is_some(),
            TextLimit::SummaryAtLeast => limits.summary_at_least.is_some(),
            TextLimit::ArtifactSummary => limits.artifact_summary_at_most.is_some(),
            TextLimit::ErrorMessage => limits.error_message_at_most.is_some(),
            TextLimit::NextSteps => limits.next_steps_at_most.is_some(),
        }
    }
}
