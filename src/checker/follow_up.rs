//! What a return says about how to go on, and the action that follows from it.

use std::borrow::Cow;

use crate::diagnostics::Context;
use crate::document::{PartialProgress, ReportedError, Return, Returned};
use crate::json::field::{Field, Number};
use crate::next::{ErrorEntry, FollowUp, Progress};
use crate::profile::Action;

/// What the return says, and the action that its status calls for.
pub(super) fn follow_up<'t>(context: &Context<'_, 't>) -> FollowUp<'t> {
    let returned = match context.returned {
        Some(Returned::Return(returned)) => Some(returned),
        _ => None,
    };
    let errors = returned.map_or_else(Vec::new, errors);
    let recoverable = (!errors.is_empty()).then(|| errors.iter().all(is_recoverable));
    FollowUp {
        action: action(context, recoverable),
        agent: next_agent(context),
        recoverable,
        next_steps: returned.and_then(|returned| text(&returned.next_steps)),
        duration_seconds: returned
            .and_then(|returned| returned.metadata.present())
            .and_then(|metadata| number(&metadata.duration_seconds)),
        partial_progress: returned
            .and_then(|returned| returned.partial_progress.present())
            .map(progress),
        errors,
    }
}

/// The agent that continues after the status, where the profile has a chain of agents.
fn next_agent<'t>(context: &Context<'_, 't>) -> Option<Cow<'t, str>> {
    let profile = context.profile;
    let next = profile.next_agent(context.acting_agent(), &context.status?.word);
    next.map(Cow::Borrowed)
}

/// The action of the status. An unknown one says nothing, and a task that only recoverable errors
/// have ended can be tried again.
fn action(context: &Context<'_, '_>, recoverable: Option<bool>) -> Action {
    let action = context.status.map(|status| context.profile.action(status));
    match (action, recoverable) {
        (Some(Action::Stop), Some(true)) => Action::Retry,
        (Some(action), _) => action,
        (None, _) => Action::Ask,
    }
}

/// Not recoverable unless it says so (Subagent return format 1.0, errors).
fn is_recoverable(error: &ErrorEntry<'_>) -> bool {
    error.recoverable == Some(true)
}

fn errors<'t>(returned: &Return<'t>) -> Vec<ErrorEntry<'t>> {
    let errors = returned.errors.present().map_or(&[][..], Vec::as_slice);
    errors
        .iter()
        .filter_map(Field::present)
        .map(error)
        .collect()
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
