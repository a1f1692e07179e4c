//! What rules ask of a profile.

use crate::profile::{Companion, Need, Profile, Requirement, Shape};

impl Profile {
    /// Whether documents are handoff files.
    pub(crate) fn is_handoff(&self) -> bool {
        self.shape == Shape::Handoff
    }

    /// Whether a return refers to a handoff file.
    pub(crate) fn has_handoff_file(&self) -> bool {
        self.handoff_path.is_some()
    }

    /// Whether the return itself lists artifacts; those of a handoff file do not count.
    pub(crate) fn lists_artifacts(&self) -> bool {
        self.handoff_path.is_none()
    }

    /// Whether returns have the session id, and are no handoff files.
    pub(crate) fn returns_session(&self) -> bool {
        self.session.is_some() && self.shape == Shape::Return
    }

    /// Whether returns can claim tests that ran.
    pub(crate) fn can_claim_tests(&self) -> bool {
        let own = self.standard.as_ref();
        self.is_handoff() || own.is_some_and(|own| own.roles.tests.is_some())
    }

    /// Whether a field below this path, such as `errors[].`, is recommended.
    pub(crate) fn recommends_below(&self, place: &str) -> bool {
        let mut recommended = self.fields_with(Need::Recommended);
        recommended.any(|path| path.starts_with(place))
    }

    /// Whether the profile has this requirement.
    pub(crate) fn requires(&self, requirement: Requirement) -> bool {
        self.requirements.contains(&requirement)
    }

    /// Whether any status requires `companion`.
    pub(crate) fn requires_companion(&self, companion: Companion) -> bool {
        self.statuses
            .iter()
            .any(|status| status.companions.contains(&companion))
    }
}
