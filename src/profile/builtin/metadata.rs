//! The metadata file.

use std::borrow::Cow;

use crate::profile::builtin::{
    BLOCKED, FAILED, PARTIAL, WITH_METADATA, optional, recommended, required, status, words,
};
use crate::profile::{Action, Companion, FilePattern, Meaning, Profile, Requirement};

/// The metadata file `.return-meta.json`.
pub static RETURN_META: Profile = Profile {
    id: Cow::Borrowed("return-meta"),
    document: Cow::Borrowed(".return-meta.json file"),
    sources: Cow::Borrowed("Return metadata file"),
    fields: Cow::Borrowed(&[
        required("status"),
        required("artifacts"),
        recommended("artifacts[].type"),
        required("artifacts[].path"),
        recommended("artifacts[].summary"),
        optional("next_steps"),
        required("metadata"),
        required("metadata.session_id"),
        required("metadata.agent_type"),
        required("metadata.delegation_depth"),
        required("metadata.delegation_path"),
        optional("metadata.duration_seconds"),
        optional("metadata.findings_count"),
        optional("metadata.phases_completed"),
        optional("metadata.phases_total"),
        optional("metadata.phase_count"),
        optional("metadata.estimated_hours"),
        optional("started_at"),
        optional("partial_progress"),
        optional("partial_progress.stage"),
        optional("partial_progress.details"),
        optional("partial_progress.phases_completed"),
        optional("partial_progress.phases_total"),
        optional("completion_data"),
        optional("completion_data.completion_summary"),
        optional("completion_data.roadmap_items"),
        optional("completion_data.claudemd_suggestions"),
        optional("errors"),
        recommended("errors[].type"),
        recommended("errors[].message"),
        recommended("errors[].recoverable"),
        recommended("errors[].recommendation"),
    ]),
    roles: WITH_METADATA,
    statuses: Cow::Borrowed(&[
        status(
            "in_progress",
            Meaning::Unfinished,
            &[Companion::StartedAt, Companion::Progress],
            words![
                "implementing",
                "researching",
                "planning",
                "running",
                "started",
                "working",
            ],
            None,
        ),
        status(
            "researched",
            Meaning::Success,
            &[],
            words![
                "report_ready",
                "report_written",
                "research_complete",
                "research_completed",
                "research_done",
            ],
            None,
        ),
        status(
            "planned",
            Meaning::Success,
            &[],
            words![
                "plan_complete",
                "plan_created",
                "plan_ready",
                "planning_complete",
            ],
            None,
        ),
        status(
            "implemented",
            Meaning::Success,
            &[Companion::CompletionData],
            words![
                "implementation_complete",
                "implementation_done",
                "ready_for_postflight",
            ],
            None,
        ),
        status(
            "partial",
            Meaning::Other,
            &[Companion::Errors, Companion::Progress],
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
    ]),
    forbidden: Cow::Borrowed(&[(
        Cow::Borrowed("completed"),
        Cow::Borrowed(
            "the standard forbids it because Claude takes the word as its own signal to stop",
        ),
    )]),
    artifact_types: Cow::Borrowed(words!["report", "plan", "summary", "implementation"]),
    error_types: Cow::Borrowed(words![
        "validation",
        "execution",
        "timeout",
        "mcp_abort_error",
        "delegation_interrupted",
    ]),
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
