//! The result of checking one return: steps, findings and facts. It is only data; formats turn it
//! into text.

mod claimed;
mod returned;

use std::borrow::Cow;
use std::path::PathBuf;

use crate::check::RuleCounts;
use crate::check::finding::Finding;
pub(crate) use crate::clients::FailureKind;
use crate::clients::output::Envelope;
use crate::document::Form;
use crate::profile::{Action, LengthLimit, Shape};
use crate::rule::{Level, Rule, Step};

pub use claimed::{ArtifactReport, ArtifactState};
pub(crate) use claimed::{ClaimReport, EvidenceReport};
pub use returned::{Artifact, Delegation, Progress, Return, ReturnError};

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepOutcome {
    /// No finding of this step fails the return.
    Pass,
    /// A finding of this step fails the return.
    Fail,
    /// The step had nothing to check, because the status does not claim success.
    NotApplicable,
    /// The step could not run, for this reason.
    Skip(Cow<'static, str>),
}

/// A step and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// Its outcome.
    pub outcome: StepOutcome,
}

impl StepReport {
    /// Runs all steps, in their order.
    pub(crate) fn of_all(mut run: impl FnMut(Step) -> StepOutcome) -> [Self; 6] {
        Step::ALL.map(|step| Self {
            step,
            outcome: run(step),
        })
    }
}

/// What to do next, and who does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Next<'r> {
    /// What to do.
    pub action: Action,
    /// The agent that continues, if it is known.
    pub agent: Option<&'r str>,
}

impl Next<'_> {
    pub(crate) fn of(action: Action) -> Self {
        Self {
            action,
            agent: None,
        }
    }
}

/// A retry at a limit fails like the first try, and only a person can log in or say why the run was
/// stopped.
fn after_failure(kind: FailureKind) -> Action {
    match kind {
        FailureKind::Limit => Action::Stop,
        FailureKind::Authentication | FailureKind::Interrupted => Action::Ask,
        FailureKind::Overload | FailureKind::Other => Action::Retry,
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// The result of checking one return.
///
/// Texts taken from the return (`returned`, artifact paths) are exactly as in the return: not safe to print. Texts in [`findings`](Self::findings), except for the
/// pointers, are escaped, as is everything that [`Display`](std::fmt::Display) and
/// [`Format::render`](crate::Format::render) write.
///
/// ```
/// let root = retval::Root::open("fixtures")?;
/// let report = retval::Checker::new(&retval::RETURN, &root).check(r#"{"status": "done"}"#);
/// let unknown = report.findings.iter().find(|it| it.rule.id == "status-unknown");
/// assert_eq!(unknown.map(|it| it.position.line), Some(1));
/// # Ok::<(), retval::RootError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report<'t> {
    /// The client's output that the return was taken out of, if any.
    pub(crate) envelope: Option<Envelope>,
    /// The id of the profile.
    pub profile: Cow<'t, str>,
    /// How returns of the profile are written.
    pub(crate) form: Form,
    /// The type that returns of the profile are parsed into.
    pub(crate) shape: Shape,
    /// The text of the return, out of whatever is around it. None if it is empty or cannot be read.
    pub(crate) text: Option<Cow<'t, str>>,
    /// The root, if a claimed file does not exist below it: not safe to print.
    pub(crate) root: Option<PathBuf>,
    /// What the return says.
    pub returned: Return<'t>,
    /// Whether the status claims success.
    pub claims_success: bool,
    /// The session id that the caller expects, or else that of the return.
    pub(crate) session: Option<Cow<'t, str>>,
    /// The agent that findings are addressed to: named by the caller, or else by the return, or
    /// else "subagent".
    pub(crate) subagent: Cow<'t, str>,
    /// Whether the caller named it.
    pub(crate) is_named_by_caller: bool,
    /// The action that the status calls for, if the return is valid.
    pub(crate) action: Action,
    /// The agent that continues if the action is to proceed; none if the profile names no one.
    pub(crate) next_agent: Option<Cow<'t, str>>,
    /// Why the client failed, if it did and there is no return.
    pub(crate) failure: Option<FailureKind>,
    /// The length of the summary, in characters (Unicode scalar values).
    pub summary_characters: Option<usize>,
    /// The length limit of the standard, and the length of the text that it limits: in words if the
    /// limit is in words, otherwise in characters.
    pub(crate) measured: Option<(LengthLimit, usize)>,
    /// The six steps, in order.
    pub steps: [StepReport; 6],
    /// The findings, in the order of the steps; at most [`Report::FINDINGS_KEPT`].
    pub findings: Vec<Finding>,
    /// The number of findings that fail the return, including those not kept.
    pub failures: usize,
    /// The number of findings that do not fail the return, including those not kept.
    pub warnings: usize,
    /// The number of findings that a baseline accepts; they are not in `findings`.
    pub(crate) accepted: usize,
    /// The findings that a baseline accepts, among those that were kept.
    pub(crate) accepted_findings: Vec<Finding>,
    /// The number of entries in the return's lists of artifacts, valid or not.
    pub(crate) claimed: usize,
    /// The number of findings of each rule, including those not kept.
    pub(crate) counts: RuleCounts,
    /// The claimed files, and what was found: the entries that have a path, or the handoff file.
    pub artifacts: Vec<ArtifactReport<'t>>,
    /// What the evidence shows about the claims; none without evidence.
    pub(crate) evidence: Option<EvidenceReport>,
}

impl Report<'_> {
    /// The most findings that are kept for one return; the others are only counted. This limits the
    /// memory for a hostile return.
    pub const FINDINGS_KEPT: usize = 1_000;

    /// Whether the return meets its standard: no finding fails it.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.failures == 0
    }

    /// Returns what the orchestrator should do. An invalid return is retried once, because its status
    /// cannot be relied on. After a failure of the client, its kind decides.
    #[must_use]
    pub fn next(&self) -> Next<'_> {
        if self.is_valid() {
            Next {
                action: self.action,
                agent: self.next_agent.as_deref(),
            }
        } else {
            Next::of(self.failure.map_or(Action::Retry, after_failure))
        }
    }

    /// Returns the number of findings that were counted but not kept.
    #[must_use]
    pub fn findings_omitted(&self) -> usize {
        self.failures + self.warnings - self.findings.len()
    }

    /// Returns the number of findings of a rule, including those not kept.
    #[must_use]
    pub(crate) fn found(&self, rule: &str) -> usize {
        let of_rule = self.counts.iter().filter(|it| it.rule.id == rule);
        of_rule.map(|it| it.findings).sum()
    }

    pub(crate) fn kept(&self, rule: &str) -> usize {
        self.findings.iter().filter(|it| it.rule.id == rule).count()
    }

    /// Removes the kept findings for which `is_known` returns true, and counts them in `accepted`.
    pub(crate) fn accept_found(&mut self, is_known: impl Fn(&Finding) -> bool) {
        let accepted = self.findings.extract_if(.., |finding| is_known(finding));
        for finding in accepted {
            match finding.level {
                Level::Error => self.failures -= 1,
                _ => self.warnings -= 1,
            }
            self.accepted += 1;
            self.counts.subtract(finding.rule, 1);
            self.accepted_findings.push(finding);
        }
    }

    /// Removes the findings of the rules for which `is_known` returns true, including those not kept,
    /// and counts them in `accepted`.
    pub(crate) fn accept(&mut self, is_known: impl Fn(&Rule) -> bool) {
        let accepted = (self.findings).extract_if(.., |finding| is_known(finding.rule));
        self.accepted_findings.extend(accepted);
        for count in self.counts.iter().filter(|it| is_known(it.rule)) {
            match count.level {
                Level::Error => self.failures -= count.findings,
                _ => self.warnings -= count.findings,
            }
            self.accepted += count.findings;
        }
        self.counts.retain(|it| !is_known(it.rule));
    }

    /// The outcome of a step.
    #[must_use]
    pub fn outcome(&self, step: Step) -> &StepOutcome {
        &self.steps[step as usize].outcome
    }

    /// Returns the same report without borrows from the checked text.
    #[must_use]
    pub fn into_owned(self) -> Report<'static> {
        Report {
            envelope: self.envelope,
            profile: owned(self.profile),
            form: self.form,
            shape: self.shape,
            text: self.text.map(owned),
            root: self.root,
            returned: self.returned.into_owned(),
            claims_success: self.claims_success,
            session: self.session.map(owned),
            subagent: owned(self.subagent),
            is_named_by_caller: self.is_named_by_caller,
            action: self.action,
            next_agent: self.next_agent.map(owned),
            failure: self.failure,
            summary_characters: self.summary_characters,
            measured: self.measured,
            steps: self.steps,
            findings: self.findings,
            failures: self.failures,
            warnings: self.warnings,
            accepted: self.accepted,
            accepted_findings: self.accepted_findings,
            claimed: self.claimed,
            counts: self.counts,
            artifacts: (self.artifacts.into_iter())
                .map(ArtifactReport::into_owned)
                .collect(),
            evidence: self.evidence,
        }
    }
}
