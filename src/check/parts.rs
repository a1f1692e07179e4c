//! Which parts of a report are made.

/// Which parts of a report are made besides its counts. A part that no output shows need not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each part is asked for on its own"
)]
pub(crate) struct ReportParts {
    /// Findings that do not fail the return. Without them they are only counted.
    pub warnings: bool,
    /// The fingerprints of findings.
    pub fingerprints: bool,
    /// The claimed files of returns without findings, too, and of those that claim no success and have
    /// only warnings.
    pub artifacts: bool,
    /// What the return says about how to go on. Without it, only the action and its agent are made.
    pub follow_up: bool,
    /// The chain of delegations.
    pub delegation: bool,
    /// The text of the return.
    pub text: bool,
    /// What the agent itself is told of each finding. Without it, it is told like anybody else.
    pub to_agent: bool,
}

impl ReportParts {
    /// Everything.
    pub(crate) const ALL: Self = Self {
        warnings: true,
        fingerprints: true,
        artifacts: true,
        follow_up: true,
        delegation: true,
        text: true,
        to_agent: true,
    };

    /// Only the findings that fail the return, without fingerprints, and its claimed files if it has
    /// any.
    pub(crate) const FAILURES: Self = Self {
        warnings: false,
        fingerprints: false,
        artifacts: false,
        follow_up: false,
        delegation: false,
        text: false,
        to_agent: false,
    };

    /// All findings, without fingerprints, and the claimed files of returns that have any.
    pub(crate) const FINDINGS: Self = Self {
        warnings: true,
        ..Self::FAILURES
    };

    /// The parts that either of the two has.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            warnings: self.warnings || other.warnings,
            fingerprints: self.fingerprints || other.fingerprints,
            artifacts: self.artifacts || other.artifacts,
            follow_up: self.follow_up || other.follow_up,
            delegation: self.delegation || other.delegation,
            text: self.text || other.text,
            to_agent: self.to_agent || other.to_agent,
        }
    }
}
