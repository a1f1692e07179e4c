//! Step 6, only with evidence: the agent did the work that its return claims. It wrote the files, and the
//! tests ran and passed. Each claim that was compared with the evidence is kept for the report, and a
//! contradicted one becomes a finding.

use crate::check::report::{ArtifactState, Report};
use crate::check::returned::{ReadArtifact, ReadReturn};
use crate::check::rules::artifacts;
use crate::check::rules::claimed_paths::PathTarget;
use crate::check::{Collector, Context, Location};
use crate::evidence::{Assessment, ClaimedFile, EvidenceValue, Subject};
use crate::profile::{Profile, Shape};
use crate::rule::{Claimed, Rule, Step, ToAgent};
use crate::text::is_blank;

pub(crate) static NONE: Rule = Rule {
    id: "work-none",
    claim: Some((Claimed::Work, "the agent did work")),
    message: "Agent claims work that it cannot have done ({why})",
    help: "Have {agent} do the task, or return that it failed",
    message_to_agent: ToAgent::Words("You claim work that you cannot have done ({why})"),
    advice_to_agent: "Do the task, or return that you failed",
    ..Rule::error(Step::Artifacts)
};

pub(super) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let (Some(returned), Some(subject)) = (context.returned, context.subject()) else {
        return;
    };
    if !context.claims_success() {
        return;
    }
    if collector.is_enabled(&NONE)
        && let Some(at) = claimed_work(returned, collector)
        && let Some(nothing) = subject.did_nothing()
    {
        return collector.assess(&NONE, at, (None, ""), &nothing);
    }
    check_tests(collector, returned, subject);
    let claims = returned.artifacts.iter().take(Report::FINDINGS_KEPT);
    for (index, claim) in claims.enumerate() {
        let is_there = (collector.facts.artifacts.get(index))
            .is_some_and(|it| matches!(it.state, ArtifactState::Ok | ArtifactState::Empty));
        if subject.is_of_record_alone() || is_there {
            artifact_work(collector, subject, claim);
        }
    }
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

pub(crate) static UNKNOWN: Rule = Rule {
    id: "evidence-unknown",
    message: "Artifact is not shown to be the work of the agent: {path} ({why})",
    help: "Have {agent} write the file with a file tool, and give its whole transcript",
    message_to_agent: ToAgent::Words("Your artifact is not shown to be your work: {path} ({why})"),
    advice_to_agent: "Write the file with a file tool, if you have not",
    ..Rule::error(Step::Artifacts)
};

pub(crate) static UNWRITTEN: Rule = Rule {
    id: "artifact-unwritten",
    claim: Some((Claimed::Artifact, "the agent wrote the file")),
    message: "Artifact was not written by the agent: {path} ({why})",
    help: "Have {agent} write the file, or leave it out of its artifacts",
    message_to_agent: ToAgent::Words("You did not write your artifact: {path} ({why})"),
    advice_to_agent: "Write the file, or leave it out of your artifacts",
    ..Rule::error(Step::Artifacts)
};

pub(crate) static BY_ANOTHER: Rule = Rule {
    id: "artifact-by-another",
    claim: Some((
        Claimed::Artifact,
        "no other agent wrote the file in its place",
    )),
    message: "Artifact was written by another agent: {path} ({why})",
    help: "Have {agent} list only files that it wrote itself",
    advice_to_agent: "List only files that you wrote yourself",
    ..Rule::warning(Step::Artifacts)
};

pub(crate) static STALE: Rule = Rule {
    id: "artifact-stale",
    claim: Some((Claimed::Artifact, "the file was changed in this run")),
    message: "Artifact is older than the run of the agent: {path} ({why})",
    help: "Have {agent} write the file in this run, or leave it out of its artifacts",
    message_to_agent: ToAgent::Words("Your artifact is older than your run: {path} ({why})"),
    advice_to_agent: "Write the file in this run, or leave it out of your artifacts",
    ..Rule::warning(Step::Artifacts)
};

pub(crate) static UNCHANGED: Rule = Rule {
    id: "artifact-unchanged",
    claim: Some((Claimed::Artifact, "the file differs from the base commit")),
    message: "Artifact is the same as in the base commit: {path} ({why})",
    help: "Have {agent} change the file, or leave it out of its artifacts",
    advice_to_agent: "Change the file, or leave it out of your artifacts",
    ..Rule::warning(Step::Artifacts)
};

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
    let is = |value| {
        let mut found = found.iter().filter(|(rule, _)| counts(rule));
        found.find(|(_, it)| it.value == value)
    };
    let is_known = is(EvidenceValue::Shown).or(is(EvidenceValue::Contradicted));
    if let (true, None, Some((_, doubt))) = (
        context.requires_evidence(),
        is_known,
        is(EvidenceValue::Unknown),
    ) {
        collector.doubt(&UNKNOWN, at, about, doubt);
    }
}

/// The assessment of a file by each rule that applies.
fn assess(
    context: &Context<'_, '_>,
    subject: &Subject<'_>,
    relative: &str,
) -> Vec<(&'static Rule, Assessment)> {
    let file = ClaimedFile::new(context.root, relative).work_trees(subject.work_trees());
    let mut found = Vec::new();
    if subject.has_transcript() || context.requires_evidence() {
        let wrote = subject.wrote(&file);
        let another = subject.another_wrote(&file, wrote.value);
        found.push((&UNWRITTEN, wrote));
        found.extend(another.map(|another| (&BY_ANOTHER, another)));
    }
    let differs = differs(subject, &file, found.first().map(|(_, wrote)| wrote));
    if subject.has_start() {
        let wrote = found.first().map(|(_, wrote)| wrote);
        let changed = subject.changed(&file, wrote, differs.as_ref());
        found.push((&STALE, changed));
    }
    found.extend(differs.map(|differs| (&UNCHANGED, differs)));
    if let Some(((_, wrote), others)) = found.split_first_mut() {
        wrote.unless_elsewhere(others.iter().map(|(_, other)| other));
    }
    found
}

#[cfg(feature = "git")]
pub(super) fn differs(
    subject: &Subject<'_>,
    file: &ClaimedFile<'_>,
    wrote: Option<&Assessment>,
) -> Option<Assessment> {
    subject.differs(file, wrote)
}

#[cfg(not(feature = "git"))]
pub(super) fn differs(
    _: &Subject<'_>,
    _: &ClaimedFile<'_>,
    _: Option<&Assessment>,
) -> Option<Assessment> {
    None
}

pub(crate) static UNTESTED: Rule = Rule {
    id: "claim-untested",
    claim: Some((Claimed::Work, "the tests passed")),
    applies: Profile::can_claim_tests,
    message: "Tests are claimed that did not pass ({why})",
    help: "Have {agent} run the tests, and return what they say",
    message_to_agent: ToAgent::Words("You claim tests that did not pass ({why})"),
    advice_to_agent: "Run the tests, and return what they say",
    ..Rule::warning(Step::Artifacts)
};

pub(crate) static TESTS_STALE: Rule = Rule {
    id: "claim-tests-stale",
    claim: Some((Claimed::Work, "no code was changed after the tests")),
    applies: Profile::can_claim_tests,
    message: "Tests are claimed for older code ({why})",
    help: "Have {agent} run the tests again after its last change",
    message_to_agent: ToAgent::Words("You claim tests of older code ({why})"),
    advice_to_agent: "Run the tests again after your last change",
    ..Rule::warning(Step::Artifacts)
};

fn check_tests(
    collector: &mut Collector<'_, '_>,
    returned: &ReadReturn<'_, '_>,
    subject: &Subject<'_>,
) {
    let Some(claimed) = returned.tests.as_ref().filter(|_| subject.has_transcript()) else {
        return;
    };
    let at = claimed.at.into();
    if collector.is_enabled(&UNTESTED) {
        let tested = subject.tested(claimed.all_passed);
        collector.assess(&UNTESTED, at, (None, ""), &tested);
    }
    if let Some(stale) = subject.changed_after_tests()
        && collector.is_enabled(&TESTS_STALE)
    {
        collector.assess(&TESTS_STALE, at, (None, ""), &stale);
    }
}
