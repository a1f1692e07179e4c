//! What an orchestrator does with a return: the action, and what it needs for the action. Texts are
//! exactly as in the return: not safe to print.

use std::borrow::Cow;

use crate::check::Context;
use crate::document::tree::Value;
use crate::profile::{Action, Shape, Status};

/// What a return says about what to do next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FollowUp<'t> {
    /// What was done, in a few sentences.
    pub summary: Option<Cow<'t, str>>,
    /// The action that the status calls for, if the return is valid.
    pub action: Action,
    /// The agent that continues if the action is to proceed; none if the profile names no one.
    pub agent: Option<Cow<'t, str>>,
    /// Whether every error is recoverable, so that trying again may help. None without errors.
    pub recoverable: Option<bool>,
    /// What should be done next.
    pub next_steps: Option<Cow<'t, str>>,
    /// How long the agent took, in seconds.
    pub duration_seconds: Option<f64>,
    /// How far interrupted work got.
    pub partial_progress: Option<Progress<'t>>,
    /// What went wrong.
    pub errors: Vec<ErrorEntry<'t>>,
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

impl<'r> Next<'r> {
    pub(crate) fn of(action: Action) -> Self {
        Self {
            action,
            agent: None,
        }
    }

    pub(crate) fn after(follow_up: &'r FollowUp<'_>) -> Self {
        Self {
            action: follow_up.action,
            agent: follow_up.agent.as_deref(),
        }
    }
}

/// How far interrupted work got, as stated by the agent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Progress<'t> {
    /// The stage reached.
    pub stage: Option<Cow<'t, str>>,
    /// The progress in words.
    pub details: Option<Cow<'t, str>>,
    /// The number of completed phases.
    pub phases_completed: Option<f64>,
    /// The number of all phases.
    pub phases_total: Option<f64>,
}

/// One thing that went wrong, as stated by the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorEntry<'t> {
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

fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
    text.map(|text| Cow::Owned(text.into_owned()))
}

impl FollowUp<'_> {
    /// Returns the same without borrows from the checked text.
    pub(crate) fn into_owned(self) -> FollowUp<'static> {
        FollowUp {
            summary: owned(self.summary),
            action: self.action,
            agent: owned(self.agent),
            recoverable: self.recoverable,
            next_steps: owned(self.next_steps),
            duration_seconds: self.duration_seconds,
            partial_progress: self.partial_progress.map(Progress::into_owned),
            errors: self
                .errors
                .into_iter()
                .map(ErrorEntry::into_owned)
                .collect(),
        }
    }
}

impl Progress<'_> {
    fn into_owned(self) -> Progress<'static> {
        Progress {
            stage: owned(self.stage),
            details: owned(self.details),
            phases_completed: self.phases_completed,
            phases_total: self.phases_total,
        }
    }
}

impl ErrorEntry<'_> {
    fn into_owned(self) -> ErrorEntry<'static> {
        ErrorEntry {
            kind: owned(self.kind),
            message: owned(self.message),
            code: owned(self.code),
            recoverable: self.recoverable,
            recommendation: owned(self.recommendation),
        }
    }
}

/// The action that the status calls for, and what else the return says.
pub(super) fn follow_up<'t>(context: &Context<'_, 't>) -> FollowUp<'t> {
    let object = context.object_of(Shape::Return);
    let errors = object.and_then(|it| it.list_of("errors"));
    let errors = errors.into_iter().flatten().filter(|it| it.is_object());
    let errors: Vec<_> = errors.map(error).collect();
    // An error is recoverable only if it says so (Subagent return format 1.0, errors).
    let is_recoverable = |error: &ErrorEntry<'_>| error.recoverable == Some(true);
    let recoverable = (!errors.is_empty()).then(|| errors.iter().all(is_recoverable));
    let metadata = context.returned.and_then(|it| it.metadata);
    FollowUp {
        summary: context
            .returned
            .and_then(|it| it.summary.present().cloned()),
        action: action(context, recoverable),
        agent: context
            .status
            .and_then(Status::next_agent)
            .map(Cow::Borrowed),
        recoverable,
        next_steps: object.and_then(|it| text(it, "next_steps")),
        duration_seconds: metadata.and_then(|it| it.number_of("duration_seconds")),
        partial_progress: object
            .and_then(|it| it.object_of("partial_progress"))
            .map(progress),
        errors,
    }
}

/// The action of the status. An unknown status has none. A task that failed only by recoverable errors
/// can be tried again.
fn action(context: &Context<'_, '_>, recoverable: Option<bool>) -> Action {
    let action = context.status.map(Status::action);
    if context.profile.standard.is_some() && action.is_none() && context.claims_success() {
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

fn error<'t>(error: Value<'_, 't>) -> ErrorEntry<'t> {
    ErrorEntry {
        kind: text(error, "type"),
        message: text(error, "message"),
        code: text(error, "code"),
        recoverable: error.member("recoverable").and_then(Value::boolean),
        recommendation: text(error, "recommendation"),
    }
}

fn progress<'t>(progress: Value<'_, 't>) -> Progress<'t> {
    Progress {
        stage: text(progress, "stage"),
        details: text(progress, "details"),
        phases_completed: progress.number_of("phases_completed"),
        phases_total: progress.number_of("phases_total"),
    }
}

fn text<'t>(object: Value<'_, 't>, name: &str) -> Option<Cow<'t, str>> {
    object.member(name)?.text_of_message()
}
