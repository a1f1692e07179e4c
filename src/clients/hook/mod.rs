//! Hooks: the events that clients call them with, and the answers that clients take.

mod answer;
mod event;
mod payload;
mod settings;

use crate::text::names;

pub(crate) use answer::{Answer, Reply};
pub(super) use answer::{cut, usual};
pub(super) use event::HookFormat;
pub(crate) use event::{Event, NotifiedAgent, RunningAgent};
pub(super) use payload::Payload;
pub(crate) use settings::{HookLine, HookSettings};
pub(super) use settings::{TIMEOUT, item, quoted};

names! {
    /// When a hook is called.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Moment: "moment" {
        /// Before an agent's first turn.
        Start = "start",
        /// After the conversation of an agent was shortened, and what it was told at its start is gone.
        Compaction = "compaction",
        /// Before an agent calls a tool, which may be how it hands in its return; it can be asked again.
        Call = "call",
        Stop = "stop",
        /// Before a task of a team is completed, which can be refused.
        Task = "task",
        /// After an agent has ended, with the result for its caller.
        Result = "result",
        /// After the caller has asked for the result of an agent that has ended in the background.
        Fetched = "fetched",
        /// Before the caller reads that an agent has ended in the background.
        Notification = "notification",
        /// After a caller has waited for agents that it started.
        Waited = "waited",
        /// Before the main agent ends; it can be made to go on.
        MainStop = "main-stop",
        /// After an agent has ended by an error, without a return.
        Failure = "failure",
        Foreign = "other",
    }
}

impl Moment {
    /// Whether the payload has no member that names an agent, although it is about one or several.
    pub(crate) const fn names_no_agent(self) -> bool {
        matches!(
            self,
            Self::Notification | Self::Fetched | Self::Waited | Self::MainStop
        )
    }
}
