//! The steps of a return that was read, and the report on it. Behind the status of a compact return is a handoff
//! file, which is checked as a document of its own.

use std::borrow::Cow;
use std::path::Path;

use crate::check::report::{
    ArtifactReport, ArtifactState, EvidenceReport, Report, Return, StepOutcome, StepReport,
};
use crate::check::rules::taken::TakenValues;
use crate::check::rules::{self, RETURN_MISSING, answered, form, typed};
use crate::check::{Checker, Collector, Context, Input, Ran, ReturnFile};
use crate::document::tree::Tree;
use crate::profile::{Action, Profile, Shape, Status};
use crate::rule::{Level, Step};

impl<'t> Checker<'t> {
    pub(super) fn run_steps(&self, input: &Input<'t>, tree: &Tree<'t>) -> Report {
        let mut context = self.context(input);
        let root = tree.root();
        let taken = TakenValues::of(self.profile, root, input.text);
        let (returned, status);
        context.tree = Some(tree);
        // The formats of the documents are objects.
        let can_be_return = root.is_object() || self.profile.is_own();
        if can_be_return {
            (returned, status) = typed::returned(&taken, &context);
            context.set_returned(tree, &returned, status);
        }
        let mut collector = Collector::new(&context, &self.levels);
        form::check(&mut collector);
        answered::check(&mut collector);
        let mut steps = StepReport::of_all(|step| match step {
            Step::Json => collector.close_step(Ran::Checked),
            _ if !can_be_return => skipped("the return is not a JSON object"),
            _ => self.run_step(step, &taken, &mut collector),
        });
        for step in collector.failed_by_import() {
            steps[step.number() - 1].outcome = StepOutcome::Fail;
        }
        report(collector, steps)
    }

    fn run_step(
        &self,
        step: Step,
        taken: &TakenValues<'_, 't>,
        collector: &mut Collector<'_, 't>,
    ) -> StepOutcome {
        if let Some(skipped) = self.ends_before(collector) {
            return skipped;
        }
        let ran = match step {
            Step::Artifacts if self.profile.handoff_path.is_some() => self.check_handoff(collector),
            _ => rules::check(step, taken, collector),
        };
        collector.close_step(ran)
    }

    /// Why the next step does not run. None if it does.
    fn ends_before(&self, collector: &Collector<'_, 't>) -> Option<StepOutcome> {
        let has_failed = self.fail_fast && collector.has_failed();
        has_failed.then(|| skipped("an earlier step failed (--fail-fast)"))
    }

    /// Checks the handoff file that the agent of a compact return should have written.
    fn check_handoff(&self, collector: &mut Collector<'_, 't>) -> Ran {
        let (Some(session), Some(group)) = (self.expected.session, self.expected.group) else {
            return Ran::Skipped(
                "--session and --group are needed to find the handoff file".into(),
            );
        };
        let Some(agent) = self.expected.agent else {
            return Ran::Skipped("--agent is needed to find the handoff file".into());
        };
        let profile = self.profile.agent(agent);
        if profile.is_some_and(|agent| !agent.writes_handoff) {
            return Ran::Skipped("this agent writes no handoff file".into());
        }
        let path = self.profile.handoff_file(session, group, agent);
        let (Some(path), Some(profile)) = (path, self.handoff.as_deref()) else {
            return Ran::Checked;
        };
        let (state, bytes) = match self.root.read(Path::new(&path), self.max_bytes) {
            Ok(bytes) => self.check_handoff_text(profile, collector, &path, &bytes),
            Err(found) => (rules::handoff::unusable(collector, &path, found), None),
        };
        collector.facts.artifacts.push(ArtifactReport {
            path,
            kind: None,
            summary: None,
            state,
            bytes,
        });
        Ran::Checked
    }

    fn check_handoff_text(
        &self,
        profile: &Profile,
        collector: &mut Collector<'_, '_>,
        path: &str,
        bytes: &[u8],
    ) -> (ArtifactState, Option<u64>) {
        let checker = match &self.handoffs {
            Some(checker) => checker.with_profile(checker.profile),
            None => self.with_profile(profile),
        };
        let checker = checker
            .rule(&RETURN_MISSING, Level::Off)
            .returned_as(collector.context.input.text);
        let report = checker.check_file(bytes, ReturnFile::new(Path::new(path), None));
        rules::handoff::compare(&report, collector, path);
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let state = match size {
            0 => ArtifactState::Empty,
            _ => ArtifactState::Ok,
        };
        (state, Some(size))
    }
}

pub(super) fn report(mut collector: Collector<'_, '_>, steps: [StepReport; 6]) -> Report {
    collector.locate();
    let context = collector.context;
    let returned = context.returned;
    let object = context.object_of(Shape::Return);
    let said = returned.map_or_else(Return::default, |it| it.typed(object));
    let failures = collector.failures;
    // What a status claims counts once its step has run.
    let has_status = !matches!(steps[Step::Status as usize].outcome, StepOutcome::Skip(_));
    let evidence = context.expected.evidence;
    let profile = context.profile;
    let has_claims = profile.roles.has_claims() || profile.claims.compare_values();
    let has_evidence = evidence.is_some() || has_claims;
    let missing = collector.facts.missing_files;
    Report {
        envelope: None,
        root: (missing > 0).then(|| context.root.shown().to_owned()),
        profile: context.profile.id.clone(),
        form: profile.form,
        shape: profile.shape,
        text: Some(context.input.text.to_owned()).filter(|text| !text.is_empty()),
        claims_success: (has_status || profile.is_own()) && context.claims_success(),
        session: (context.expected.session.map(str::to_owned)).or_else(|| said.session_id.clone()),
        subagent: context.subagent().to_owned(),
        is_named_by_caller: context.expected.agent.is_some(),
        action: action(context, &said),
        next_agent: (context.status)
            .and_then(Status::next_agent)
            .map(str::to_owned),
        returned: said,
        failure: collector.facts.failure,
        summary_characters: collector.facts.summary_characters,
        measured: collector.facts.measured,
        steps,
        findings: collector.findings,
        failures,
        warnings: collector.warnings,
        accepted: 0,
        accepted_findings: Vec::new(),
        claimed: returned.and_then(|it| it.claimed).unwrap_or_default(),
        counts: collector.counts,
        artifacts: collector.facts.artifacts,
        evidence: has_evidence.then(|| EvidenceReport {
            transcript: evidence.and_then(|it| it.transcript().map(str::to_owned)),
            claims: collector.facts.claims,
        }),
    }
}

/// The action of the status. An unknown status has none. A task that failed only by recoverable errors
/// can be tried again.
fn action(context: &Context<'_, '_>, returned: &Return) -> Action {
    let recoverable = returned.recoverable();
    let action = context.status.map(Status::action);
    if context.profile.is_own() && action.is_none() && context.claims_success() {
        return Action::Open;
    }
    match (action, recoverable) {
        (Some(Action::Stop), Some(true)) => Action::Retry,
        (Some(action), _) => action,
        // A message of the profile any has none, and is all there is.
        (None, _) if context.profile.shape == Shape::Message => Action::Proceed,
        (None, _) => Action::Ask,
    }
}

pub(super) fn skipped(why: &'static str) -> StepOutcome {
    StepOutcome::Skip(Cow::Borrowed(why))
}
