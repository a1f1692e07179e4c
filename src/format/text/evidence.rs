//! The lines that say what the evidence shows: about the tests, the claims that a standard declares, and the
//! artifacts of a return.

use std::fmt::{self, Display, Formatter};

use crate::check::finding::Finding;
use crate::check::report::{ClaimReport, EvidenceReport, Report};
use crate::check::rules::{ARTIFACT_UNCHANGED as UNCHANGED, CLAIM_UNTESTED, EVIDENCE_UNKNOWN};
use crate::evidence::EvidenceValue;
use crate::format::text::{Tag, TextPage};
use crate::rule::Claimed;
use crate::text::count;
use crate::text::escape::truncated;

impl TextPage<'_> {
    pub(super) fn evidence(&mut self, report: &Report<'_>, evidence: &EvidenceReport) {
        for claim in evidence
            .claims
            .iter()
            .filter(|it| it.rule.id == CLAIM_UNTESTED.id)
        {
            match claim.value {
                EvidenceValue::Shown => {
                    self.tagged(Tag::Pass, format_args!("Tests are shown: {}", claim.reason));
                }
                EvidenceValue::Unknown => {
                    self.tagged(
                        Tag::Skip,
                        format_args!("Tests are not shown: {}", claim.reason),
                    );
                }
                EvidenceValue::Contradicted => {}
            }
        }
        if let Some(claims) = ShownClaims::of(evidence) {
            let tag = if claims.are_all_shown() {
                Tag::Pass
            } else {
                Tag::Info
            };
            self.tagged(tag, format_args!("{claims}"));
            for (reason, number) in &claims.doubts {
                let claims = count(*number, "claim");
                self.tagged(Tag::Skip, format_args!("{claims} unknown: {reason}"));
            }
        }
        let Some(work) = ShownWork::of(evidence, &report.findings) else {
            return;
        };
        let tag = if work.shown == work.artifacts {
            Tag::Pass
        } else {
            Tag::Info
        };
        self.tagged(tag, format_args!("{work}"));
        for doubt in &work.doubts {
            self.tagged(Tag::Skip, format_args!("{doubt}"));
        }
    }
}

/// How many artifacts are shown to be the work of the agent, and why others are not.
struct ShownWork<'r> {
    shown: usize,
    artifacts: usize,
    doubts: Vec<WorkDoubt<'r>>,
}

/// Artifacts of which it is unknown, for the same reason, whether the agent worked on them.
struct WorkDoubt<'r> {
    path: &'r str,
    count: usize,
    reason: &'r str,
}

impl<'r> ShownWork<'r> {
    /// Returns the counts over all artifacts. None if no artifact was looked at.
    fn of(evidence: &'r EvidenceReport, findings: &[Finding]) -> Option<Self> {
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
struct ShownClaims<'r> {
    shown: usize,
    claims: usize,
    /// Reasons, and how many claims have each.
    doubts: Vec<(&'r str, usize)>,
}

impl<'r> ShownClaims<'r> {
    /// None if the return has no such claim.
    fn of(evidence: &'r EvidenceReport) -> Option<Self> {
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

    fn are_all_shown(&self) -> bool {
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
