//! Step 6, only with evidence: the agent did the work that its return claims. It wrote the files, and the
//! tests ran and passed. Each claim that was compared with the evidence is kept for the report, and a
//! contradicted one becomes a finding.

use crate::check::report::{ArtifactState, Report};
use crate::check::returned::{ReadArtifact, ReadReturn};
use crate::check::rules::claimed_paths::{self, PathTarget};
use crate::check::{Collector, Context, Location, Placeholder, values};
use crate::document::pointer::Pointer;
use crate::evidence::{Assessment, ClaimedFile, EvidenceValue, Subject};
use crate::profile::{Profile, Shape};
use crate::rule::{Claimed, Rule, Step, ToAgent};
use crate::text::{Span, is_blank};

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
        && let Some(pointer) = claimed_work(returned, collector)
        && let Some(nothing) = subject.did_nothing()
    {
        return AssessedClaim::new(&NONE, &pointer).collect(collector, &nothing);
    }
    check_tests(collector, subject);
    let claims = returned.artifacts.iter().take(Report::FINDINGS_KEPT);
    for (index, claim) in claims.enumerate() {
        let artifact = collector.facts.artifacts.get(index);
        if subject.is_of_record_alone() || artifact.is_some_and(|it| is_there(it.state)) {
            artifact_work(collector, subject, claim);
        }
    }
}

/// Where work is claimed that needs a tool call. That is a list of files, passing tests, or the
/// decision of a handoff, because a handoff is a file itself. None if nothing of the kind is claimed.
fn claimed_work(
    returned: &ReadReturn<'_, '_>,
    collector: &Collector<'_, '_>,
) -> Option<Pointer<'static>> {
    let context = collector.context;
    if !collector.facts.artifacts.is_empty() {
        return Some(context.pointer_of(claimed_paths::list(context)));
    }
    if let Some(tests) = &returned.tests {
        return Some(tests.pointer.clone());
    }
    if returned.has_commits {
        return Some(returned.place("commits"));
    }
    let handoff = context.object_of(Shape::Handoff)?;
    let decision = handoff.text_of("decision").filter(|text| !is_blank(text));
    decision.map(|_| Pointer::root().key("decision"))
}

fn is_there(state: ArtifactState) -> bool {
    matches!(state, ArtifactState::Ok | ArtifactState::Empty)
}

pub(crate) static UNKNOWN: Rule = Rule {
    id: "evidence-unknown",
    message: "Artifact is not shown to be the work of the agent: {path} ({why})",
    help: "Have {agent} write the file with a file tool, and give its whole transcript",
    message_to_agent: ToAgent::Words("Your artifact is not shown to be your work: {path} ({why})"),
    advice_to_agent: "Write the file with a file tool, if you have not",
    ..Rule::error(Step::Artifacts)
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
    let pointer = claim.at.pointer();
    let of = |rule| AssessedClaim::new(rule, &pointer).path(&claim.path);
    let found = assess(context, subject, &relative);
    for (rule, assessment) in &found {
        if collector.is_enabled(rule) {
            of(*rule).collect(collector, assessment);
        }
    }
    // A file that differs from the base commit may still have been changed before this run.
    let counts = |rule: &&'static Rule| found.len() == 1 || rule.id != UNCHANGED.id;
    let is = |value| {
        let mut found = found.iter().filter(|(rule, _)| counts(rule));
        found.find(|(_, it)| it.value == value)
    };
    let is_open = is(EvidenceValue::Shown)
        .or(is(EvidenceValue::Contradicted))
        .is_none();
    if let (true, true, Some((_, doubt))) = (
        context.requires_evidence(),
        is_open,
        is(EvidenceValue::Unknown),
    ) {
        of(&UNKNOWN).report(collector, doubt);
    }
}

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

fn check_tests(collector: &mut Collector<'_, '_>, subject: &Subject<'_>) {
    let claimed = collector.context.returned.and_then(|it| it.tests.as_ref());
    let Some(claimed) = claimed.filter(|_| subject.has_transcript()) else {
        return;
    };
    let of = |rule| AssessedClaim::new(rule, &claimed.pointer);
    if collector.is_enabled(&UNTESTED) {
        let tested = subject.tested(claimed.all_passed);
        of(&UNTESTED).collect(collector, &tested);
    }
    if let Some(stale) = subject
        .changed_after_tests()
        .filter(|_| collector.is_enabled(&TESTS_STALE))
    {
        of(&TESTS_STALE).collect(collector, &stale);
    }
}

/// A claim of a return, and the rule that checks it.
#[derive(Clone, Copy)]
pub(super) struct AssessedClaim<'c> {
    /// Its texts can have the reason, the path and the other value.
    rule: &'static Rule,
    pointer: &'c Pointer<'c>,
    /// The claimed file, as the return spells its path.
    path: Option<&'c str>,
    /// Another value of the return that the message shows.
    found: Option<&'c str>,
}

impl<'c> AssessedClaim<'c> {
    pub(super) fn new(rule: &'static Rule, pointer: &'c Pointer<'c>) -> Self {
        Self {
            rule,
            pointer,
            path: None,
            found: None,
        }
    }

    pub(super) fn path(self, path: &'c str) -> Self {
        let path = Some(path);
        Self { path, ..self }
    }

    pub(super) fn found(self, found: &'c str) -> Self {
        let found = Some(found);
        Self { found, ..self }
    }

    /// Adds the claim to the report, and a finding if it is contradicted.
    pub(super) fn collect(&self, collector: &mut Collector<'_, '_>, assessment: &Assessment) {
        if assessment.value == EvidenceValue::Contradicted {
            self.report(collector, assessment);
        }
        collector.claim(self.rule, self.pointer, self.path, assessment);
    }

    /// Adds a finding with the reason for the assessment.
    pub(super) fn report(&self, collector: &mut Collector<'_, '_>, assessment: &Assessment) {
        let values = values![
            why = Placeholder::Reason(&assessment.reason),
            path = self.path.unwrap_or_default(),
            found = self.found.unwrap_or_default(),
        ];
        let location = if self.pointer.steps().is_empty() {
            // A text that is not JSON has no values to point at.
            Location::Bytes(Span::default(), None)
        } else {
            Location::Value(self.pointer.clone())
        };
        collector.report(self.rule, location, &values);
    }
}
