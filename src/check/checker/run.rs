//! The path of one return: bytes, text, JSON, typed return, steps, report. The profile says what comes in
//! place of the steps: a message need have no form, and behind the status of a compact return is a handoff
//! file, which is checked as a document of its own.

use std::borrow::Cow;
use std::path::Path;
use std::time::SystemTime;

use serde::de::IgnoredAny;

use crate::check::next::follow_up;
use crate::check::report::{
    ArtifactReport, ArtifactState, Delegation, EvidenceReport, Report, StepOutcome, StepReport,
};
use crate::check::returned::Return;
use crate::check::rules::own::schema::check_added;
use crate::check::rules::{self, RETURN_MISSING, answered, json};
use crate::check::{Checker, Collector, Context, Input, Ran, ReturnFile, SizeLimit};
use crate::clients::output;
use crate::document::error::FormError;
use crate::document::extract::{Contents, contents};
use crate::document::fault::{diagnose, diagnose_inside, half_pair, not_utf8};
use crate::document::json::{Refused, depth, read};
use crate::document::tree::{BYTES_IN_TREE, Tree, Value};
use crate::document::{DEPTH_AT_MOST, ITEMS_AT_MOST};
use crate::profile::standard::Standard;
use crate::profile::{Profile, Shape};
use crate::rule::{Level, Step};
use crate::text::{Base, Positions, Span};

const NOT_JSON: &str = "the return is not valid JSON";

impl<'c> Checker<'c> {
    /// Checks one return. Reads nothing but the artifacts that it claims (and, for a compact
    /// return, the handoff file), never outside the root.
    #[must_use]
    pub fn check<'t>(&self, bytes: &'t (impl AsRef<[u8]> + ?Sized)) -> Report<'t>
    where
        'c: 't,
    {
        self.check_file(bytes.as_ref(), ReturnFile::default())
    }

    /// Checks one return that is the whole of a file. Some rules look at its place and its age; nothing
    /// is read from it.
    pub(crate) fn check_file<'t>(&self, bytes: &'t [u8], file: ReturnFile<'t>) -> Report<'t>
    where
        'c: 't,
    {
        self.check_part(bytes, Base::default(), file)
    }

    /// Checks one return, or the return in an envelope, which can be a part of a larger file such as a line
    /// of a stream.
    pub(crate) fn check_part<'t>(
        &self,
        bytes: &'t [u8],
        base: Base,
        file: ReturnFile<'t>,
    ) -> Report<'t>
    where
        'c: 't,
    {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if size > self.max_bytes.min(BYTES_IN_TREE) {
            return self.refuse_size(base);
        }
        let report = self.check_bytes(bytes, base, file);
        let may_be_inside = self.envelope
            && report.status.is_none()
            && (!report.is_valid() || self.profile.shape == Shape::Message);
        match may_be_inside.then(|| self.check_inside(bytes, base, file.written)) {
            Some(Some(inside)) => inside,
            _ => report,
        }
    }

    /// The report on the return in an envelope. Its findings are located at the value that holds the
    /// return, because the lines of the return itself are not lines of the file.
    fn check_inside(
        &self,
        bytes: &[u8],
        base: Base,
        written: Option<SystemTime>,
    ) -> Option<Report<'static>> {
        let opened = output::open(std::str::from_utf8(bytes).ok()?)?;
        let message = opened.message.as_bytes();
        let file = ReturnFile::new(None, written);
        let input = Input {
            file,
            failure: opened.failure.as_ref(),
            ..Input::of_text(message, &opened.message, Base::default())
        };
        let mut report = self.check_text(&input).into_owned();
        let mut positions = Positions::new(bytes, base);
        let [start, end] = [opened.span.start, opened.span.end].map(|at| positions.of(at));
        for finding in &mut report.findings {
            (finding.position, finding.end) = (start, end);
        }
        report.envelope = opened.envelope;
        Some(report)
    }

    fn check_bytes<'t>(&self, bytes: &'t [u8], base: Base, file: ReturnFile<'t>) -> Report<'t>
    where
        'c: 't,
    {
        // The faster check does not say what is wrong.
        let text = simdutf8::basic::from_utf8(bytes).or_else(|_| std::str::from_utf8(bytes));
        match text {
            Ok(text) => {
                let input = Input::of_text(bytes, text, base);
                self.check_text(&Input { file, ..input })
            }
            Err(error) => self.refuse_bytes(&Input::of_bytes(bytes, base), &not_utf8(bytes, error)),
        }
    }
}

impl<'t> Checker<'t> {
    /// The report on a return of more than [`max_bytes`](Self::max_bytes), which need not be read
    /// to be refused.
    pub(crate) fn refuse_size(&self, base: Base) -> Report<'t> {
        let limit = SizeLimit::Bytes(self.max_bytes);
        self.refuse_limit(&Input::of_bytes(b"", base), limit, Span::default())
    }

    fn check_text(&self, input: &Input<'t>) -> Report<'t> {
        if let Some(standard) = &self.profile.standard {
            let failure = self.context(input).failure_in_place();
            return if failure.is_some() && self.requires_return() {
                self.refused(input, "the client failed", |_| {})
            } else {
                self.check_own(standard, input)
            };
        }
        if self.profile.shape == Shape::Message {
            return self.check_message(input);
        }
        match read(input.text) {
            Ok(tree) => self.run_steps(input, &tree),
            Err(Refused::Items(at)) => {
                self.refuse_limit(input, SizeLimit::Items(ITEMS_AT_MOST), Span::new(at, 0))
            }
            Err(_) => self.check_unread(input),
        }
    }

    /// Whether it fails that there is no return. Otherwise what stands in its place is checked.
    pub(super) fn requires_return(&self) -> bool {
        self.levels.level(&answered::MISSING) == Level::Error
    }

    /// The text is not JSON, or nested too deep, or has half a surrogate pair. `serde_json` says what is wrong.
    fn check_unread(&self, input: &Input<'t>) -> Report<'t> {
        if let Err(error) = serde_json::from_str::<IgnoredAny>(input.text) {
            return self.check_embedded(input, &error);
        }
        let (found, most) = (depth(input.text), DEPTH_AT_MOST);
        if found > most {
            let limit = SizeLimit::Depth { found, most };
            return self.refuse_limit(input, limit, Span::default());
        }
        self.refuse(input, &half_pair(input.text))
    }

    /// The text is not JSON: where allowed, the return may be a part of it.
    pub(super) fn check_embedded(
        &self,
        input: &Input<'t>,
        error: &serde_json::Error,
    ) -> Report<'t> {
        let has_contents = input.wrapping.is_none() && !has_mark(input.text);
        let found = has_contents.then(|| contents(input.text));
        let is_one = matches!(found, Some(Contents::One { .. }));
        let fault = match found.filter(|_| self.extract) {
            Some(Contents::One { place, wrapping }) => {
                let text = &input.whole[place.start..place.end];
                let wrapping = Some(wrapping);
                let inside = Input {
                    text,
                    start: place.start,
                    wrapping,
                    ..*input
                };
                return self.check_text(&inside);
            }
            Some(contents) => diagnose_inside(input.text, &contents, error),
            None => diagnose(input.text, error),
        };
        // A handoff file holds nothing but the handoff, whatever the options are.
        let extracts = is_one && self.profile.shape != Shape::Handoff;
        self.refused(input, NOT_JSON, |collector| {
            json::not_json(collector, &fault, extracts);
        })
    }

    fn run_steps(&self, input: &Input<'t>, tree: &Tree<'t>) -> Report<'t> {
        let mut context = self.context(input);
        let object = tree.root();
        let returned = Return::of(self.profile.shape, object);
        if object.is_object() {
            context.set_returned(tree, &returned);
        } else {
            context.tree = Some(tree);
        }
        let mut collector = Collector::new(&context, &self.levels);
        json::check(&mut collector);
        answered::check(&mut collector);
        let mut steps = StepReport::of_all(|step| match step {
            Step::Json => collector.close_step(Ran::Checked),
            _ if !object.is_object() => skipped("the return is not a JSON object"),
            _ => self.run_step(step, &mut collector),
        });
        for step in collector.failed_by_import() {
            steps[step.number() - 1].outcome = StepOutcome::Fail;
        }
        report(collector, steps)
    }

    fn run_step(&self, step: Step, collector: &mut Collector<'_, 't>) -> StepOutcome {
        if let Some(skipped) = self.ends_before(collector) {
            return skipped;
        }
        let ran = match step {
            Step::Artifacts if self.profile.handoff_path.is_some() => self.check_handoff(collector),
            _ => rules::check(step, collector),
        };
        if step == Step::Fields {
            check_added(collector);
        }
        collector.close_step(ran)
    }

    /// Why the next step does not run. None if it does.
    pub(super) fn ends_before(&self, collector: &Collector<'_, 't>) -> Option<StepOutcome> {
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
            path: path.into(),
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

    fn check_message(&self, input: &Input<'t>) -> Report<'t> {
        let context = self.context(input);
        let mut collector = Collector::new(&context, &self.levels);
        let is_missing = answered::check_presence(&mut collector);
        if !is_missing {
            answered::check(&mut collector);
        }
        let steps = StepReport::of_all(|step| {
            let why = match step {
                Step::Json => "the profile any asks for no JSON",
                Step::Fields => "the profile any has no fields",
                Step::Status => "the profile any has no status",
                Step::Session => "the profile any has no session ID",
                Step::Summary => "the profile any has no summary",
                Step::Artifacts => "the profile any has no artifacts",
            };
            if step == Step::Fields && !is_missing {
                answered::check_text(&mut collector);
            }
            collector.close_step(Ran::Skipped(why.into()))
        });
        report(collector, steps)
    }

    pub(super) fn refuse(&self, input: &Input<'t>, fault: &FormError) -> Report<'t> {
        self.refused(input, NOT_JSON, |collector| {
            json::not_json(collector, fault, false);
        })
    }

    fn refuse_limit(&self, input: &Input<'t>, limit: SizeLimit, span: Span) -> Report<'t> {
        self.refused(input, "the return exceeds a limit", |collector| {
            json::too_large(collector, limit, span);
        })
    }

    /// The report on a text that no step but the first can check.
    pub(super) fn refused(
        &self,
        input: &Input<'t>,
        why: &'static str,
        say: impl FnOnce(&mut Collector<'_, 't>),
    ) -> Report<'t> {
        let context = self.context(input);
        let mut collector = Collector::new(&context, &self.levels);
        let failure = context.failure_in_place();
        if let Some(failure) = &failure {
            answered::missing(&mut collector, failure);
        }
        // A failure that fails nothing makes no JSON of the text.
        let why = if failure.is_some() && self.requires_return() {
            "there is no return"
        } else {
            say(&mut collector);
            why
        };
        answered::check(&mut collector);
        let steps = StepReport::of_all(|step| match step {
            Step::Json => collector.close_step(Ran::Checked),
            _ => skipped(why),
        });
        report(collector, steps)
    }

    pub(super) fn context<'c>(&'c self, input: &Input<'t>) -> Context<'c, 't> {
        Context::new(
            self.profile,
            &self.required,
            self.root,
            self.expected,
            input,
        )
    }
}

pub(super) fn report<'t>(mut collector: Collector<'_, 't>, steps: [StepReport; 6]) -> Report<'t> {
    collector.locate();
    let context = collector.context;
    let returned = context.returned;
    let session_id = returned.and_then(|it| it.session.clone());
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
        status: returned.and_then(|it| it.status.present()).cloned(),
        claims_success: (has_status || standard.is_some()) && context.claims_success(),
        agent_type: returned.and_then(|it| it.agent.clone()),
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
        delegation: delegation(context),
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

fn delegation<'t>(context: &Context<'_, 't>) -> Option<Delegation<'t>> {
    let metadata = context.returned?.metadata?;
    let depth = metadata.number_of("delegation_depth");
    let path = metadata.list_of("delegation_path").into_iter().flatten();
    Some(Delegation {
        depth: depth.filter(|it| it.fract() == 0.0),
        path: path.filter_map(Value::text_of_message).collect(),
    })
}

fn has_mark(text: &str) -> bool {
    text.starts_with('\u{feff}')
}

fn skipped(why: &'static str) -> StepOutcome {
    StepOutcome::Skip(Cow::Borrowed(why))
}
