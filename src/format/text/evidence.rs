//! The lines that say what the evidence shows.

use crate::check::report::{EvidenceReport, Report};
use crate::evidence::EvidenceValue;
use crate::format::text::page::{TextPage, say};
use crate::format::text::tag::Tag;
use crate::format::work::{ShownClaims, ShownWork};
use crate::text::count;

impl TextPage<'_> {
    pub(super) fn evidence(&mut self, report: &Report<'_>, evidence: &EvidenceReport) {
        for claim in evidence
            .claims
            .iter()
            .filter(|it| it.rule.id == "claim-untested")
        {
            match claim.value {
                EvidenceValue::Shown => {
                    say!(self, Tag::Pass, "Tests are shown: ", claim.reason);
                }
                EvidenceValue::Unknown => {
                    say!(self, Tag::Skip, "Tests are not shown: ", claim.reason);
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
            say!(self, tag, claims.to_string());
            for (reason, number) in &claims.doubts {
                let claims = count(*number, "claim");
                say!(self, Tag::Skip, claims, " unknown: ", reason);
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
        say!(self, tag, work.to_string());
        for doubt in &work.doubts {
            say!(self, Tag::Skip, doubt.to_string());
        }
    }
}
