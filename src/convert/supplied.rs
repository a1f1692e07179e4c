//! Values that the caller knows and the source may lack.

/// Values for members that the source lacks. Values of the source are never replaced. A later version may
/// have more members, so end a literal with `..Supplied::default()`.
#[derive(Debug, Clone, Default)]
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
