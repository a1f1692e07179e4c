//! The agents of the compact protocol: their status codes, what follows each code, and the chain in
//! which they work. What follows a code stands only here.

use std::borrow::Cow;

use crate::profile::builtin::words;
use crate::profile::{Action, Agent, DetailFile, Meaning, Status};

type Words = &'static [Cow<'static, str>];

const fn code(
    word: &'static str,
    meaning: Meaning,
    aliases: Words,
    next: Words,
    own_action: Option<Action>,
) -> Status {
    Status {
        word: Cow::Borrowed(word),
        meaning,
        aliases: Cow::Borrowed(aliases),
        next: Cow::Borrowed(next),
        own_action,
        ..Status::BASE
    }
}

/// Returns a status code for work that is done and goes to another agent.
const fn done(word: &'static str, aliases: Words, next: Words) -> Status {
    code(word, Meaning::Success, aliases, next, None)
}

const fn other(word: &'static str, aliases: Words, next: Words) -> Status {
    code(word, Meaning::Other, aliases, next, None)
}

/// Returns a status code after which no other agent continues, and the action in its place.
const fn ends(word: &'static str, meaning: Meaning, action: Action) -> Status {
    code(word, meaning, &[], &[], Some(action))
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

const READY_FOR_QA: Status = done(
    "READY_FOR_QA",
    words!["DONE", "COMPLETED", "COMPLETE", "IMPLEMENTED"],
    QA_EXPERT,
);
const READY_FOR_REVIEW: Status = done("READY_FOR_REVIEW", &[], TECH_LEAD);
const BLOCKED: Status = ends("BLOCKED", Meaning::Other, Action::Ask);
const PARTIAL: Status = code(
    "PARTIAL",
    Meaning::Other,
    words!["INCOMPLETE"],
    &[],
    Some(Action::Resume),
);
const NEEDS_VALIDATION: Status = other("NEEDS_TECH_LEAD_VALIDATION", &[], TECH_LEAD);

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
        short: Cow::Borrowed("dev"),
        statuses: Cow::Borrowed(&[
            READY_FOR_QA,
            READY_FOR_REVIEW,
            BLOCKED,
            PARTIAL,
            other("ESCALATE_SENIOR", &[], SENIOR),
            NEEDS_VALIDATION,
        ]),
        limits_summary: true,
        details: Cow::Borrowed(DEVELOPER_DETAILS),
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("senior_software_engineer"),
        // "Same as developer".
        short: Cow::Borrowed("dev"),
        statuses: Cow::Borrowed(&[
            READY_FOR_QA,
            READY_FOR_REVIEW,
            BLOCKED,
            PARTIAL,
            ends("ROOT_CAUSE_FOUND", Meaning::Other, Action::Open),
            NEEDS_VALIDATION,
        ]),
        limits_summary: true,
        details: Cow::Borrowed(DEVELOPER_DETAILS),
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("qa_expert"),
        short: Cow::Borrowed("qa"),
        statuses: Cow::Borrowed(&[
            done("PASS", words!["PASSED", "OK"], TECH_LEAD),
            other("FAIL", words!["FAILED"], DEVELOPERS),
            other("FAIL_ESCALATE", &[], SENIOR),
            BLOCKED,
            ends("FLAKY", Meaning::Other, Action::Open),
            PARTIAL,
        ]),
        reads_from: Cow::Borrowed(DEVELOPERS),
        details: Cow::Borrowed(&[
            UNDERSTANDING,
            COMPLETION,
            detail(
                "test_report",
                "bazinga/artifacts/{session}/tests/{group}_qa_results.md",
            ),
        ]),
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("tech_lead"),
        short: Cow::Borrowed("tl"),
        statuses: Cow::Borrowed(&[
            done("APPROVED", words!["APPROVE", "LGTM"], PROJECT_MANAGER),
            other("CHANGES_REQUESTED", words!["REJECTED"], DEVELOPERS),
            other("SPAWN_INVESTIGATOR", &[], INVESTIGATOR),
            other("UNBLOCKING_GUIDANCE", &[], DEVELOPERS),
            ends("ESCALATE_TO_OPUS", Meaning::Other, Action::Open),
            other("ARCHITECTURAL_DECISION_MADE", &[], DEVELOPERS),
        ]),
        // Each of its words is a verdict or sends the work to somebody.
        reads_from: Cow::Borrowed(QA_EXPERT),
        // Work without tests comes straight from a developer.
        reads_otherwise: Cow::Borrowed(DEVELOPERS),
        details: Cow::Borrowed(&[
            UNDERSTANDING,
            COMPLETION,
            detail(
                "review_details",
                "bazinga/artifacts/{session}/reviews/{group}_tech_lead.md",
            ),
        ]),
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("project_manager"),
        statuses: Cow::Borrowed(&[
            ends("BAZINGA", Meaning::Success, Action::End),
            done("PLANNING_COMPLETE", &[], DEVELOPERS),
            other("CONTINUE", &[], DEVELOPERS),
            other("INVESTIGATION_NEEDED", &[], INVESTIGATOR),
            ends("NEEDS_CLARIFICATION", Meaning::Other, Action::Ask),
            ends("INVESTIGATION_ONLY", Meaning::Other, Action::Open),
        ]),
        reads_from: Cow::Borrowed(TECH_LEAD),
        writes_handoff: false,
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("investigator"),
        statuses: Cow::Borrowed(&[
            ends("ROOT_CAUSE_FOUND", Meaning::Success, Action::Open),
            ends("INVESTIGATION_INCOMPLETE", Meaning::Other, Action::Resume),
            BLOCKED,
            ends("EXHAUSTED", Meaning::Other, Action::Stop),
            other("NEED_DEVELOPER_DIAGNOSTIC", &[], DEVELOPERS),
            ends("HYPOTHESIS_ELIMINATED", Meaning::Other, Action::Resume),
            ends("NEED_MORE_ANALYSIS", Meaning::Other, Action::Resume),
        ]),
        details: Cow::Borrowed(&[
            UNDERSTANDING,
            COMPLETION,
            detail(
                "root_cause",
                "bazinga/artifacts/{session}/investigations/{group}_root_cause.md",
            ),
        ]),
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("requirements_engineer"),
        statuses: Cow::Borrowed(&[READY_FOR_REVIEW, BLOCKED, PARTIAL]),
        details: Cow::Borrowed(&[UNDERSTANDING, COMPLETION]),
        ..Agent::BASE
    },
];
