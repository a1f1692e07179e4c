//! The result of checking one return: steps, findings and facts. It is only data; formats turn it into text.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Serialize;

use crate::check::finding::{Finding, RuleCount};
pub(crate) use crate::clients::FailureKind;
use crate::clients::output::Envelope;
use crate::document::Form;
use crate::evidence::{EvidenceValue, Receipt};
use crate::profile::{Action, LengthLimit, Shape};
use crate::rule::{Level, Rule, Step};
use crate::text::names;

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
    pub(crate) fn of_all(mut run: impl FnMut(Step) -> StepOutcome) -> [Self; 6] {
        Step::ALL.map(|step| {
            let outcome = run(step);
            Self { step, outcome }
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
        let agent = None;
        Self { action, agent }
    }
}

/// The result of checking one return.
///
/// Texts taken from the return (`returned`, artifact paths) are exactly as in the return: not safe to print. Texts
/// in [`findings`](Self::findings), except for the pointers, are escaped, as is everything that
/// [`Display`](std::fmt::Display) and [`Format::render`](crate::Format::render) write.
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
pub struct Report {
    /// The client's output that the return was taken out of, if any.
    pub(crate) envelope: Option<Envelope>,
    /// The id of the profile.
    pub profile: Cow<'static, str>,
    /// How returns of the profile are written.
    pub(crate) form: Form,
    /// The type that returns of the profile are parsed into.
    pub(crate) shape: Shape,
    /// The text of the return, out of whatever is around it. None if it is empty or cannot be read.
    pub(crate) text: Option<String>,
    /// The root, if a claimed file does not exist below it: not safe to print.
    pub(crate) root: Option<PathBuf>,
    /// What the return says.
    pub returned: Return,
    /// Whether the status claims success.
    pub claims_success: bool,
    /// The session id that the caller expects, or else that of the return.
    pub(crate) session: Option<String>,
    /// The agent that findings are addressed to: named by the caller, or else by the return, or else "subagent".
    pub(crate) subagent: String,
    pub(crate) is_named_by_caller: bool,
    /// The action that the status calls for, if the return is valid.
    pub(crate) action: Action,
    /// The agent that continues if the action is to proceed; none if the profile names no one.
    pub(crate) next_agent: Option<String>,
    /// Why the client failed, if it did and there is no return.
    pub(crate) failure: Option<FailureKind>,
    /// The length of the summary, in characters (Unicode scalar values).
    pub summary_characters: Option<usize>,
    /// The length limit of the profile, and the length of the text that it limits: in words if the
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
    /// The findings that a baseline accepts; they are not in `findings`.
    pub(crate) accepted: Vec<Finding>,
    /// The number of entries in the return's lists of artifacts, valid or not.
    pub(crate) claimed: usize,
    /// The number of findings of each rule, including those not kept.
    pub(crate) counts: Vec<RuleCount>,
    /// The claimed files, and what was found: the entries that have a path, or the handoff file.
    pub artifacts: Vec<ArtifactReport>,
    /// What the evidence shows about the claims, in the order of the steps; at most [`Self::FINDINGS_KEPT`]. None
    /// without evidence.
    pub(crate) evidence: Option<Vec<ClaimReport>>,
    /// What the record of the run shows; none without it.
    pub(crate) receipt: Option<Receipt>,
}

impl Report {
    /// The most findings that are kept for one return; the others are only counted. This limits the
    /// memory for a hostile return.
    pub const FINDINGS_KEPT: usize = 1_000;

    pub(crate) fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|it| it.level == Level::Error)
    }

    /// Whether the return is valid: no finding fails it.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.failures == 0 && self.accepted.iter().all(|it| it.level != Level::Error)
    }

    /// Whether the return is invalid, but a baseline accepts all that fails it.
    pub(crate) fn is_accepted(&self) -> bool {
        self.failures == 0 && !self.is_valid()
    }

    /// Returns what the orchestrator should do. An invalid return is retried once, because its status
    /// cannot be relied on. After a failure of the client, its kind decides.
    #[must_use]
    pub fn next(&self) -> Next<'_> {
        let (action, agent) = match self.failure {
            _ if self.is_valid() => (self.action, self.next_agent.as_deref()),
            // A retry at a limit fails like the first try.
            Some(FailureKind::Limit) => (Action::Stop, None),
            // Only a person can log in or say why the run was stopped.
            Some(FailureKind::Authentication | FailureKind::Interrupted) => (Action::Ask, None),
            Some(FailureKind::Overload | FailureKind::Other) | None => (Action::Retry, None),
        };
        Next { action, agent }
    }

    /// Returns the number of findings that were counted but not kept.
    #[must_use]
    pub fn findings_omitted(&self) -> usize {
        self.failures + self.warnings - self.findings.len()
    }

    /// The number of findings of a rule, including those not kept.
    pub(crate) fn found(&self, rule: &str) -> usize {
        let of_rule = self.counts.iter().filter(|it| it.rule.id == rule);
        of_rule.map(|it| it.findings).sum()
    }

    /// Moves the kept findings for which `is_known` returns true to `accepted`.
    pub(crate) fn accept(&mut self, is_known: impl Fn(&Finding) -> bool) {
        let known = self.findings.extract_if(.., |finding| is_known(finding));
        let known: Vec<_> = known.collect();
        for finding in &known {
            match finding.level {
                Level::Error => self.failures -= 1,
                _ => self.warnings -= 1,
            }
            self.counts.retain_mut(|it| {
                let is_it = it.rule.id == finding.rule.id && it.level == finding.level;
                it.findings -= usize::from(is_it);
                it.findings > 0
            });
        }
        self.accepted.extend(known);
    }

    /// The kept findings, those that fail the return first.
    pub(crate) fn failures_first(&self) -> impl Iterator<Item = &Finding> {
        let warnings = self.findings.iter().filter(|it| it.level != Level::Error);
        self.errors().chain(warnings)
    }

    /// The outcome of a step.
    #[must_use]
    pub fn outcome(&self, step: Step) -> &StepOutcome {
        &self.steps[step as usize].outcome
    }
}

/// What a return says, read from the fields that its profile names. Texts are exactly as in the return: not safe to
/// print. What is not there, or is of another type, is none.
///
/// ```
/// let root = retval::Root::open("fixtures")?;
/// let text = r#"{"status": "failed", "errors": [{"type": "timeout", "recoverable": true}]}"#;
/// let report = retval::Checker::new(&retval::RETURN, &root).check(text);
/// let returned = &report.returned;
/// assert_eq!(returned.status.as_deref(), Some("failed"));
/// assert_eq!(returned.errors[0].recoverable, Some(true));
/// let json = serde_json::to_value(returned).expect("data");
/// assert_eq!(json["errors"][0]["type"], "timeout");
/// # Ok::<(), retval::RootError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Return {
    /// How the work ended.
    pub status: Option<String>,
    /// The id of the delegation that it answers.
    pub session_id: Option<String>,
    /// The agent that it names as its author.
    pub agent_type: Option<String>,
    /// What was done.
    pub summary: Option<String>,
    /// The files that it says it wrote: those with a path.
    pub artifacts: Vec<Artifact>,
    /// What went wrong.
    pub errors: Vec<ReturnError>,
    /// What should be done next.
    pub next_steps: Option<String>,
    /// How long the agent took, in seconds.
    pub duration_seconds: Option<f64>,
    /// The chain of delegations.
    pub delegation: Option<Delegation>,
    /// How far interrupted work got.
    pub partial_progress: Option<Progress>,
}

/// A file that a return says it wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Artifact {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The path, exactly as the return has it.
    pub path: String,
    /// What it contains.
    pub summary: Option<String>,
}

/// One thing that went wrong. Serializes as in the `json` format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReturnError {
    /// The type of error.
    pub kind: Option<String>,
    /// What happened.
    pub message: Option<String>,
    /// A code for programs.
    pub code: Option<String>,
    /// Whether trying again may help.
    pub recoverable: Option<bool>,
    /// What to do about it.
    pub recommendation: Option<String>,
}

/// The chain of delegations.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Delegation {
    /// The depth in the chain; a whole number.
    pub depth: Option<f64>,
    /// The agents from the orchestrator down.
    pub path: Vec<String>,
}

/// How far interrupted work got. Serializes as in the `json` format.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The stage reached.
    pub stage: Option<String>,
    /// The progress in words.
    pub details: Option<String>,
    /// The number of completed phases.
    pub phases_completed: Option<f64>,
    /// The number of all phases.
    pub phases_total: Option<f64>,
}

impl Delegation {
    /// The depth as JSON. It is written without a fraction, as the documents require.
    pub(crate) fn depth_in_json(&self) -> Option<serde_json::Number> {
        self.depth?.to_string().parse().ok()
    }
}

impl Return {
    /// Whether every error is recoverable, so that trying again may help. None without errors. An error is
    /// recoverable only if it says so (Subagent return format 1.0, errors).
    #[must_use]
    pub fn recoverable(&self) -> Option<bool> {
        let all = || self.errors.iter().all(|it| it.recoverable == Some(true));
        (!self.errors.is_empty()).then(all)
    }
}

names! {
    /// What was found at the path of an artifact.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ArtifactState: "artifact state" {
        /// A file with content.
        Ok = "ok",
        /// A file of 0 bytes.
        Empty = "empty",
        /// Nothing exists there.
        NotFound = "not-found",
        /// A folder, a FIFO, a device or a socket.
        NotAFile = "not-a-file",
        /// The path leaves the root.
        OutsideRoot = "outside-root",
        /// The text is not a valid path below the root.
        InvalidPath = "invalid-path",
        /// It exists, but cannot be read.
        Unreadable = "unreadable",
        /// It was not looked up, because the status does not claim success and no rule needs the file.
        Unchecked = "unchecked",
    }
}

/// A file that the return claims to have written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArtifactReport {
    /// The path, exactly as the return has it: not safe to print.
    pub path: String,
    /// What was found.
    pub state: ArtifactState,
    /// The size in bytes, if there is a file.
    pub bytes: Option<u64>,
}

/// What the evidence shows of one claim.
#[derive(Debug, Clone)]
pub(crate) struct ClaimReport {
    /// The rule that is broken if the claim is contradicted.
    pub rule: &'static Rule,
    /// The handoff file that has the claim, if the return itself has not: not safe to print.
    pub file: Option<String>,
    /// RFC 6901 pointer to the claim. Not safe to print.
    pub pointer: String,
    /// Whether the evidence shows or contradicts the claim.
    pub value: EvidenceValue,
    /// Why it has that value, in a few words. Safe to print.
    pub reason: String,
}
