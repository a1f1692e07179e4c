//! Values that the caller knows and the source may lack.

/// Values for members that the source lacks. Values of the source are never replaced.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Supplied<'s> {
    /// The session id of the delegation.
    pub session: Option<&'s str>,
    /// The name of the agent that wrote the return.
    pub agent: Option<&'s str>,
    /// The status in the target, if the source's status is ambiguous or unknown.
    pub status: Option<&'s str>,
    /// Seconds from invocation to return.
    pub duration_seconds: Option<serde_json::Number>,
    /// The number of delegations from the orchestrator to the agent.
    pub delegation_depth: Option<u32>,
    /// The names of the agents from the orchestrator to this one. Empty if unknown.
    pub delegation_path: &'s [String],
}

impl<'s> Supplied<'s> {
    /// Sets the session id of the delegation.
    #[must_use]
    pub fn session(mut self, session: impl Into<Option<&'s str>>) -> Self {
        self.session = session.into();
        self
    }

    /// Sets the agent that wrote the return.
    #[must_use]
    pub fn agent(mut self, agent: impl Into<Option<&'s str>>) -> Self {
        self.agent = agent.into();
        self
    }

    /// Sets the status in the target.
    #[must_use]
    pub fn status(mut self, status: impl Into<Option<&'s str>>) -> Self {
        self.status = status.into();
        self
    }

    /// Sets the seconds from invocation to return.
    #[must_use]
    pub fn duration_seconds(mut self, seconds: impl Into<Option<serde_json::Number>>) -> Self {
        self.duration_seconds = seconds.into();
        self
    }

    /// Sets the number of delegations from the orchestrator to the agent.
    #[must_use]
    pub fn delegation_depth(mut self, depth: impl Into<Option<u32>>) -> Self {
        self.delegation_depth = depth.into();
        self
    }

    /// Sets the names of the agents from the orchestrator to this one.
    #[must_use]
    pub fn delegation_path(mut self, path: &'s [String]) -> Self {
        self.delegation_path = path;
        self
    }
}
