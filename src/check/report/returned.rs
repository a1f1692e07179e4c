//! The typed return: what a return says, whatever its form and its profile.

use std::borrow::Cow;

use serde::Serialize;

use crate::check::report::owned;

/// What a return says, read from the places that its profile names. Texts are exactly as in the return: not safe to
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
pub struct Return<'t> {
    /// How the work ended.
    pub status: Option<Cow<'t, str>>,
    /// The id of the delegation that it answers.
    pub session_id: Option<Cow<'t, str>>,
    /// The agent that it names as its author.
    pub agent_type: Option<Cow<'t, str>>,
    /// What was done.
    pub summary: Option<Cow<'t, str>>,
    /// The files that it says it wrote: those with a path.
    pub artifacts: Vec<Artifact<'t>>,
    /// What went wrong.
    pub errors: Vec<ReturnError<'t>>,
    /// What should be done next.
    pub next_steps: Option<Cow<'t, str>>,
    /// How long the agent took, in seconds.
    pub duration_seconds: Option<f64>,
    /// The chain of delegations.
    pub delegation: Option<Delegation<'t>>,
    /// How far interrupted work got.
    pub partial_progress: Option<Progress<'t>>,
}

/// A file that a return says it wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Artifact<'t> {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<Cow<'t, str>>,
    /// The path, exactly as the return has it.
    pub path: Cow<'t, str>,
    /// What it contains.
    pub summary: Option<Cow<'t, str>>,
}

/// One thing that went wrong. Serializes as in the `json` format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReturnError<'t> {
    /// The type of error.
    pub kind: Option<Cow<'t, str>>,
    /// What happened.
    pub message: Option<Cow<'t, str>>,
    /// A code for programs.
    pub code: Option<Cow<'t, str>>,
    /// Whether trying again may help.
    pub recoverable: Option<bool>,
    /// What to do about it.
    pub recommendation: Option<Cow<'t, str>>,
}

/// The chain of delegations.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Delegation<'t> {
    /// The depth in the chain; a whole number.
    pub depth: Option<f64>,
    /// The agents from the orchestrator down.
    pub path: Vec<Cow<'t, str>>,
}

/// How far interrupted work got. Serializes as in the `json` format.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress<'t> {
    /// The stage reached.
    pub stage: Option<Cow<'t, str>>,
    /// The progress in words.
    pub details: Option<Cow<'t, str>>,
    /// The number of completed phases.
    pub phases_completed: Option<f64>,
    /// The number of all phases.
    pub phases_total: Option<f64>,
}

impl Delegation<'_> {
    /// The depth as JSON. It is written without a fraction, as the documents require.
    pub(crate) fn depth_in_json(&self) -> Option<serde_json::Number> {
        self.depth?.to_string().parse().ok()
    }
}

impl Return<'_> {
    /// Whether every error is recoverable, so that trying again may help. None without errors. An error is
    /// recoverable only if it says so (Subagent return format 1.0, errors).
    #[must_use]
    pub fn recoverable(&self) -> Option<bool> {
        let all = || self.errors.iter().all(|it| it.recoverable == Some(true));
        (!self.errors.is_empty()).then(all)
    }

    /// The same without borrows from the checked text.
    pub(super) fn into_owned(self) -> Return<'static> {
        let of_artifact = |it: Artifact<'_>| Artifact {
            kind: it.kind.map(owned),
            path: owned(it.path),
            summary: it.summary.map(owned),
        };
        let of_error = |it: ReturnError<'_>| ReturnError {
            kind: it.kind.map(owned),
            message: it.message.map(owned),
            code: it.code.map(owned),
            recoverable: it.recoverable,
            recommendation: it.recommendation.map(owned),
        };
        Return {
            status: self.status.map(owned),
            session_id: self.session_id.map(owned),
            agent_type: self.agent_type.map(owned),
            summary: self.summary.map(owned),
            artifacts: self.artifacts.into_iter().map(of_artifact).collect(),
            errors: self.errors.into_iter().map(of_error).collect(),
            next_steps: self.next_steps.map(owned),
            duration_seconds: self.duration_seconds,
            delegation: self.delegation.map(|it| Delegation {
                depth: it.depth,
                path: it.path.into_iter().map(owned).collect(),
            }),
            partial_progress: self.partial_progress.map(|it| Progress {
                stage: it.stage.map(owned),
                details: it.details.map(owned),
                phases_completed: it.phases_completed,
                phases_total: it.phases_total,
            }),
        }
    }
}
