//! What an orchestrator does after a return. The status of the return decides.

use std::borrow::Cow;

use crate::profile::{Meaning, Profile, Status};
use crate::text::names;

/// What an orchestrator does after a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Go on: the work is done, or it is another agent's turn.
    Proceed,
    /// Call the agent again to finish what it began.
    Resume,
    /// Call the agent again from the start, once.
    Retry,
    /// Ask a person: the agent waits for something outside.
    Ask,
    /// End the task, because trying again does not help.
    Stop,
}

names! { pub Action, "action" {
    Proceed = "proceed",
    Resume = "resume",
    Retry = "retry",
    Ask = "ask",
    Stop = "stop",
} }

/// A status word, and the action that it calls for.
pub(super) type ActionOf = (Cow<'static, str>, Action);

impl Meaning {
    /// Returns the action for a status for which the profile sets none.
    fn action(self) -> Action {
        match self {
            Self::Success => Action::Proceed,
            Self::Unfinished => Action::Resume,
            Self::Other => Action::Stop,
        }
    }
}

impl Profile {
    /// Returns what an orchestrator does after a valid return of this status.
    #[must_use]
    pub fn action(&self, status: &Status) -> Action {
        let mut own = self.actions.iter();
        let own = own.find(|(word, _)| *word == status.word);
        own.map_or_else(|| status.meaning.action(), |(_, action)| *action)
    }
}
