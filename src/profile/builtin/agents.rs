//! The agents of the compact protocol: their status codes, and the chain in which they work.

use std::borrow::Cow;

use crate::profile::builtin::words;
use crate::profile::{Agent, DetailFile, Meaning, Status};

type Words = &'static [Cow<'static, str>];

/// Returns a status code and the agents that may continue after it.
const fn code(word: &'static str, meaning: Meaning, aliases: Words, next: Words) -> Status {
    Status {
        word: Cow::Borrowed(word),
        meaning,
        companions: Cow::Borrowed(&[]),
        aliases: Cow::Borrowed(aliases),
        next: Cow::Borrowed(next),
    }
}

/// Returns a status code for work that is done.
const fn done(word: &'static str, aliases: Words, next: Words) -> Status {
    code(word, Meaning::Success, aliases, next)
}

/// Returns a status code for any other result.
const fn other(word: &'static str, next: Words) -> Status {
    code(word, Meaning::Other, &[], next)
}

const fn detail(name: &'static str, path: &'static str) -> DetailFile {
    DetailFile {
        name: Cow::Borrowed(name),
        path: Cow::Borrowed(path),
    }
}

/// The agents that implement. Work can go back to either of them; the handoffs say to which one.
const DEVELOPERS: Words = words!["developer", "senior_software_engineer"];
const SENIOR: Words = words!["senior_software_engineer"];
const QA_EXPERT: Words = words!["qa_expert"];
const TECH_LEAD: Words = words!["tech_lead"];
const PROJECT_MANAGER: Words = words!["project_manager"];
const INVESTIGATOR: Words = words!["investigator"];
/// For a status that ends the work, or that leaves open who continues.
const OPEN: Words = &[];

const READY_FOR_QA: Status = done(
    "READY_FOR_QA",
    words!["DONE", "COMPLETED", "COMPLETE", "IMPLEMENTED"],
    QA_EXPERT,
);
const READY_FOR_REVIEW: Status = done("READY_FOR_REVIEW", &[], TECH_LEAD);
const BLOCKED: Status = other("BLOCKED", OPEN);
const PARTIAL: Status = code("PARTIAL", Meaning::Other, words!["INCOMPLETE"], OPEN);
const NEEDS_VALIDATION: Status = other("NEEDS_TECH_LEAD_VALIDATION", TECH_LEAD);

// As in the compact protocol, section on the directory layout.
const UNDERSTANDING: DetailFile = detail(
    "understanding",
    "bazinga/artifacts/{session}/reasoning/{agent}_{group}_understanding.md",
);
const COMPLETION: DetailFile = detail(
    "reasoning",
    "bazinga/artifacts/{session}/reasoning/{agent}_{group}_completion.md",
);
const DEVELOPER_DETAILS: &[DetailFile] = &[
    UNDERSTANDING,
    COMPLETION,
    detail(
        "test_output",
        "bazinga/artifacts/{session}/tests/{group}_dev_results.md",
    ),
];

/// The agents and their status codes, in the order in which they work.
pub(super) static AGENTS: [Agent; 7] = [
    Agent {
        name: Cow::Borrowed("developer"),
        statuses: Cow::Borrowed(&[
            READY_FOR_QA,
            READY_FOR_REVIEW,
            BLOCKED,
            PARTIAL,
            other("ESCALATE_SENIOR", SENIOR),
            NEEDS_VALIDATION,
        ]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        reads_otherwise: Cow::Borrowed(&[]),
        writes_handoff: true,
        limits_summary: true,
        details: Cow::Borrowed(DEVELOPER_DETAILS),
    },
    Agent {
        name: Cow::Borrowed("senior_software_engineer"),
        statuses: Cow::Borrowed(&[
            READY_FOR_QA,
            READY_FOR_REVIEW,
            BLOCKED,
            PARTIAL,
            other("ROOT_CAUSE_FOUND", OPEN),
            NEEDS_VALIDATION,
        ]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        reads_otherwise: Cow::Borrowed(&[]),
        writes_handoff: true,
        limits_summary: true,
        details: Cow::Borrowed(DEVELOPER_DETAILS),
    },
    Agent {
        name: Cow::Borrowed("qa_expert"),
        statuses: Cow::Borrowed(&[
            done("PASS", words!["PASSED", "OK"], TECH_LEAD),
            code("FAIL", Meaning::Other, words!["FAILED"], DEVELOPERS),
            other("FAIL_ESCALATE", SENIOR),
            BLOCKED,
            other("FLAKY", OPEN),
            PARTIAL,
        ]),
        failure: Cow::Borrowed("FAIL"),
        reads_from: Cow::Borrowed(DEVELOPERS),
        reads_otherwise: Cow::Borrowed(&[]),
        writes_handoff: true,
        limits_summary: false,
        details: Cow::Borrowed(&[
            UNDERSTANDING,
            COMPLETION,
            detail(
                "test_report",
                "bazinga/artifacts/{session}/tests/{group}_qa_results.md",
            ),
        ]),
    },
    Agent {
        name: Cow::Borrowed("tech_lead"),
        statuses: Cow::Borrowed(&[
            done("APPROVED", words!["APPROVE", "LGTM"], PROJECT_MANAGER),
            code(
                "CHANGES_REQUESTED",
                Meaning::Other,
                words!["REJECTED"],
                DEVELOPERS,
            ),
            other("SPAWN_INVESTIGATOR", INVESTIGATOR),
            other("UNBLOCKING_GUIDANCE", DEVELOPERS),
            other("ESCALATE_TO_OPUS", OPEN),
            other("ARCHITECTURAL_DECISION_MADE", DEVELOPERS),
        ]),
        failure: Cow::Borrowed("CHANGES_REQUESTED"),
        reads_from: Cow::Borrowed(QA_EXPERT),
        // Work without tests comes straight from a developer.
        reads_otherwise: Cow::Borrowed(DEVELOPERS),
        writes_handoff: true,
        limits_summary: false,
        details: Cow::Borrowed(&[
            UNDERSTANDING,
            COMPLETION,
            detail(
                "review_details",
                "bazinga/artifacts/{session}/reviews/{group}_tech_lead.md",
            ),
        ]),
    },
    Agent {
        name: Cow::Borrowed("project_manager"),
        statuses: Cow::Borrowed(&[
            done("BAZINGA", &[], OPEN),
            done("PLANNING_COMPLETE", &[], DEVELOPERS),
            other("CONTINUE", DEVELOPERS),
            other("INVESTIGATION_NEEDED", INVESTIGATOR),
            other("NEEDS_CLARIFICATION", OPEN),
            other("INVESTIGATION_ONLY", OPEN),
        ]),
        failure: Cow::Borrowed("INVESTIGATION_NEEDED"),
        reads_from: Cow::Borrowed(TECH_LEAD),
        reads_otherwise: Cow::Borrowed(&[]),
        writes_handoff: false,
        limits_summary: false,
        details: Cow::Borrowed(&[]),
    },
    Agent {
        name: Cow::Borrowed("investigator"),
        statuses: Cow::Borrowed(&[
            done("ROOT_CAUSE_FOUND", &[], OPEN),
            other("INVESTIGATION_INCOMPLETE", OPEN),
            BLOCKED,
            other("EXHAUSTED", OPEN),
            other("NEED_DEVELOPER_DIAGNOSTIC", DEVELOPERS),
            other("HYPOTHESIS_ELIMINATED", OPEN),
            other("NEED_MORE_ANALYSIS", OPEN),
        ]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        reads_otherwise: Cow::Borrowed(&[]),
        writes_handoff: true,
        limits_summary: false,
        details: Cow::Borrowed(&[
            UNDERSTANDING,
            COMPLETION,
            detail(
                "root_cause",
                "bazinga/artifacts/{session}/investigations/{group}_root_cause.md",
            ),
        ]),
    },
    Agent {
        name: Cow::Borrowed("requirements_engineer"),
        statuses: Cow::Borrowed(&[READY_FOR_REVIEW, BLOCKED, PARTIAL]),
        failure: Cow::Borrowed("BLOCKED"),
        reads_from: Cow::Borrowed(&[]),
        reads_otherwise: Cow::Borrowed(&[]),
        writes_handoff: true,
        limits_summary: false,
        details: Cow::Borrowed(&[UNDERSTANDING, COMPLETION]),
    },
];
