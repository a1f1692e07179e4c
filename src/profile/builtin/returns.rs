//! The console return, in its current version and in version 1.0, and the metadata file.

use std::borrow::Cow;

use crate::profile::Measured::Summary;
use crate::profile::builtin::{Words, fields, place, pointer, statuses, words};
use crate::profile::{
    Action, FilePattern, LengthLimit, Level, Limits, Place, PlacePath, Profile, Requirement,
    RoleMember, Roles, Unit,
};

const ALL: Words = &[];

const ARTIFACTS: Place = place!["artifacts"];
const OF_ARTIFACTS: &[(RoleMember, PlacePath)] = &[
    (RoleMember::Path, pointer!("path")),
    (RoleMember::Kind, pointer!("type")),
    (RoleMember::Summary, pointer!("summary")),
];

const ROLES: Roles = Roles {
    status: Some(place!["status"]),
    session: Some(place!["metadata" / "session_id"]),
    agent: Some(place!["metadata" / "agent_type"]),
    summary: Some(place!["summary"]),
    artifacts: Some(Place { members: Cow::Borrowed(OF_ARTIFACTS), ..ARTIFACTS }),
    ..Roles::BASE
};

/// The console return, as the return format and its validation define it.
pub static RETURN: Profile = Profile {
    id: Cow::Borrowed("return"),
    document: Cow::Borrowed("console return"),
    sources: Cow::Borrowed("Subagent return format, Subagent return validation"),
    fields: fields! {
        Required ALL: "status", "summary", "artifacts";
        Recommended ALL: "artifacts[].type";
        Required ALL: "artifacts[].path";
        Recommended ALL: "artifacts[].summary";
        Required ALL: "metadata", "metadata.session_id", "metadata.agent_type",
            "metadata.delegation_depth", "metadata.delegation_path";
        Optional ALL: "metadata.duration_seconds", "metadata.phase_count",
            "metadata.estimated_hours", "metadata.findings_count", "errors";
        Recommended ALL: "errors[].type", "errors[].message", "errors[].recoverable",
            "errors[].recommendation";
        Optional ALL: "next_steps";
    },
    roles: ROLES,
    statuses: statuses! {
        "completed": Success [] ALL, None;
        "partial": Other [Errors, Artifacts] ALL, Some(Action::Resume);
        "failed": Other [Errors] ALL, None;
        "blocked": Other [Errors] ALL, Some(Action::Ask);
    },
    artifact_types: Cow::Borrowed(words! {
        "plan", "report", "summary", "implementation", "documentation",
    }),
    length: Some(LengthLimit {
        inclusive: false,
        ..LengthLimit::at_most(100, Unit::Tokens, Summary)
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
    roles: ROLES,
    sentences: Some((2, 5)),
    fields: fields! {
        Required ALL: "status", "summary", "artifacts", "artifacts[].type", "artifacts[].path";
        Optional ALL: "artifacts[].summary";
        Required ALL: "metadata", "metadata.session_id", "metadata.duration_seconds",
            "metadata.agent_type";
        Optional ALL: "metadata.delegation_depth", "metadata.delegation_path", "metadata.retries",
            "metadata.warnings", "errors";
        Recommended ALL: "errors[].type", "errors[].message";
        Optional ALL: "errors[].code", "errors[].recoverable", "next_steps";
    },
    statuses: statuses! {
        "completed": Success [] ALL, None;
        "failed": Other [] ALL, None;
        "partial": Other [] ALL, Some(Action::Resume);
        "blocked": Other [] ALL, Some(Action::Ask);
    },
    artifact_types: Cow::Borrowed(words! {
        "research", "plan", "implementation", "summary", "test", "documentation",
    }),
    error_types: Cow::Borrowed(words! {
        "timeout", "validation", "execution", "resource", "cycle",
    }),
    // Return format 1.0, summary, validation rules: 10 to 500 characters, and 100 tokens.
    length: Some(LengthLimit::at_most(500, Unit::Characters, Summary)),
    soft_length: Some(LengthLimit::at_most(100, Unit::Tokens, Summary)),
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

/// The metadata file `.return-meta.json`.
pub static RETURN_META: Profile = Profile {
    id: Cow::Borrowed("return-meta"),
    document: Cow::Borrowed(".return-meta.json file"),
    sources: Cow::Borrowed("Return metadata file"),
    fields: fields! {
        Required ALL: "status", "artifacts";
        Recommended ALL: "artifacts[].type";
        Required ALL: "artifacts[].path";
        Recommended ALL: "artifacts[].summary";
        Optional ALL: "next_steps";
        Required ALL: "metadata", "metadata.session_id", "metadata.agent_type",
            "metadata.delegation_depth", "metadata.delegation_path";
        Optional ALL: "metadata.duration_seconds", "metadata.findings_count",
            "metadata.phases_completed", "metadata.phases_total", "metadata.phase_count",
            "metadata.estimated_hours", "started_at", "partial_progress", "partial_progress.stage",
            "partial_progress.details", "partial_progress.phases_completed",
            "partial_progress.phases_total", "completion_data",
            "completion_data.completion_summary", "completion_data.roadmap_items",
            "completion_data.claudemd_suggestions", "errors";
        Recommended ALL: "errors[].type", "errors[].message", "errors[].recoverable",
            "errors[].recommendation";
    },
    roles: ROLES,
    statuses: statuses! {
        "in_progress": Unfinished [StartedAt, Progress] ALL, None;
        "researched": Success [] ALL, None;
        "planned": Success [] ALL, None;
        "implemented": Success [CompletionData] ALL, None;
        "partial": Other [Errors, Progress] ALL, Some(Action::Resume);
        "failed": Other [Errors] ALL, None;
        "blocked": Other [Errors] ALL, Some(Action::Ask);
    },
    forbidden: Cow::Borrowed(&[(
        Cow::Borrowed("completed"),
        Cow::Borrowed(
            "the document forbids it because Claude takes the word as its own signal to stop",
        ),
    )]),
    artifact_types: Cow::Borrowed(words!["report", "plan", "summary", "implementation"]),
    error_types: Cow::Borrowed(words! {
        "validation", "execution", "timeout", "mcp_abort_error", "delegation_interrupted",
    }),
    requirements: Cow::Borrowed(&[
        Requirement::TaskFolder,
        Requirement::OneSentenceArtifacts,
        Requirement::PathFromOrchestrator,
        Requirement::PathEndsWithAgent,
    ]),
    file: Some(Cow::Borrowed(".return-meta.json")),
    files: Cow::Borrowed(&[FilePattern::simple(".return-meta*.json")]),
    ..Profile::BASE
};
