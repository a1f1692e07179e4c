//! The metadata file, as seed 004 describes it.

use crate::profile::builtin::{
    BLOCKED, FAILED, NO_LIMITS, PARTIAL, optional, required, status, wanted,
};
use crate::profile::{Companion, Meaning, Profile, Requirement, Shape};

/// The metadata file `.return-meta.json` (seed 004).
pub static RETURN_META: Profile<'static> = Profile {
    id: "return-meta",
    document: ".return-meta.json file",
    seeds: "004",
    shape: Shape::Return,
    fields: &[
        required("status"),
        required("artifacts"),
        wanted("artifacts[].type"),
        required("artifacts[].path"),
        wanted("artifacts[].summary"),
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
        wanted("errors[].type"),
        wanted("errors[].message"),
        wanted("errors[].recoverable"),
        wanted("errors[].recommendation"),
    ],
    session: Some("metadata.session_id"),
    agent: Some("metadata.agent_type"),
    statuses: &[
        status("in_progress", Meaning::Unfinished)
            .asking(&[Companion::StartedAt, Companion::Progress])
            .aliases(&[
                "implementing",
                "researching",
                "planning",
                "running",
                "started",
                "working",
            ]),
        status("researched", Meaning::Success).aliases(&[
            "report_ready",
            "report_written",
            "research_complete",
            "research_completed",
            "research_done",
        ]),
        status("planned", Meaning::Success).aliases(&[
            "plan_complete",
            "plan_created",
            "plan_ready",
            "planning_complete",
        ]),
        status("implemented", Meaning::Success)
            .asking(&[Companion::CompletionData])
            .aliases(&[
                "implementation_complete",
                "implementation_done",
                "ready_for_postflight",
            ]),
        status("partial", Meaning::Other)
            .asking(&[Companion::Errors, Companion::Progress])
            .aliases(PARTIAL),
        status("failed", Meaning::Other)
            .asking(&[Companion::Errors])
            .aliases(FAILED),
        status("blocked", Meaning::Other)
            .asking(&[Companion::Errors])
            .aliases(BLOCKED),
    ],
    agents: &[],
    failure: "failed",
    forbidden: &[(
        "completed",
        "the standard forbids it because Claude takes the word as its own signal to stop",
    )],
    artifact_types: &["report", "plan", "summary", "implementation"],
    error_types: &[
        "validation",
        "execution",
        "timeout",
        "mcp_abort_error",
        "delegation_interrupted",
    ],
    length: None,
    sentences: None,
    limits: NO_LIMITS,
    requirements: &[Requirement::PathEndsWithAgent],
    levels: &[],
    file: Some(".return-meta.json"),
    handoff_path: None,
};
