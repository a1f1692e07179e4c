//! What an orchestrator does with a return: the action, and what it needs for the action. Texts are
//! exactly as in the return: not safe to print.

use crate::check::Context;
use crate::check::report::Return;
use crate::profile::{Action, Shape, Status};

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
}

/// The action of the status. An unknown status has none. A task that failed only by recoverable errors
/// can be tried again.
pub(super) fn action(context: &Context<'_, '_>, returned: &Return<'_>) -> Action {
    let recoverable = returned.recoverable();
    let action = context.status.map(Status::action);
    if context.profile.is_own_standard() && action.is_none() && context.claims_success() {
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
