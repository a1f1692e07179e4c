//! The lines that say what the evidence shows.

use crate::check::report::{EvidenceReport, Report};
use crate::check::rules::CLAIM_UNTESTED;
use crate::evidence::EvidenceValue;
use crate::format::text::page::TextPage;
use crate::format::text::tag::Tag;
use crate::format::work::{ShownClaims, ShownWork};
use crate::text::count;

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
