//! The console return, in its current version and in version 1.0.

use std::borrow::Cow;

use crate::profile::builtin::{
    BLOCKED, DONE, FAILED, PARTIAL, WITH_METADATA, optional, recommended, required, status, words,
};
use crate::profile::{
    Action, Companion, FieldSpec, LengthLimit, Level, Limits, Meaning, Measured, Profile,
    Requirement, Status, Unit,
};

// The compiler takes a constant as the rest of another only if no value in it is made by a function.
const FIELDS: &[FieldSpec] = &[
    required("status"),
    required("summary"),
    required("artifacts"),
    recommended("artifacts[].type"),
    required("artifacts[].path"),
    recommended("artifacts[].summary"),
    required("metadata"),
    required("metadata.session_id"),
    required("metadata.agent_type"),
    required("metadata.delegation_depth"),
    required("metadata.delegation_path"),
    optional("metadata.duration_seconds"),
    optional("metadata.phase_count"),
    optional("metadata.estimated_hours"),
    optional("metadata.findings_count"),
    optional("errors"),
    recommended("errors[].type"),
    recommended("errors[].message"),
    recommended("errors[].recoverable"),
    recommended("errors[].recommendation"),
    optional("next_steps"),
];

const STATUSES: &[Status] = &[
    status("completed", Meaning::Success, &[], DONE, None),
    status(
        "partial",
        Meaning::Other,
        &[Companion::Errors, Companion::Artifacts],
        PARTIAL,
        Some(Action::Resume),
    ),
    status("failed", Meaning::Other, &[Companion::Errors], FAILED, None),
    status(
        "blocked",
        Meaning::Other,
        &[Companion::Errors],
        BLOCKED,
        Some(Action::Ask),
    ),
];

/// The console return, as the return format and its validation define it.
pub static RETURN: Profile = Profile {
    id: Cow::Borrowed("return"),
    document: Cow::Borrowed("console return"),
    sources: Cow::Borrowed("Subagent return format, Subagent return validation"),
    fields: Cow::Borrowed(FIELDS),
    roles: WITH_METADATA,
    statuses: Cow::Borrowed(STATUSES),
    artifact_types: Cow::Borrowed(words![
        "plan",
        "report",
        "summary",
        "implementation",
        "documentation",
    ]),
    length: Some(LengthLimit {
        of: Measured::Summary,
        unit: Unit::Tokens,
        most: 100,
        inclusive: false,
    }),
    sentences: Some((2, 5)),
    requirements: Cow::Borrowed(&[
        Requirement::PathFromOrchestrator,
        Requirement::PathEndsWithAgent,
    ]),
    ..Profile::BASE
};

/// The console return, version 1.0.
pub static RETURN_V1: Profile = Profile {
    id: Cow::Borrowed("return-v1"),
    document: Cow::Borrowed("console return, version 1.0"),
    sources: Cow::Borrowed("Subagent return format 1.0"),
    roles: WITH_METADATA,
    sentences: Some((2, 5)),
    fields: Cow::Borrowed(&[
        required("status"),
        required("summary"),
        required("artifacts"),
        required("artifacts[].type"),
        required("artifacts[].path"),
        optional("artifacts[].summary"),
        required("metadata"),
        required("metadata.session_id"),
        required("metadata.duration_seconds"),
        required("metadata.agent_type"),
        optional("metadata.delegation_depth"),
        optional("metadata.delegation_path"),
        optional("metadata.retries"),
        optional("metadata.warnings"),
        optional("errors"),
        recommended("errors[].type"),
        recommended("errors[].message"),
        optional("errors[].code"),
        optional("errors[].recoverable"),
        optional("next_steps"),
    ]),
    statuses: Cow::Borrowed(&[
        status("completed", Meaning::Success, &[], DONE, None),
        status("failed", Meaning::Other, &[], FAILED, None),
        status(
            "partial",
            Meaning::Other,
            &[],
            PARTIAL,
            Some(Action::Resume),
        ),
        status("blocked", Meaning::Other, &[], BLOCKED, Some(Action::Ask)),
    ]),
    artifact_types: Cow::Borrowed(words![
        "research",
        "plan",
        "implementation",
        "summary",
        "test",
        "documentation",
    ]),
    error_types: Cow::Borrowed(words![
        "timeout",
        "validation",
        "execution",
        "resource",
        "cycle"
    ]),
    // Return format 1.0, summary, validation rules: 10 to 500 characters, and 100 tokens.
    length: Some(LengthLimit::at_most(
        500,
        Unit::Characters,
        Measured::Summary,
    )),
    soft_length: Some(LengthLimit::at_most(100, Unit::Tokens, Measured::Summary)),
    // Return format 1.0, summary, artifacts, errors and next_steps.
    limits: Limits {
        summary_at_least: Some(10),
        artifact_summary_at_most: Some(200),
        error_message_at_most: Some(500),
        next_steps_at_most: Some(300),
    },
    requirements: Cow::Borrowed(&[
        Requirement::NoEmoji,
        Requirement::NoMarkup,
        Requirement::OneSentenceArtifacts,
        Requirement::SessionForm,
        Requirement::UniqueArtifacts,
        Requirement::UpperSnakeErrorCodes,
        Requirement::DurationNotNegative,
    ]),
    levels: Cow::Borrowed(&[
        ("artifact-not-relative", Level::Error),
        // Return format 1.0, artifacts: can be empty.
        ("artifact-none", Level::Warning),
    ]),
    ..Profile::BASE
};
