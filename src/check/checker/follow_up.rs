//! What a return says about how to go on, and the action that follows from it.

use std::borrow::Cow;

use crate::check::Context;
use crate::check::report::{ErrorEntry, FollowUp, Progress};
use crate::json::field::{Field, Number};
use crate::profile::document::{PartialProgress, ReportedError, Return, Returned};
use crate::profile::{Action, Shape, Status};

/// The action that the status calls for, and what else the return says.
pub(super) fn follow_up<'t>(context: &Context<'_, 't>) -> FollowUp<'t> {
    let returned = match context.returned {
        Some(Returned::Return(returned)) => Some(returned),
        _ => None,
    };
    let recoverable = returned.and_then(recoverable);
    FollowUp {
        summary: context
            .returned
            .and_then(|returned| text(returned.summary())),
        action: action(context, recoverable),
        agent: context
            .status
            .and_then(Status::next_agent)
            .map(Cow::Borrowed),
        recoverable,
        next_steps: returned.and_then(|returned| text(&returned.next_steps)),
        duration_seconds: returned
            .and_then(|returned| returned.metadata.present())
            .and_then(|metadata| number(&metadata.duration_seconds)),
        partial_progress: returned
            .and_then(|returned| returned.partial_progress.present())
            .map(progress),
        errors: returned.map_or_else(Vec::new, |returned| errors(returned).map(error).collect()),
    }
}

/// The action of the status. An unknown status has none. A task that failed only by recoverable errors
/// can be tried again.
fn action(context: &Context<'_, '_>, recoverable: Option<bool>) -> Action {
    let action = context.status.map(Status::action);
    if context.document.is_some() && action.is_none() && context.claims_success() {
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

/// Whether there are errors and all of them are recoverable. An error is recoverable only if it says so
/// (Subagent return format 1.0, errors).
fn recoverable(returned: &Return<'_>) -> Option<bool> {
    let mut errors = errors(returned).peekable();
    errors.peek()?;
    Some(errors.all(|error| error.recoverable.present() == Some(&true)))
}

fn errors<'r, 't>(returned: &'r Return<'t>) -> impl Iterator<Item = &'r ReportedError<'t>> {
    returned.errors.items().iter().filter_map(Field::present)
}

fn error<'t>(error: &ReportedError<'t>) -> ErrorEntry<'t> {
    ErrorEntry {
        kind: text(&error.kind),
        message: text(&error.message),
        code: text(&error.code),
        recoverable: error.recoverable.present().copied(),
        recommendation: text(&error.recommendation),
    }
}

fn progress<'t>(progress: &PartialProgress<'t>) -> Progress<'t> {
    Progress {
        stage: text(&progress.stage),
        details: text(&progress.details),
        phases_completed: number(&progress.phases_completed),
        phases_total: number(&progress.phases_total),
    }
}

fn text<'t>(field: &Field<Cow<'t, str>>) -> Option<Cow<'t, str>> {
    field.present().cloned()
}

fn number(field: &Field<Number>) -> Option<f64> {
    field.present().map(|number| number.0)
}
