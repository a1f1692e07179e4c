//! The compact protocol and the handoff files behind it, as seed 002 describes them.

use crate::profile::builtin::{NO_LIMITS, optional, required, status};
use crate::profile::{
    Agent, LengthLimit, Meaning, Measured, Profile, Requirement, Shape, Status, Unit,
};

const READY: [Status<'static>; 2] = [
    status("READY_FOR_QA", Meaning::Success).aliases(&[
        "DONE",
        "COMPLETED",
        "COMPLETE",
        "IMPLEMENTED",
    ]),
    status("READY_FOR_REVIEW", Meaning::Success),
];
const BLOCKED_CODE: Status<'static> = status("BLOCKED", Meaning::Other);
const PARTIAL_CODE: Status<'static> = status("PARTIAL", Meaning::Other).aliases(&["INCOMPLETE"]);
const NEEDS_VALIDATION: Status<'static> = status("NEEDS_TECH_LEAD_VALIDATION", Meaning::Other);

/// The agents of seed 002 and their codes, in the order of their chain.
const AGENTS: &[Agent<'static>] = &[
    Agent {
        name: "developer",
        statuses: &[
            READY[0],
            READY[1],
            BLOCKED_CODE,
            PARTIAL_CODE,
            status("ESCALATE_SENIOR", Meaning::Other),
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
            status("ROOT_CAUSE_FOUND", Meaning::Other),
            NEEDS_VALIDATION,
        ],
        failure: "BLOCKED",
        reads_from: &[],
        writes_handoff: true,
    },
    Agent {
        name: "qa_expert",
        statuses: &[
            status("PASS", Meaning::Success).aliases(&["PASSED", "OK"]),
            status("FAIL", Meaning::Other).aliases(&["FAILED"]),
            status("FAIL_ESCALATE", Meaning::Other),
            BLOCKED_CODE,
            status("FLAKY", Meaning::Other),
            PARTIAL_CODE,
        ],
        failure: "FAIL",
        reads_from: &["developer", "senior_software_engineer"],
        writes_handoff: true,
    },
    Agent {
        name: "tech_lead",
        statuses: &[
            status("APPROVED", Meaning::Success).aliases(&["APPROVE", "LGTM"]),
            status("CHANGES_REQUESTED", Meaning::Other).aliases(&["REJECTED"]),
            status("SPAWN_INVESTIGATOR", Meaning::Other),
            status("UNBLOCKING_GUIDANCE", Meaning::Other),
            status("ESCALATE_TO_OPUS", Meaning::Other),
            status("ARCHITECTURAL_DECISION_MADE", Meaning::Other),
        ],
        failure: "CHANGES_REQUESTED",
        reads_from: &["qa_expert"],
        writes_handoff: true,
    },
    Agent {
        name: "project_manager",
        statuses: &[
            status("BAZINGA", Meaning::Success),
            status("PLANNING_COMPLETE", Meaning::Success),
            status("CONTINUE", Meaning::Other),
            status("INVESTIGATION_NEEDED", Meaning::Other),
            status("NEEDS_CLARIFICATION", Meaning::Other),
            status("INVESTIGATION_ONLY", Meaning::Other),
        ],
        failure: "INVESTIGATION_NEEDED",
        reads_from: &["tech_lead"],
        writes_handoff: false,
    },
    Agent {
        name: "investigator",
        statuses: &[
            status("ROOT_CAUSE_FOUND", Meaning::Success),
            status("INVESTIGATION_INCOMPLETE", Meaning::Other),
            BLOCKED_CODE,
            status("EXHAUSTED", Meaning::Other),
            status("NEED_DEVELOPER_DIAGNOSTIC", Meaning::Other),
            status("HYPOTHESIS_ELIMINATED", Meaning::Other),
            status("NEED_MORE_ANALYSIS", Meaning::Other),
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
    requirements: &[Requirement::NothingElse],
    levels: &[],
    file: None,
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
    requirements: &[],
    levels: &[],
    file: Some("handoff_*.json"),
    handoff_path: None,
};
