//! Makes the report on one return, from its facts and from what the steps found.

use std::borrow::Cow;

use crate::checker::follow_up::follow_up;
use crate::diagnostics::{Collected, Context};
use crate::document::Returned;
use crate::json::field::Field;
use crate::parts::ReportParts;
use crate::report::{Delegation, EvidenceReport, Report, StepOutcome, StepReport};
use crate::rules::claimed_paths;
use crate::step::Step;

pub(super) fn report<'t>(
    context: &Context<'_, 't>,
    parts: ReportParts,
    collected: Collected<'t>,
    steps: [StepReport; 6],
) -> Report<'t> {
    let returned = context.returned;
    let session_id = returned.and_then(Returned::session_id).cloned();
    let failures = collected.failures;
    // What a status claims counts once its step has run.
    let has_status = !matches!(steps[Step::Status as usize].outcome, StepOutcome::Skip(_));
    Report {
        envelope: None,
        profile: Cow::Borrowed(&*context.profile.id),
        status: returned
            .and_then(|returned| returned.status().present())
            .cloned(),
        claims_success: has_status && context.claims_success(),
        agent_type: returned.and_then(Returned::agent).cloned(),
        session: context
            .expected
            .session
            .map(Cow::Borrowed)
            .or_else(|| session_id.clone()),
        session_id,
        subagent: context.subagent(),
        follow_up: follow_up(context, parts.follow_up),
        delegation: returned
            .filter(|_| parts.delegation && failures > 0)
            .and_then(delegation),
        summary_characters: collected.facts.summary_characters,
        measured: collected.facts.measured,
        steps,
        findings: collected.findings,
        failures,
        warnings: collected.warnings,
        accepted: 0,
        accepted_findings: Vec::new(),
        claimed: returned.and_then(claimed_paths::count).unwrap_or_default(),
        counts: collected.counts,
        artifacts: collected.facts.artifacts,
        evidence: context.expected.evidence.map(|evidence| EvidenceReport {
            transcript: evidence.transcript().map(str::to_owned),
            claims: collected.facts.claims,
        }),
    }
}

fn delegation(returned: Returned<'_, '_>) -> Option<Delegation> {
    let Returned::Return(returned) = returned else {
        return None;
    };
    let metadata = returned.metadata.present()?;
    let path = metadata.delegation_path.items();
    Some(Delegation {
        depth: metadata.delegation_depth.present().map(|depth| depth.0),
        path: path
            .iter()
            .filter_map(Field::present)
            .map(|agent| agent.as_ref().to_owned())
            .collect(),
    })
}
