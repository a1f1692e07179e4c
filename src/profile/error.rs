//! The errors in a custom profile.

use crate::text::escape::truncated;

/// Why a custom profile cannot be built. Displays as one line that is safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The profile was given no name.
    #[error("the profile has no name")]
    MissingId,
    /// A built-in profile has this name, or the name is `auto`, which means the choice by file name.
    #[error("`{0}` is built in; choose another name")]
    ReservedId(String),
    /// The name has characters that profile names must not have.
    #[error("`{}` is not a valid profile name: use letters, digits, `-`, `_` and `.`", truncated(.0))]
    InvalidId(String),
    /// A name is empty.
    #[error("{0} must not be empty")]
    EmptyName(&'static str),
    /// A name has characters that cannot be seen or typed.
    #[error("`{}` contains characters that cannot be displayed", truncated(.0))]
    HiddenCharacters(String),
    /// Documents of the profile cannot have such a field.
    #[error(
        "cannot check the field `{}`: it must be a member of the return, or of an object that the profile `{base}` describes",
        truncated(field)
    )]
    UnknownField {
        /// The path of the field.
        field: String,
        /// The profile that is extended; safe to print.
        base: String,
    },
    /// Every profile requires a status.
    #[error("`status` must stay required: nothing can be checked without it")]
    StatusNotRequired,
    /// The profile has no status word at all.
    #[error("the profile has no status left")]
    NoStatus,
    /// The status word for failed work is missing or unknown.
    #[error(
        "the failure status{} must be one of {}{}",
        if agent.is_empty() { String::new() } else { format!(" of `{}`", truncated(agent)) },
        truncated(&statuses.join(", ")),
        if failure.is_empty() { String::new() } else { format!(", found `{}`", truncated(failure)) }
    )]
    UnknownFailure {
        /// The agent with this status word; empty if the word is for all agents.
        agent: String,
        /// The word; empty if none was given.
        failure: String,
        /// The allowed words.
        statuses: Vec<String>,
    },
    /// The status word for failed work means success.
    #[error("the failure status `{}` means success", truncated(.0))]
    FailureIsSuccess(String),
    /// An action is set for a status word that the profile does not have.
    #[error("cannot set the action after `{}`: the profile has no such status", truncated(.0))]
    UnknownActionStatus(String),
    /// The fewest sentences are more than the most.
    #[error("the fewest sentences must not be more than the most, found {0} and {1}")]
    SentenceRange(usize, usize),
    /// The rule cannot be anything but an error.
    #[error("`{0}` must stay an error: nothing can be checked without it")]
    RequiredRule(&'static str),
    /// A file pattern is not a valid glob.
    #[error("invalid glob `{}`: {}", truncated(pattern), truncated(reason))]
    InvalidFilePattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The profile that is extended has no handoff files.
    #[error("the profile `{0}` has no handoff files, so that they cannot have a path")]
    NoHandoffFiles(String),
    /// A path of handoff files has a placeholder that is not filled in.
    #[error(
        "unknown placeholder in the path of handoff files; use {{session}}, {{group}} and {{agent}}"
    )]
    UnknownPlaceholder,
    /// A path of handoff files is absolute.
    #[error("the path of handoff files must be relative to the root")]
    AbsoluteHandoffPath,
    /// The chain names an agent that the profile does not have.
    #[error(
        "unknown agent `{}`; expected one of {}",
        truncated(agent),
        truncated(&agents.join(", "))
    )]
    UnknownAgent {
        /// The name.
        agent: String,
        /// The known names.
        agents: Vec<String>,
    },
    /// The chain names a status that the agent does not have.
    #[error(
        "unknown status `{}` of `{}`; expected one of {}",
        truncated(status),
        truncated(agent),
        truncated(&statuses.join(", "))
    )]
    UnknownStatus {
        /// The word.
        status: String,
        /// The agent.
        agent: String,
        /// The allowed words.
        statuses: Vec<String>,
    },
}
