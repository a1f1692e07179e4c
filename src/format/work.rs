//! What the evidence says of the artifacts of a return, in lines.

use std::fmt::{self, Display, Formatter};

use crate::evidence::EvidenceValue;
use crate::report::{ClaimReport, EvidenceReport};
use crate::rules::ARTIFACT_UNCHANGED as UNCHANGED;
use crate::text::escape::truncated;

/// How many artifacts are shown to be the work of the agent, and why others are not.
pub(super) struct ShownWork<'r> {
    pub(super) shown: usize,
    pub(super) artifacts: usize,
    pub(super) doubts: Vec<WorkDoubt<'r>>,
}

/// Artifacts of which it is unknown, for the same reason.
pub(super) struct WorkDoubt<'r> {
    path: &'r str,
    count: usize,
    reason: &'r str,
}

impl<'r> ShownWork<'r> {
    /// None if no artifact was looked at.
    pub(super) fn of(evidence: &'r EvidenceReport) -> Option<Self> {
        let mut work = Self {
            shown: 0,
            artifacts: 0,
            doubts: Vec::new(),
        };
        let claims = evidence.claims.iter().filter(|claim| claim.path.is_some());
        let claims: Vec<_> = claims.collect();
        for of_artifact in claims.chunk_by(|one, next| one.pointer == next.pointer) {
            work.add(of_artifact);
        }
        (work.artifacts > 0).then_some(work)
    }

    /// Adds the claims about one artifact.
    fn add(&mut self, claims: &[&'r ClaimReport]) {
        let has = |value| claims.iter().any(|claim| claim.value == value);
        self.artifacts += 1;
        if has(EvidenceValue::Contradicted) {
            return;
        }
        // That a file differs from a commit does not show that it was changed in this run.
        let is_of_run = |claim: &ClaimReport| claim.rule.id != UNCHANGED.id;
        let is_all = !claims.iter().any(|claim| is_of_run(claim));
        let mut counted = claims.iter().filter(|claim| is_all || is_of_run(claim));
        if counted.any(|claim| claim.value == EvidenceValue::Shown) {
            self.shown += 1;
            return;
        }
        if let Some(claim) = claims.first() {
            let reason = claim.reason.as_str();
            match self.doubts.iter_mut().find(|doubt| doubt.reason == reason) {
                Some(doubt) => doubt.count += 1,
                None => self.doubts.push(WorkDoubt {
                    path: claim.path.as_deref().unwrap_or_default(),
                    count: 1,
                    reason,
                }),
            }
        }
    }

    pub(super) fn is_all_shown(&self) -> bool {
        self.shown == self.artifacts
    }
}

impl Display for ShownWork<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let plural = if self.artifacts == 1 { "" } else { "s" };
        let Self {
            shown, artifacts, ..
        } = self;
        write!(
            out,
            "Work is shown: {shown} of {artifacts} artifact{plural}"
        )
    }
}

impl Display for WorkDoubt<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let reason = self.reason;
        match self.count {
            1 => write!(out, "Work on {}: {reason}", truncated(self.path)),
            count => write!(out, "Work on {count} artifacts: {reason}"),
        }
    }
}
