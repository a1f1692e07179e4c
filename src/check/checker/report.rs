//! Makes the report on one return, from its facts and from what the steps found.

use std::borrow::Cow;

use crate::check::Collector;
use crate::check::checker::follow_up::follow_up;
use crate::check::report::{Delegation, EvidenceReport, Report, StepOutcome, StepReport};
use crate::check::rules::claimed_paths;
use crate::json::field::Field;
use crate::profile::document::Returned;
use crate::profile::standard::Standard;
use crate::rule::Step;

pub(super) fn report<'t>(mut collector: Collector<'_, 't>, steps: [StepReport; 6]) -> Report<'t> {
    collector.locate();
    let context = collector.context;
    let returned = context.returned;
    let session_id = returned.and_then(Returned::session_id).cloned();
    let failures = collector.failures;
    // What a status claims counts once its step has run.
    let has_status = !matches!(steps[Step::Status as usize].outcome, StepOutcome::Skip(_));
    let evidence = context.expected.evidence;
    let standard = context.profile.standard.as_ref();
    let has_claims = |it: &Standard| it.roles.has_claims() || it.claims.compare_values();
    let has_evidence = evidence.is_some() || standard.is_some_and(|it| has_claims(it));
    let missing = collector.facts.missing_files;
    Report {
        envelope: None,
        root: (missing > 0).then(|| context.root.shown().to_owned()),
        profile: Cow::Borrowed(&*context.profile.id),
        form: context.profile.form(),
        shape: context.profile.shape,
        text: Some(context.input.text)
            .filter(|text| !text.is_empty())
            .map(Cow::Borrowed),
        status: returned
            .and_then(|returned| returned.status().present())
            .cloned(),
        claims_success: (has_status || context.document.is_some()) && context.claims_success(),
        agent_type: returned.and_then(Returned::agent).cloned(),
        session: context
            .expected
            .session
            .map(Cow::Borrowed)
            .or_else(|| session_id.clone()),
        session_id,
        subagent: context.subagent(),
        is_named_by_caller: context.expected.agent.is_some(),
        follow_up: follow_up(context),
        failure: collector.facts.failure,
        delegation: returned.and_then(delegation),
        summary_characters: collector.facts.summary_characters,
        measured: collector.facts.measured,
        steps,
        findings: collector.findings,
        failures,
        warnings: collector.warnings,
        accepted: 0,
        accepted_findings: Vec::new(),
        claimed: returned.and_then(claimed_paths::count).unwrap_or_default(),
        counts: collector.counts,
        artifacts: collector.facts.artifacts,
        evidence: has_evidence.then(|| EvidenceReport {
            transcript: evidence.and_then(|it| it.transcript().map(str::to_owned)),
            claims: collector.facts.claims,
        }),
    }
}

fn delegation<'t>(returned: Returned<'_, 't>) -> Option<Delegation<'t>> {
    let Returned::Return(returned) = returned else {
        return None;
    };
    let metadata = returned.metadata.present()?;
    let path = metadata.delegation_path.items();
    Some(Delegation {
        depth: metadata.delegation_depth.present().map(|depth| depth.0),
        path: path.iter().filter_map(Field::present).cloned().collect(),
    })
}
