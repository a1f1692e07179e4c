//! The compact protocol and the handoff files behind it, as the compact protocol defines them.

use std::borrow::Cow;

use crate::profile::builtin::{NO_LIMITS, optional, required, status, words};
use crate::profile::{
    Agent, FilePattern, LengthLimit, Meaning, Measured, Profile, Requirement, Shape, Status, Unit,
};

const READY_FOR_QA: Status = status(
    "READY_FOR_QA",
    Meaning::Success,
    &[],
    words!["DONE", "COMPLETED", "COMPLETE", "IMPLEMENTED"],
);
const READY_FOR_REVIEW: Status = status("READY_FOR_REVIEW", Meaning::Success, &[], &[]);
const BLOCKED_CODE: Status = status("BLOCKED", Meaning::Other, &[], &[]);
const PARTIAL_CODE: Status = status("PARTIAL", Meaning::Other, &[], words!["INCOMPLETE"]);
const NEEDS_VALIDATION: Status = status("NEEDS_TECH_LEAD_VALIDATION", Meaning::Other, &[], &[]);

/// The agents and their status codes, in the order in which they work.
static AGENTS: [Agent; 7] = [
    Agent {
        name: Cow::Borrowed("developer"),
        statuses: Cow::Borrowed(&[
            READY_FOR_QA,
            READY_FOR_REVIEW,
            BLOCKED_CODE,
            PARTIAL_CODE,
            status("ESCALATE_SENIOR", Meaning::Other, &[], &[]),
            NEEDS_VALIDATION,
        ]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        writes_handoff: true,
    },
    Agent {
        name: Cow::Borrowed("senior_software_engineer"),
        statuses: Cow::Borrowed(&[
            READY_FOR_QA,
            READY_FOR_REVIEW,
            BLOCKED_CODE,
            PARTIAL_CODE,
            status("ROOT_CAUSE_FOUND", Meaning::Other, &[], &[]),
            NEEDS_VALIDATION,
        ]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        writes_handoff: true,
    },
    Agent {
        name: Cow::Borrowed("qa_expert"),
        statuses: Cow::Borrowed(&[
            status("PASS", Meaning::Success, &[], words!["PASSED", "OK"]),
            status("FAIL", Meaning::Other, &[], words!["FAILED"]),
            status("FAIL_ESCALATE", Meaning::Other, &[], &[]),
            BLOCKED_CODE,
            status("FLAKY", Meaning::Other, &[], &[]),
            PARTIAL_CODE,
        ]),
        failure: Cow::Borrowed("FAIL"),
        reads_from: Cow::Borrowed(words!["developer", "senior_software_engineer"]),
        writes_handoff: true,
    },
    Agent {
        name: Cow::Borrowed("tech_lead"),
        statuses: Cow::Borrowed(&[
            status("APPROVED", Meaning::Success, &[], words!["APPROVE", "LGTM"]),
            status("CHANGES_REQUESTED", Meaning::Other, &[], words!["REJECTED"]),
            status("SPAWN_INVESTIGATOR", Meaning::Other, &[], &[]),
            status("UNBLOCKING_GUIDANCE", Meaning::Other, &[], &[]),
            status("ESCALATE_TO_OPUS", Meaning::Other, &[], &[]),
            status("ARCHITECTURAL_DECISION_MADE", Meaning::Other, &[], &[]),
        ]),
        failure: Cow::Borrowed("CHANGES_REQUESTED"),
        reads_from: Cow::Borrowed(words!["qa_expert"]),
        writes_handoff: true,
    },
    Agent {
        name: Cow::Borrowed("project_manager"),
        statuses: Cow::Borrowed(&[
            status("BAZINGA", Meaning::Success, &[], &[]),
            status("PLANNING_COMPLETE", Meaning::Success, &[], &[]),
            status("CONTINUE", Meaning::Other, &[], &[]),
            status("INVESTIGATION_NEEDED", Meaning::Other, &[], &[]),
            status("NEEDS_CLARIFICATION", Meaning::Other, &[], &[]),
            status("INVESTIGATION_ONLY", Meaning::Other, &[], &[]),
        ]),
        failure: Cow::Borrowed("INVESTIGATION_NEEDED"),
        reads_from: Cow::Borrowed(words!["tech_lead"]),
        writes_handoff: false,
    },
    Agent {
        name: Cow::Borrowed("investigator"),
        statuses: Cow::Borrowed(&[
            status("ROOT_CAUSE_FOUND", Meaning::Success, &[], &[]),
            status("INVESTIGATION_INCOMPLETE", Meaning::Other, &[], &[]),
            BLOCKED_CODE,
            status("EXHAUSTED", Meaning::Other, &[], &[]),
            status("NEED_DEVELOPER_DIAGNOSTIC", Meaning::Other, &[], &[]),
            status("HYPOTHESIS_ELIMINATED", Meaning::Other, &[], &[]),
            status("NEED_MORE_ANALYSIS", Meaning::Other, &[], &[]),
        ]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        writes_handoff: true,
    },
    Agent {
        name: Cow::Borrowed("requirements_engineer"),
        statuses: Cow::Borrowed(&[READY_FOR_REVIEW, BLOCKED_CODE, PARTIAL_CODE]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        writes_handoff: true,
    },
];

/// The compact protocol's final message.
pub static COMPACT: Profile = Profile {
    id: Cow::Borrowed("compact"),
    document: Cow::Borrowed("the final message {\"status\":\"CODE\"}"),
    sources: Cow::Borrowed("Compact return protocol"),
    shape: Shape::Return,
    fields: Cow::Borrowed(&[required("status")]),
    session: None,
    agent: None,
    statuses: Cow::Borrowed(&[]),
    agents: Cow::Borrowed(&AGENTS),
    failure: Cow::Borrowed(""),
    forbidden: Cow::Borrowed(&[]),
    artifact_types: Cow::Borrowed(&[]),
    error_types: Cow::Borrowed(&[]),
    // Compact protocol, token impact: about 50 tokens for each agent's return.
    length: Some(LengthLimit {
        of: Measured::Return,
        unit: Unit::Tokens,
        most: 50,
        inclusive: true,
    }),
    soft_length: None,
    sentences: None,
    limits: NO_LIMITS,
    requirements: Cow::Borrowed(&[Requirement::NothingElse]),
    levels: Cow::Borrowed(&[]),
    file: None,
    files: Cow::Borrowed(&[]),
    handoff_path: Some(Cow::Borrowed(
        "bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json",
    )),
};

/// The handoff file of an agent.
pub static HANDOFF: Profile = Profile {
    id: Cow::Borrowed("handoff"),
    document: Cow::Borrowed("the handoff file of an agent"),
    sources: Cow::Borrowed("Compact return protocol"),
    shape: Shape::Handoff,
    fields: Cow::Borrowed(&[
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
    ]),
    session: Some(Cow::Borrowed("session_id")),
    agent: Some(Cow::Borrowed("from_agent")),
    statuses: Cow::Borrowed(&[]),
    agents: Cow::Borrowed(&AGENTS),
    failure: Cow::Borrowed(""),
    forbidden: Cow::Borrowed(&[]),
    artifact_types: Cow::Borrowed(&[]),
    error_types: Cow::Borrowed(&[]),
    // Compact protocol, handoff file schema: a summary of at most 100 words.
    length: Some(LengthLimit {
        of: Measured::Summary,
        unit: Unit::Words,
        most: 100,
        inclusive: true,
    }),
    soft_length: None,
    sentences: None,
    limits: NO_LIMITS,
    requirements: Cow::Borrowed(&[]),
    levels: Cow::Borrowed(&[]),
    file: Some(Cow::Borrowed("handoff_*.json")),
    files: Cow::Borrowed(&[
        FilePattern::simple("handoff_*.json"),
        FilePattern::simple("handoffs/*_dev.json"),
        FilePattern::simple("handoffs/*_qa.json"),
        FilePattern::simple("handoffs/*_tl.json"),
    ]),
    handoff_path: None,
};
