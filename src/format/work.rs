//! Lines that say what the evidence shows about the artifacts of a return.

use std::fmt::{self, Display, Formatter};

use crate::check::finding::Finding;
use crate::check::report::{ClaimReport, EvidenceReport};
use crate::check::rules::{ARTIFACT_UNCHANGED as UNCHANGED, EVIDENCE_UNKNOWN, Rule};
use crate::evidence::EvidenceValue;
use crate::rule::Claimed;
use crate::text::count;
use crate::text::escape::truncated;

/// Returns the claim that a rule is about, as a statement that is either shown, contradicted or unknown.
pub(super) fn claim(rule: &Rule) -> &'static str {
    rule.claim
        .map_or("the agent did what it claims", |(_, claim)| claim)
}

/// How many artifacts are shown to be the work of the agent, and why others are not.
pub(super) struct ShownWork<'r> {
    pub(super) shown: usize,
    pub(super) artifacts: usize,
    pub(super) doubts: Vec<WorkDoubt<'r>>,
}

/// Artifacts of which it is unknown, for the same reason, whether the agent worked on them.
pub(super) struct WorkDoubt<'r> {
    path: &'r str,
    count: usize,
    reason: &'r str,
}

impl<'r> ShownWork<'r> {
    /// Returns the counts over all artifacts. None if no artifact was looked at.
    pub(super) fn of(evidence: &'r EvidenceReport, findings: &[Finding]) -> Option<Self> {
        let mut work = Self {
            shown: 0,
            artifacts: 0,
            doubts: Vec::new(),
        };
        let is_of_artifact = |it: &&ClaimReport| {
            it.path.is_some() && matches!(it.rule.claim, Some((Claimed::Artifact, _)))
        };
        let claims: Vec<_> = evidence.claims.iter().filter(is_of_artifact).collect();
        for of_artifact in claims.chunk_by(|one, next| one.pointer == next.pointer) {
            work.add(of_artifact, findings);
        }
        (work.artifacts > 0).then_some(work)
    }

    /// Adds the claims about one artifact. A doubt is left out if a finding reports it.
    fn add(&mut self, claims: &[&'r ClaimReport], findings: &[Finding]) {
        let has = |value| claims.iter().any(|claim| claim.value == value);
        self.artifacts += 1;
        if has(EvidenceValue::Contradicted) {
            return;
        }
        // A file that differs from a commit may have been changed before this run.
        let is_of_run = |claim: &ClaimReport| claim.rule.id != UNCHANGED.id;
        let is_all = !claims.iter().any(|claim| is_of_run(claim));
        let mut counted = claims.iter().filter(|claim| is_all || is_of_run(claim));
        if counted.any(|claim| claim.value == EvidenceValue::Shown) {
            self.shown += 1;
            return;
        }
        let is_finding = |claim: &ClaimReport| {
            let mut findings = findings.iter();
            findings.any(|it| {
                it.rule.id == EVIDENCE_UNKNOWN.id && it.pointer() == Some(&*claim.pointer)
            })
        };
        if let Some(claim) = claims.first().filter(|claim| !is_finding(claim)) {
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
}

/// How many of the claims that a standard declares are shown, and why others are unknown.
pub(super) struct ShownClaims<'r> {
    shown: usize,
    claims: usize,
    /// Reasons, and how many claims have each.
    pub(super) doubts: Vec<(&'r str, usize)>,
}

impl<'r> ShownClaims<'r> {
    /// None if the return has no such claim.
    pub(super) fn of(evidence: &'r EvidenceReport) -> Option<Self> {
        let mut found = Self {
            shown: 0,
            claims: 0,
            doubts: Vec::new(),
        };
        let is_declared = |claim: &&ClaimReport| {
            matches!(
                claim.rule.claim,
                Some((Claimed::Declared | Claimed::Within, _))
            )
        };
        for claim in evidence.claims.iter().filter(is_declared) {
            found.claims += 1;
            found.shown += usize::from(claim.value == EvidenceValue::Shown);
            if claim.value == EvidenceValue::Unknown {
                let reason = claim.reason.as_str();
                match found.doubts.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, count)) => *count += 1,
                    None => found.doubts.push((reason, 1)),
                }
            }
        }
        (found.claims > 0).then_some(found)
    }

    pub(super) fn are_all_shown(&self) -> bool {
        self.shown == self.claims
    }
}

impl Display for ShownClaims<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (shown, claims) = (self.shown, count(self.claims, "claim"));
        write!(out, "Claims are shown: {shown} of {claims}")
    }
}

impl Display for ShownWork<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (shown, artifacts) = (self.shown, count(self.artifacts, "artifact"));
        write!(out, "Work is shown: {shown} of {artifacts}")
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

#[cfg(test)]
mod tests {
    use crate::check::rules::RULES;

    #[test]
    fn every_rule_about_evidence_has_its_claim() {
        let starts = ["Reported with evidence", "Reported only with evidence"];
        let mut about = RULES.iter().filter(|rule| {
            let mut starts = starts.iter();
            starts.any(|it| rule.explanation.starts_with(it))
        });
        assert!(about.all(|rule| rule.claim.is_some()));
    }
}
