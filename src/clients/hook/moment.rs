//! When a hook is called.

/// When a hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Before an agent's first turn.
    Start,
    /// After the conversation of an agent was shortened, and what it was told at its start is gone.
    Compaction,
    /// Before an agent calls a tool, which may be how it hands in its return; it can be asked again.
    Call,
    /// Before an agent ends; it can be asked again.
    Stop,
    /// Before a task of a team is completed, which can be refused.
    Task,
    /// After an agent has ended, with the result for its caller.
    Result,
    /// After the caller has asked for the result of an agent that has ended in the background.
    Fetched,
    /// Before the caller reads that an agent has ended in the background.
    Notification,
    /// After a caller has waited for agents that it started.
    Waited,
    /// Before the main agent ends; it can be made to go on.
    MainStop,
    /// After an agent has ended by an error, without a return.
    Failure,
    /// Any other event.
    Foreign,
}

impl Moment {
    /// Whether the payload has no member that names an agent, although it is about one or several.
    pub(crate) const fn names_no_agent(self) -> bool {
        matches!(
            self,
            Self::Notification | Self::Fetched | Self::Waited | Self::MainStop
        )
    }

    /// Its name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Compaction => "compaction",
            Self::Call => "call",
            Self::Stop => "stop",
            Self::Task => "task",
            Self::Result => "result",
            Self::Fetched => "fetched",
            Self::Notification => "notification",
            Self::Waited => "waited",
            Self::MainStop => "main-stop",
            Self::Failure => "failure",
            Self::Foreign => "other",
        }
    }
}
