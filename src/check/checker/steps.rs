//! The steps of a return that was read, and the report on it. Behind the status of a compact return is a handoff
//! file, which is checked as a document of its own.

use std::path::Path;

use crate::check::report::{
    ArtifactReport, ArtifactState, Report, Return, StepOutcome, StepReport,
};
use crate::check::rules::taken::TakenValues;
use crate::check::rules::{self, RETURN_MISSING, answered, form, typed};
use crate::check::{Checker, Collector, Context, Input, ReturnFile};
use crate::document::tree::Tree;
use crate::profile::{Action, Shape, Status};
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
            (context.returned, context.status) = (Some(&returned), status);
        }
        let mut collector = Collector::new(&context, &self.levels);
        let is_message = self.profile.shape == Shape::Message;
        if !is_message {
            form::check(&mut collector);
            answered::check(&mut collector);
        } else if !answered::check_presence(&mut collector) {
            answered::check(&mut collector);
            answered::check_text(&mut collector);
        }
        rules::changes::check_outside(&mut collector);
        let steps = StepReport::of_all(|step| {
            let outcome = match step {
                Step::Artifacts if is_message && !can_be_return => StepOutcome::Skip(
                    "only files in a JSON message, or in its only code fence, are checked".into(),
                ),
                _ if is_message && step != Step::Artifacts => {
                    StepOutcome::Skip("the profile any asks for no form".into())
                }
                Step::Json => StepOutcome::Pass,
                _ if !can_be_return => StepOutcome::Skip("the return is not a JSON object".into()),
                _ if self.fail_fast && collector.has_failed() => {
                    StepOutcome::Skip("an earlier step failed (--fail-fast)".into())
                }
                Step::Artifacts if self.profile.has_handoff_file() => {
                    self.check_handoff(&mut collector)
                }
                _ => rules::check(step, &taken, &mut collector),
            };
            collector.close_step(outcome)
        });
        report(collector, steps)
    }

    /// Checks the handoff file that the agent of a compact return should have written.
    fn check_handoff(&self, collector: &mut Collector<'_, 't>) -> StepOutcome {
        let skipped = |why: &'static str| StepOutcome::Skip(why.into());
        let (Some(session), Some(group)) = (self.expected.session, self.expected.group) else {
            return skipped("--session and --group are needed to find the handoff file");
        };
        let Some(agent) = self.expected.agent else {
            return skipped("--agent is needed to find the handoff file");
        };
        let known = self.profile.agent(agent);
        if known.is_some_and(|agent| !agent.writes_handoff) {
            return skipped("this agent writes no handoff file");
        }
        let names = [session, group, agent];
        let path = (self.profile).handoff_file(names, |path| self.root.has(path));
        let (Some(path), Some(profile)) = (path, self.handoff.as_deref()) else {
            return StepOutcome::Pass;
        };
        let (state, bytes) = match self.root.read(Path::new(&path), self.max_bytes) {
            Ok(bytes) => {
                let own = || self.with_profile(profile);
                let checker = self.handoffs.as_deref().cloned().unwrap_or_else(own);
                let mut checker = checker.rule(&RETURN_MISSING, Level::Off);
                checker.expected.returned_as = Some(collector.context.input.text);
                let file = ReturnFile::new(Path::new(&path), None);
                rules::handoff::compare(&checker.check_file(&bytes, file), collector, &path);
                match bytes.len() {
                    0 => (ArtifactState::Empty, Some(0)),
                    length => (ArtifactState::Ok, u64::try_from(length).ok()),
                }
            }
            Err(found) => (rules::handoff::unusable(collector, &path, found), None),
        };
        let artifact = ArtifactReport { path, state, bytes };
        collector.facts.artifacts.push(artifact);
        StepOutcome::Pass
    }
}

pub(super) fn report(mut collector: Collector<'_, '_>, mut steps: [StepReport; 6]) -> Report {
    // What a status claims counts once its step has run.
    let has_status = !matches!(steps[Step::Status as usize].outcome, StepOutcome::Skip(_));
    collector.finish(&mut steps);
    let Collector { context, facts, findings, counts, .. } = collector;
    let (returned, profile) = (context.returned, context.profile);
    let object = context.object_of(Shape::Return);
    let said = returned.map_or_else(Return::default, |it| it.typed(object));
    let subject = context.subject().filter(|it| it.has_transcript());
    let next_agent = context.status.and_then(Status::next_agent);
    let is_open = matches!(profile.shape, Shape::Own | Shape::Message);
    let has_claims = profile.roles.has_claims() || profile.claims.compare_values();
    let found = |level| {
        let counts = counts.iter().filter(|it| it.level == level);
        counts.map(|it| it.findings).sum()
    };
    Report {
        envelope: None,
        root: (facts.missing_files > 0).then(|| context.root.shown().to_owned()),
        profile: profile.id.clone(),
        form: profile.form,
        shape: profile.shape,
        text: Some(context.input.text.to_owned()).filter(|text| !text.is_empty()),
        claims_success: (has_status || is_open) && context.claims_success(),
        session: (context.expected.session.map(str::to_owned)).or_else(|| said.session_id.clone()),
        subagent: context.subagent().unwrap_or("subagent").to_owned(),
        is_named_by_caller: context.expected.agent.is_some(),
        action: action(context, &said),
        next_agent: next_agent.map(str::to_owned),
        returned: said,
        failure: facts.failure,
        summary_characters: facts.summary_characters,
        measured: facts.measured,
        steps,
        findings,
        failures: found(Level::Error),
        warnings: found(Level::Warning),
        accepted: Vec::new(),
        claimed: returned.and_then(|it| it.claimed).unwrap_or_default(),
        artifacts: facts.artifacts,
        evidence: (context.expected.evidence.is_some() || has_claims).then_some(facts.claims),
        receipt: subject.and_then(|it| it.receipt(context.root, context.input.whole)),
        counts,
    }
}

/// The action of the status. A task that failed only by recoverable errors can be tried again.
fn action(context: &Context<'_, '_>, returned: &Return) -> Action {
    match context.status.map(Status::action) {
        Some(Action::Stop) if returned.recoverable() == Some(true) => Action::Retry,
        Some(action) => action,
        None if context.profile.is_own() && context.claims_success() => Action::Open,
        // A message of the profile any has none, and is all there is.
        None if context.profile.shape == Shape::Message => Action::Proceed,
        None => Action::Ask,
    }
}
