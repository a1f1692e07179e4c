//! What only some profiles ask for.

/// A member that is required with certain statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Companion {
    /// `errors`, at least one.
    Errors,
    /// `started_at`.
    StartedAt,
    /// `partial_progress`.
    Progress,
    /// `completion_data`.
    CompletionData,
    /// `artifacts`, at least one.
    Artifacts,
}

/// A requirement of only some standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement {
    /// No emojis in the summary.
    NoEmoji,
    /// No formatting markup in the summary.
    NoMarkup,
    /// An artifact's summary is one sentence.
    OneSentenceArtifacts,
    /// Session ids in the form of return format 1.0.
    SessionForm,
    /// No duplicate path among the artifacts.
    UniqueArtifacts,
    /// Error codes in `UPPERCASE_SNAKE_CASE`.
    UpperSnakeErrorCodes,
    /// No negative `duration_seconds`.
    DurationNotNegative,
    /// The file is in the folder of its task.
    TaskFolder,
    /// `delegation_path` begins with the orchestrator.
    PathFromOrchestrator,
    /// `delegation_path` ends with the agent itself.
    PathEndsWithAgent,
    /// Claimed files exist, even if the status is not a success.
    ClaimsExist,
    /// No members other than those of the standard.
    NothingElse,
}
