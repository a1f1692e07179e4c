//! The five built-in profiles, from the seeds.

use super::{
    Agent, Asked, Claim, Companion, LengthLimit, Limits, Measured, Need, Profile, Shape, Status,
    Unit, Wish,
};
use crate::rules::Level;

/// The built-in profiles; the first is the default.
pub static PROFILES: [&Profile<'static>; 5] =
    [&RETURN, &RETURN_V1, &RETURN_META, &COMPACT, &HANDOFF];

const fn required(path: &'static str) -> Asked<'static> {
    Asked {
        path,
        need: Need::Required,
    }
}

const fn wanted(path: &'static str) -> Asked<'static> {
    Asked {
        path,
        need: Need::Wanted,
    }
}

const fn optional(path: &'static str) -> Asked<'static> {
    Asked {
        path,
        need: Need::Optional,
    }
}

const fn status(word: &'static str, claim: Claim) -> Status<'static> {
    Status {
        word,
        claim,
        asks: &[],
        meant_by: &[],
    }
}

impl Status<'static> {
    const fn asking(mut self, companions: &'static [Companion]) -> Self {
        self.asks = companions;
        self
    }

    const fn meant_by(mut self, words: &'static [&'static str]) -> Self {
        self.meant_by = words;
        self
    }
}

/// What agents write for a finished task, counted in the field.
const DONE: &[&str] = &[
    "complete",
    "done",
    "finished",
    "ok",
    "success",
    "succeeded",
    "successful",
];
const FAILED: &[&str] = &["error", "failure", "fail", "aborted", "cancelled"];
const PARTIAL: &[&str] = &[
    "incomplete",
    "partially_completed",
    "timeout",
    "interrupted",
];
const BLOCKED: &[&str] = &["waiting", "needs_input", "pending", "on_hold"];

/// The fewest characters of a summary, seed 001, summary, validation rules.
const SUMMARY_AT_LEAST: usize = 10;
/// The most characters of an artifact's summary, seed 001, artifacts.
const ARTIFACT_SUMMARY_AT_MOST: usize = 200;
/// The most characters of an error's message, seed 001, errors.
const ERROR_MESSAGE_AT_MOST: usize = 500;
/// The most characters of `next_steps`, seed 001, `next_steps`.
const NEXT_STEPS_AT_MOST: usize = 300;

const NO_LIMITS: Limits = Limits {
    summary_at_least: None,
    artifact_summary_at_most: None,
    error_message_at_most: None,
    next_steps_at_most: None,
};

/// The console return (seed 000) as its validation (seed 003) reads it.
pub static RETURN: Profile<'static> = Profile {
    id: "return",
    document: "console return",
    seeds: "000, 003",
    shape: Shape::Return,
    fields: &[
        required("status"),
        required("summary"),
        required("artifacts"),
        wanted("artifacts[].type"),
        required("artifacts[].path"),
        wanted("artifacts[].summary"),
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
        wanted("errors[].type"),
        wanted("errors[].message"),
        wanted("errors[].recoverable"),
        wanted("errors[].recommendation"),
        optional("next_steps"),
    ],
    session: Some("metadata.session_id"),
    agent: Some("metadata.agent_type"),
    statuses: &[
        status("completed", Claim::Success).meant_by(DONE),
        status("partial", Claim::Other)
            .asking(&[Companion::Errors])
            .meant_by(PARTIAL),
        status("failed", Claim::Other)
            .asking(&[Companion::Errors])
            .meant_by(FAILED),
        status("blocked", Claim::Other)
            .asking(&[Companion::Errors])
            .meant_by(BLOCKED),
    ],
    agents: &[],
    failure: "failed",
    forbidden: &[],
    artifact_types: &[
        "plan",
        "report",
        "summary",
        "implementation",
        "documentation",
    ],
    error_types: &[],
    length: Some(LengthLimit {
        of: Measured::Summary,
        unit: Unit::Tokens,
        most: 100,
        inclusive: false,
    }),
    sentences: Some((2, 5)),
    limits: NO_LIMITS,
    wishes: &[Wish::PathEndsWithAgent],
    levels: &[],
    handoff_path: None,
};

/// The console return, version 1.0 (seed 001).
pub static RETURN_V1: Profile<'static> = Profile {
    id: "return-v1",
    document: "console return, version 1.0",
    seeds: "001",
    shape: Shape::Return,
    fields: &[
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
        wanted("errors[].type"),
        wanted("errors[].message"),
        optional("errors[].code"),
        optional("errors[].recoverable"),
        optional("next_steps"),
    ],
    session: Some("metadata.session_id"),
    agent: Some("metadata.agent_type"),
    statuses: &[
        status("completed", Claim::Success).meant_by(DONE),
        status("failed", Claim::Other).meant_by(FAILED),
        status("partial", Claim::Other).meant_by(PARTIAL),
        status("blocked", Claim::Other).meant_by(BLOCKED),
    ],
    agents: &[],
    failure: "failed",
    forbidden: &[],
    artifact_types: &[
        "research",
        "plan",
        "implementation",
        "summary",
        "test",
        "documentation",
    ],
    error_types: &["timeout", "validation", "execution", "resource", "cycle"],
    length: Some(LengthLimit {
        of: Measured::Summary,
        unit: Unit::Tokens,
        most: 100,
        inclusive: true,
    }),
    sentences: Some((2, 5)),
    limits: Limits {
        summary_at_least: Some(SUMMARY_AT_LEAST),
        artifact_summary_at_most: Some(ARTIFACT_SUMMARY_AT_MOST),
        error_message_at_most: Some(ERROR_MESSAGE_AT_MOST),
        next_steps_at_most: Some(NEXT_STEPS_AT_MOST),
    },
    wishes: &[
        Wish::NoEmoji,
        Wish::UniqueArtifacts,
        Wish::UpperSnakeErrorCodes,
        Wish::DurationNotNegative,
    ],
    levels: &[("artifact-not-relative", Level::Error)],
    handoff_path: None,
};

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
        status("in_progress", Claim::Unfinished)
            .asking(&[Companion::StartedAt, Companion::Progress])
            .meant_by(&[
                "implementing",
                "researching",
                "planning",
                "running",
                "started",
                "working",
            ]),
        status("researched", Claim::Success).meant_by(&[
            "report_ready",
            "report_written",
            "research_complete",
            "research_completed",
            "research_done",
        ]),
        status("planned", Claim::Success).meant_by(&[
            "plan_complete",
            "plan_created",
            "plan_ready",
            "planning_complete",
        ]),
        status("implemented", Claim::Success)
            .asking(&[Companion::CompletionData])
            .meant_by(&[
                "implementation_complete",
                "implementation_done",
                "ready_for_postflight",
            ]),
        status("partial", Claim::Other)
            .asking(&[Companion::Errors, Companion::Progress])
            .meant_by(PARTIAL),
        status("failed", Claim::Other)
            .asking(&[Companion::Errors])
            .meant_by(FAILED),
        status("blocked", Claim::Other)
            .asking(&[Companion::Errors])
            .meant_by(BLOCKED),
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
    wishes: &[Wish::PathEndsWithAgent],
    levels: &[],
    handoff_path: None,
};

const READY: [Status<'static>; 2] = [
    status("READY_FOR_QA", Claim::Success).meant_by(&[
        "DONE",
        "COMPLETED",
        "COMPLETE",
        "IMPLEMENTED",
    ]),
    status("READY_FOR_REVIEW", Claim::Success),
];
const BLOCKED_CODE: Status<'static> = status("BLOCKED", Claim::Other);
const PARTIAL_CODE: Status<'static> = status("PARTIAL", Claim::Other).meant_by(&["INCOMPLETE"]);
const NEEDS_VALIDATION: Status<'static> = status("NEEDS_TECH_LEAD_VALIDATION", Claim::Other);

/// The agents of seed 002 and their codes, in the order of their chain.
const AGENTS: &[Agent<'static>] = &[
    Agent {
        name: "developer",
        statuses: &[
            READY[0],
            READY[1],
            BLOCKED_CODE,
            PARTIAL_CODE,
            status("ESCALATE_SENIOR", Claim::Other),
            NEEDS_VALIDATION,
        ],
        failure: "BLOCKED",
        reads_from: &[],
        writes_handoff: true,
    },
    Agent {
        name: "senior_software_engineer",
        statuses: &[
            READY[0],
            READY[1],
            BLOCKED_CODE,
            PARTIAL_CODE,
            status("ROOT_CAUSE_FOUND", Claim::Other),
            NEEDS_VALIDATION,
        ],
        failure: "BLOCKED",
        reads_from: &[],
        writes_handoff: true,
    },
    Agent {
        name: "qa_expert",
        statuses: &[
            status("PASS", Claim::Success).meant_by(&["PASSED", "OK"]),
            status("FAIL", Claim::Other).meant_by(&["FAILED"]),
            status("FAIL_ESCALATE", Claim::Other),
            BLOCKED_CODE,
            status("FLAKY", Claim::Other),
            PARTIAL_CODE,
        ],
        failure: "FAIL",
        reads_from: &["developer", "senior_software_engineer"],
        writes_handoff: true,
    },
    Agent {
        name: "tech_lead",
        statuses: &[
            status("APPROVED", Claim::Success).meant_by(&["APPROVE", "LGTM"]),
            status("CHANGES_REQUESTED", Claim::Other).meant_by(&["REJECTED"]),
            status("SPAWN_INVESTIGATOR", Claim::Other),
            status("UNBLOCKING_GUIDANCE", Claim::Other),
            status("ESCALATE_TO_OPUS", Claim::Other),
            status("ARCHITECTURAL_DECISION_MADE", Claim::Other),
        ],
        failure: "CHANGES_REQUESTED",
        reads_from: &["qa_expert"],
        writes_handoff: true,
    },
    Agent {
        name: "project_manager",
        statuses: &[
            status("BAZINGA", Claim::Success),
            status("PLANNING_COMPLETE", Claim::Success),
            status("CONTINUE", Claim::Other),
            status("INVESTIGATION_NEEDED", Claim::Other),
            status("NEEDS_CLARIFICATION", Claim::Other),
            status("INVESTIGATION_ONLY", Claim::Other),
        ],
        failure: "INVESTIGATION_NEEDED",
        reads_from: &["tech_lead"],
        writes_handoff: false,
    },
    Agent {
        name: "investigator",
        statuses: &[
            status("ROOT_CAUSE_FOUND", Claim::Success),
            status("INVESTIGATION_INCOMPLETE", Claim::Other),
            BLOCKED_CODE,
            status("EXHAUSTED", Claim::Other),
            status("NEED_DEVELOPER_DIAGNOSTIC", Claim::Other),
            status("HYPOTHESIS_ELIMINATED", Claim::Other),
            status("NEED_MORE_ANALYSIS", Claim::Other),
        ],
        failure: "BLOCKED",
        reads_from: &[],
        writes_handoff: true,
    },
    Agent {
        name: "requirements_engineer",
        statuses: &[READY[1], BLOCKED_CODE, PARTIAL_CODE],
        failure: "BLOCKED",
        reads_from: &[],
        writes_handoff: true,
    },
];

/// The compact protocol's final message (seed 002).
pub static COMPACT: Profile<'static> = Profile {
    id: "compact",
    document: "the final message {\"status\":\"CODE\"}",
    seeds: "002",
    shape: Shape::Return,
    fields: &[required("status")],
    session: None,
    agent: None,
    statuses: &[],
    agents: AGENTS,
    failure: "",
    forbidden: &[],
    artifact_types: &[],
    error_types: &[],
    // Seed 002, token impact: about 50 tokens for each agent's return.
    length: Some(LengthLimit {
        of: Measured::Return,
        unit: Unit::Tokens,
        most: 50,
        inclusive: true,
    }),
    sentences: None,
    limits: NO_LIMITS,
    wishes: &[Wish::NothingElse],
    levels: &[],
    handoff_path: Some("bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json"),
};

/// The handoff file of an agent (seed 002).
pub static HANDOFF: Profile<'static> = Profile {
    id: "handoff",
    document: "the handoff file of an agent",
    seeds: "002",
    shape: Shape::Handoff,
    fields: &[
        required("from_agent"),
        optional("to_agent"),
        optional("timestamp"),
        optional("session_id"),
        optional("group_id"),
        required("status"),
        required("summary"),
        optional("files_modified"),
        optional("files_created"),
        optional("artifacts"),
        optional("tests"),
        optional("tests.total"),
        optional("tests.passing"),
        optional("tests.failing"),
        optional("tests.coverage"),
        optional("branch"),
        optional("concerns"),
        optional("tech_debt_logged"),
        optional("tests_run"),
        optional("total_tests"),
        optional("total_tests.passed"),
        optional("total_tests.failed"),
        optional("challenge_level_reached"),
        optional("quality_assessment"),
        optional("failures"),
        optional("decision"),
        optional("code_quality_score"),
        optional("security_issues"),
        optional("lint_issues"),
        optional("coverage_acceptable"),
        optional("what_was_done_well"),
        optional("required_changes"),
        optional("suggestions"),
    ],
    session: Some("session_id"),
    agent: Some("from_agent"),
    statuses: &[],
    agents: AGENTS,
    failure: "",
    forbidden: &[],
    artifact_types: &[],
    error_types: &[],
    // Seed 002, handoff file schema: a summary of at most 100 words.
    length: Some(LengthLimit {
        of: Measured::Summary,
        unit: Unit::Words,
        most: 100,
        inclusive: true,
    }),
    sentences: None,
    limits: NO_LIMITS,
    wishes: &[],
    levels: &[],
    handoff_path: None,
};
