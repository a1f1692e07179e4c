//! Step 6, only with evidence: the agent did the work that its return claims. It wrote the files, and the
//! tests ran and passed. Each claim that was compared with the evidence is kept for the report, and a
//! contradicted one becomes a finding.

use crate::check::report::{ArtifactState, Report};
use crate::check::returned::{ReadArtifact, ReadReturn};
use crate::check::rules::claimed_paths::PathTarget;
use crate::check::rules::{artifacts, changes, seen};
use crate::check::{Collector, Context, Location};
use crate::evidence::{Assessment, EvidenceValue, Subject};
use crate::profile::{Profile, Shape};
use crate::rule::{Claimed, Rule, Step};
use crate::text::is_blank;

pub(crate) static NONE: Rule = Rule::error(Step::Artifacts, "work-none")
    .claims(Claimed::Work, "the agent did work")
    .says("Agent claims work that it cannot have done ({why})")
    .advises("Do the task, or return that you failed");

pub(super) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let (Some(returned), Some(subject)) = (context.returned, context.subject()) else {
        return;
    };
    let is_success = context.claims_success();
    if collector.is_enabled(&NONE)
        && let Some(nothing) = subject.did_nothing()
    {
        let claimed = is_success.then(|| claimed_work(returned, collector));
        let found = match claimed.flatten() {
            Some(at) => Some((at, nothing)),
            None => seen::without_a_call(context, returned, subject, nothing),
        };
        if let Some((at, nothing)) = found {
            return collector.assess(&NONE, at, (None, ""), &nothing);
        }
    }
    seen::check(collector, returned, subject);
    if !is_success {
        return;
    }
    check_tests(collector, returned, subject);
    let claims = returned.artifacts.iter().take(Report::FINDINGS_KEPT);
    for (index, claim) in claims.enumerate() {
        let is_there = (collector.facts.artifacts.get(index))
            .is_some_and(|it| matches!(it.state, ArtifactState::Ok | ArtifactState::Empty));
        if subject.evidence.is_of_record_alone || is_there {
            artifact_work(collector, subject, claim);
        }
    }
    changes::check_committed(collector, returned, subject);
}

/// Where work is claimed that needs a tool call. That is a list of files, passing tests, or the
/// decision of a handoff, because a handoff is a file itself. None if nothing of the kind is claimed.
fn claimed_work<'v>(
    returned: &ReadReturn<'v, '_>,
    collector: &Collector<'v, '_>,
) -> Option<Location<'v>> {
    let context = collector.context;
    if !collector.facts.artifacts.is_empty() {
        return Some(artifacts::list(context).into());
    }
    if let Some(tests) = &returned.tests {
        return Some(tests.at.into());
    }
    if returned.has_commits {
        return Some("commits".into());
    }
    let decision = context.object_of(Shape::Handoff)?.member("decision")?;
    let has_text = decision.text().is_some_and(|text| !is_blank(text));
    has_text.then_some(decision.into())
}

pub(crate) static UNKNOWN: Rule = Rule::error(Step::Artifacts, "evidence-unknown")
    .says("Artifact is not shown to be the work of the agent: {path} ({why})")
    .helps("Have {agent} write the file with a file tool, and give its whole transcript")
    .advises("Write the file with a file tool, unless that was done");

pub(crate) static UNWRITTEN: Rule = Rule::error(Step::Artifacts, "artifact-unwritten")
    .claims(Claimed::Work, "the agent wrote the file")
    .says("Artifact was not written by the agent: {path} ({why})")
    .advises("Write the file, or leave it out of your artifacts");

pub(crate) static BY_ANOTHER: Rule = Rule::warning(Step::Artifacts, "artifact-by-another")
    .claims(Claimed::Work, "no other agent wrote the file instead of it")
    .says("Artifact was written by another agent: {path} ({why})")
    .advises("List only files that you wrote yourself");

pub(crate) static STALE: Rule = Rule::warning(Step::Artifacts, "artifact-stale")
    .claims(Claimed::Work, "the file was changed in this run")
    .says("Artifact is older than the run of the agent: {path} ({why})")
    .advises("Write the file in this run, or leave it out of your artifacts");

pub(crate) static UNCHANGED: Rule = Rule::warning(Step::Artifacts, "artifact-unchanged")
    .claims(Claimed::Work, "the file differs from the base commit")
    .says("Artifact is the same as in the base commit: {path} ({why})")
    .advises("Change the file, or leave it out of your artifacts");

fn artifact_work(
    collector: &mut Collector<'_, '_>,
    subject: &Subject<'_>,
    claim: &ReadArtifact<'_, '_>,
) {
    let context = collector.context;
    let PathTarget::Below(relative) = PathTarget::of(&claim.path, context.root) else {
        return;
    };
    let (at, about) = (Location::from(claim.at), (Some(&*claim.path), ""));
    let found = assess(context, subject, &relative);
    for (rule, assessment) in &found {
        if collector.is_enabled(rule) {
            collector.assess(rule, at, about, assessment);
        }
    }
    // A file that differs from the base commit may still have been changed before this run.
    let counts = |rule: &Rule| found.len() == 1 || rule.id != UNCHANGED.id;
    let counted = found.iter().filter(|(rule, _)| counts(rule));
    let mut counted = counted.map(|(_, it)| it);
    let is_unknown = counted.clone().all(|it| it.value == EvidenceValue::Unknown);
    if let Some(doubt) = counted.next()
        && is_unknown
        && context.requires_evidence()
    {
        collector.doubt(&UNKNOWN, at, about, doubt);
    }
}

fn assess(
    context: &Context<'_, '_>,
    subject: &Subject<'_>,
    relative: &str,
) -> Vec<(&'static Rule, Assessment)> {
    let file = subject.file(context.root, relative);
    let is_asked = subject.has_transcript() || context.requires_evidence();
    let wrote = is_asked.then(|| subject.wrote(&file));
    let known = wrote.as_ref();
    let another = known.and_then(|wrote| subject.another_wrote(&file, wrote.value));
    let differs = subject.differs(&file, wrote.as_ref());
    let start = subject.start;
    let changed = start.map(|_| subject.changed(&file, wrote.as_ref(), differs.as_ref()));
    let found =
        [(&UNWRITTEN, wrote), (&BY_ANOTHER, another), (&STALE, changed), (&UNCHANGED, differs)];
    let found = found.into_iter();
    let found = found.filter_map(|(rule, found)| Some((rule, found?)));
    found.collect()
}

pub(crate) static UNTESTED: Rule = Rule::error(Step::Artifacts, "claim-untested")
    .applies_to(Profile::can_claim_tests)
    .claims(Claimed::Work, "the agent ran tests")
    .says("Tests are claimed that did not run ({why})")
    .advises("Run the tests, and return what they say");

pub(crate) static TESTS_FAILED: Rule = Rule::error(Step::Artifacts, "claim-tests-failed")
    .applies_to(Profile::can_claim_tests)
    .claims(Claimed::Work, "the tests passed")
    .says("Tests are claimed that failed ({why})")
    .advises("Return how many tests failed, or run them again once they pass");

pub(crate) static TESTS_STALE: Rule = Rule::warning(Step::Artifacts, "claim-tests-stale")
    .applies_to(Profile::can_claim_tests)
    .claims(Claimed::Work, "no code was changed after the tests")
    .says("Tests are claimed for older code ({why})")
    .advises("Run the tests again after your last change");

fn check_tests(
    collector: &mut Collector<'_, '_>,
    returned: &ReadReturn<'_, '_>,
    subject: &Subject<'_>,
) {
    let Some(claimed) = returned.tests.as_ref().filter(|_| subject.has_transcript()) else {
        return;
    };
    let at = claimed.at.into();
    let tested = subject.tested(claimed.all_passed);
    let has_failed = tested.is_contradicted() && subject.ran_command();
    let rule = [&UNTESTED, &TESTS_FAILED][usize::from(has_failed)];
    if collector.is_enabled(rule) {
        collector.assess(rule, at, (None, ""), &tested);
    }
    if let Some(stale) = subject.changed_after_tests()
        && collector.is_enabled(&TESTS_STALE)
    {
        collector.assess(&TESTS_STALE, at, (None, ""), &stale);
    }
}
