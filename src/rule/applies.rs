//! When a rule applies, depending on the profile.

/// The condition that a profile must meet for a rule to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applies {
    /// No condition: the rule applies to every return.
    Always,
    /// The profile has this requirement.
    IfRequires(Requirement),
    /// The profile has a status that needs this member.
    IfStatusNeeds(Companion),
    /// The profile has a status for unfinished work.
    IfStatusIsUnfinished,
    /// The profile has this field.
    IfFieldKnown(&'static str),
    /// The profile has a recommended field below this path, such as `errors[].`.
    IfFieldRecommended(&'static str),
    /// The profile has a field for the session id, and its documents are no handoff files.
    IfSession,
    /// The profile has a field for the agent's name, and its documents are no handoff files.
    IfAgent,
    /// The profile has a field for a time.
    IfTimestamp,
    /// The profile has a list of artifact types.
    IfArtifactTypes,
    /// The profile has a list of error types.
    IfErrorTypes,
    /// The profile has this limit.
    IfLimit(TextLimit),
    /// The return itself lists artifacts; those of a handoff file do not count.
    IfArtifacts,
    /// The return refers to a handoff file.
    IfHandoffFile,
    /// The documents of the profile are handoff files.
    IfHandoff,
    /// Returns of the profile can claim tests that ran.
    IfTests,
    /// The profile is a standard of one's own.
    IfStandard,
}

/// A limit that a profile can set for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextLimit {
    /// The maximum length of the summary or of the whole return.
    Length,
    /// The longest summary without a warning.
    SoftLength,
    /// The number of sentences in the summary.
    Sentences,
    /// The minimum length of the summary.
    SummaryAtLeast,
    /// The maximum length of an artifact's summary.
    ArtifactSummary,
    /// The maximum length of an error message.
    ErrorMessage,
    /// The maximum length of `next_steps`.
    NextSteps,
}

/// A member that is required with certain statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    /// `artifacts`, at least one.
    Artifacts,
}

/// A requirement of only some standards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
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
