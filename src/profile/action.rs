//! What an orchestrator does after a return. The status of the return decides.

use crate::profile::{Meaning, Profile, Status};
use crate::text::names;

names! {
    /// What an orchestrator does after a return.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Action: "action" {
        /// Go on: the work is done, or it is another agent's turn.
        Proceed = "proceed",
        /// Call the agent again to finish what it began.
        Resume = "resume",
        /// Call the agent again from the start, once.
        Retry = "retry",
        /// Ask a person: the agent waits for something outside.
        Ask = "ask",
        /// End the task, because trying again does not help.
        Stop = "stop",
        /// Nothing: the whole work is complete.
        End = "end",
        /// What the orchestrator's own rules say, because the profile leaves open what follows.
        Open = "open",
    }
}

impl Meaning {
    /// Returns the action for a status that has none of its own and names no one who continues.
    fn action(self) -> Action {
        match self {
            Self::Success => Action::Proceed,
            Self::Unfinished => Action::Resume,
            Self::Other => Action::Stop,
        }
    }
}

impl Status {
    /// Returns what an orchestrator does after a valid return of this status.
    pub(crate) fn action(&self) -> Action {
        match self.own_action {
            Some(own) => own,
            None if self.next.is_empty() => self.meaning.action(),
            None => Action::Proceed,
        }
    }

    /// Returns the agent that usually continues. None unless the action is to proceed.
    pub(crate) fn next_agent(&self) -> Option<&str> {
        let next = self.next.first().map(AsRef::as_ref);
        next.filter(|_| self.action() == Action::Proceed)
    }
}

impl Profile {
    /// Returns the agent that usually continues after this status of `agent`. None if that is open.
    pub(crate) fn next_agent(&self, agent: Option<&str>, status: &str) -> Option<&str> {
        self.status(status, agent)?.next_agent()
    }
}
