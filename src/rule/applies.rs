//! When a rule applies: what a profile must ask for.

/// What a profile must have for a rule to apply to its returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// Nothing: the rule applies to every return.
    Always,
    /// This requirement.
    IfRequires(Requirement),
    /// A status that must come with this.
    IfStatusNeeds(Companion),
    /// A status for work that still goes on.
    IfStatusIsUnfinished,
    /// This field.
    IfFieldKnown(&'static str),
    /// A recommended field below this place, such as `errors[].`.
    IfFieldRecommended(&'static str),
    /// A field for the session id.
    IfSession,
    /// A field for the agent's name.
    IfAgent,
    /// A list of artifact types.
    IfArtifactTypes,
    /// A list of error types.
    IfErrorTypes,
    /// This limit.
    IfLimit(TextLimit),
    /// Artifacts of its own, not those of a handoff file.
    IfArtifacts,
    /// A handoff file behind the return.
    IfHandoffFile,
}

/// A limit that a profile may set to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextLimit {
    /// The longest summary, or return.
    Length,
    /// The number of sentences of a summary.
    Sentences,
    /// The shortest summary.
    SummaryAtLeast,
    /// The longest artifact summary.
    ArtifactSummary,
    /// The longest error message.
    ErrorMessage,
    /// The longest `next_steps`.
    NextSteps,
}

/// A member that a status needs beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Companion {
    /// `errors`, at least one.
    Errors,
    /// `started_at`.
    StartedAt,
    /// `partial_progress`.
    Progress,
    /// `completion_data`.
    CompletionData,
}

/// Something that only some standards ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// No emojis in the summary.
    NoEmoji,
    /// No path twice among the artifacts.
    UniqueArtifacts,
    /// Error codes in `UPPERCASE_SNAKE_CASE`.
    UpperSnakeErrorCodes,
    /// No negative `duration_seconds`.
    DurationNotNegative,
    /// `delegation_path` ends with the agent itself.
    PathEndsWithAgent,
    /// Nothing but the members of the standard.
    NothingElse,
}
