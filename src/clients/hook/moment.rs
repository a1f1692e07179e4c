//! When a hook is called.

/// When a hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// Before an agent's first turn.
    Start,
    /// Before an agent ends; it can be asked again.
    Stop,
    /// After an agent has ended, with the result for its caller.
    Result,
    /// After the caller has asked for the result of an agent that has ended in the background.
    Fetched,
    /// Before the caller reads that an agent has ended in the background.
    Notification,
    /// After an agent has ended by an error, without a return.
    Failure,
    /// Any other event.
    Foreign,
}

impl Moment {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Result => "result",
            Self::Fetched => "fetched",
            Self::Notification => "notification",
            Self::Failure => "failure",
            Self::Foreign => "other",
        }
    }
}
