//! The compact protocol: its final message, the handoff files behind it, and its agents, with their status codes,
//! what follows each code, and the chain in which they work. What follows a code stands only here.

use std::borrow::Cow;

use crate::profile::builtin::{Words, fields, place, statuses, words};
use crate::profile::{
    Action, Agent, DetailFile, FilePattern, LengthLimit, Measured, Profile, Requirement, Roles,
    Shape, Unit,
};

const NONE: Words = &[];

/// The agents that implement. Work can go back to either of them; the handoffs say to which one.
const DEVELOPERS: Words = words!["developer", "senior_software_engineer"];
const SENIOR: Words = words!["senior_software_engineer"];
const QA_EXPERT: Words = words!["qa_expert"];
const TECH_LEAD: Words = words!["tech_lead"];
const PROJECT_MANAGER: Words = words!["project_manager"];
const INVESTIGATOR: Words = words!["investigator"];
/// The agents without a schema of their own.
const OTHERS: Words = words!["project_manager", "investigator", "requirements_engineer"];

const fn detail(name: &'static str, path: &'static str) -> DetailFile {
    let (name, path) = (Cow::Borrowed(name), Cow::Borrowed(path));
    DetailFile { name, path }
}

/// Files with details of the work, by name, besides two that most agents have.
macro_rules! details {
    ($($name:literal: $path:literal),*) => {
        Cow::Borrowed(&[
            // As in the compact protocol, section on the directory layout.
            detail("understanding", details!("reasoning/{agent}_{group}_understanding.md")),
            detail("reasoning", details!("reasoning/{agent}_{group}_completion.md")),
            $(detail($name, details!($path))),*
        ])
    };
    ($path:literal) => {
        concat!("bazinga/artifacts/{session}/", $path)
    };
}

/// The agents and their status codes, in the order in which they work.
static AGENTS: [Agent; 7] = [
    Agent {
        name: Cow::Borrowed("developer"),
        short: Cow::Borrowed("dev"),
        statuses: statuses! {
            "READY_FOR_QA": Success [] QA_EXPERT, None;
            "READY_FOR_REVIEW": Success [] TECH_LEAD, None;
            "BLOCKED": Other [] NONE, Some(Action::Ask);
            "PARTIAL": Other [] NONE, Some(Action::Resume);
            "ESCALATE_SENIOR": Other [] SENIOR, None;
            "NEEDS_TECH_LEAD_VALIDATION": Other [] TECH_LEAD, None;
        },
        limits_summary: true,
        details: details!["test_output": "tests/{group}_dev_results.md"],
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("senior_software_engineer"),
        // "Same as developer".
        short: Cow::Borrowed("dev"),
        statuses: statuses! {
            "READY_FOR_QA": Success [] QA_EXPERT, None;
            "READY_FOR_REVIEW": Success [] TECH_LEAD, None;
            "BLOCKED": Other [] NONE, Some(Action::Ask);
            "PARTIAL": Other [] NONE, Some(Action::Resume);
            "ROOT_CAUSE_FOUND": Other [] NONE, Some(Action::Open);
            "NEEDS_TECH_LEAD_VALIDATION": Other [] TECH_LEAD, None;
        },
        limits_summary: true,
        details: details!["test_output": "tests/{group}_dev_results.md"],
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("qa_expert"),
        short: Cow::Borrowed("qa"),
        statuses: statuses! {
            "PASS": Success [] TECH_LEAD, None;
            "FAIL": Other [] DEVELOPERS, None;
            "FAIL_ESCALATE": Other [] SENIOR, None;
            "BLOCKED": Other [] NONE, Some(Action::Ask);
            "FLAKY": Other [] NONE, Some(Action::Open);
            "PARTIAL": Other [] NONE, Some(Action::Resume);
        },
        reads_from: Cow::Borrowed(DEVELOPERS),
        details: details!["test_report": "tests/{group}_qa_results.md"],
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("tech_lead"),
        short: Cow::Borrowed("tl"),
        // Each of its words is a verdict or sends the work to somebody.
        statuses: statuses! {
            "APPROVED": Success [] PROJECT_MANAGER, None;
            "CHANGES_REQUESTED": Other [] DEVELOPERS, None;
            "SPAWN_INVESTIGATOR": Other [] INVESTIGATOR, None;
            "UNBLOCKING_GUIDANCE": Other [] DEVELOPERS, None;
            "ESCALATE_TO_OPUS": Other [] NONE, Some(Action::Open);
            "ARCHITECTURAL_DECISION_MADE": Other [] DEVELOPERS, None;
        },
        reads_from: Cow::Borrowed(QA_EXPERT),
        // Work without tests comes straight from a developer.
        reads_otherwise: Cow::Borrowed(DEVELOPERS),
        details: details!["review_details": "reviews/{group}_tech_lead.md"],
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("project_manager"),
        statuses: statuses! {
            "BAZINGA": Success [] NONE, Some(Action::End);
            "PLANNING_COMPLETE": Success [] DEVELOPERS, None;
            "CONTINUE": Other [] DEVELOPERS, None;
            "INVESTIGATION_NEEDED": Other [] INVESTIGATOR, None;
            "NEEDS_CLARIFICATION": Other [] NONE, Some(Action::Ask);
            "INVESTIGATION_ONLY": Other [] NONE, Some(Action::Open);
        },
        reads_from: Cow::Borrowed(TECH_LEAD),
        writes_handoff: false,
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("investigator"),
        statuses: statuses! {
            "ROOT_CAUSE_FOUND": Success [] NONE, Some(Action::Open);
            "INVESTIGATION_INCOMPLETE": Other [] NONE, Some(Action::Resume);
            "BLOCKED": Other [] NONE, Some(Action::Ask);
            "EXHAUSTED": Other [] NONE, Some(Action::Stop);
            "NEED_DEVELOPER_DIAGNOSTIC": Other [] DEVELOPERS, None;
            "HYPOTHESIS_ELIMINATED": Other [] NONE, Some(Action::Resume);
            "NEED_MORE_ANALYSIS": Other [] NONE, Some(Action::Resume);
        },
        details: details!["root_cause": "investigations/{group}_root_cause.md"],
        ..Agent::BASE
    },
    Agent {
        name: Cow::Borrowed("requirements_engineer"),
        statuses: statuses! {
            "READY_FOR_REVIEW": Success [] TECH_LEAD, None;
            "BLOCKED": Other [] NONE, Some(Action::Ask);
            "PARTIAL": Other [] NONE, Some(Action::Resume);
        },
        details: details![],
        ..Agent::BASE
    },
];

/// The compact protocol's final message.
pub static COMPACT: Profile = Profile {
    id: Cow::Borrowed("compact"),
    document: Cow::Borrowed("the final message {\"status\":\"CODE\"}"),
    sources: Cow::Borrowed("Compact return protocol"),
    fields: fields! { Required NONE: "status"; },
    roles: Roles { status: Some(place!["status"]), ..Roles::BASE },
    agents: Cow::Borrowed(&AGENTS),
    // From the compact protocol, section on the token impact: about 50 tokens for each agent's return.
    // Its user refused a guard, because the tokens are spent when a return arrives.
    soft_length: Some(LengthLimit::at_most(50, Unit::Tokens, Measured::Return)),
    requirements: Cow::Borrowed(&[Requirement::NothingElse]),
    // From the compact protocol: the path schema, the data map, the directory layout and the flow.
    handoff_paths: Cow::Borrowed(words! {
        "bazinga/artifacts/{session}/{group}/handoffs/handoff_{agent}.json",
        "bazinga/artifacts/{session}/{group}/handoff_{agent}.json",
        "bazinga/artifacts/{session}/handoffs/{group}_{short}.json",
        "bazinga/artifacts/{session}/{group}/handoff_{short}.json",
    }),
    ..Profile::BASE
};

/// The handoff file of an agent.
///
/// From the compact protocol, section on the handoff file schema of each agent. A field is recommended
/// if the agent's schema names it, unless the protocol's complete example of a handoff leaves it out.
pub static HANDOFF: Profile = Profile {
    id: Cow::Borrowed("handoff"),
    document: Cow::Borrowed("the handoff file of an agent"),
    sources: Cow::Borrowed("Compact return protocol"),
    shape: Shape::Handoff,
    fields: fields! {
        Required NONE: "from_agent";
        Optional NONE: "to_agent", "timestamp", "session_id", "group_id";
        Required NONE: "status", "summary";
        Recommended DEVELOPERS: "files_modified";
        Optional DEVELOPERS: "files_created";
        Optional OTHERS: "files_modified", "files_created";
        Recommended DEVELOPERS: "tests", "tests.total", "tests.passing", "tests.failing",
            "tests.coverage", "branch", "concerns";
        Optional DEVELOPERS: "tech_debt_logged";
        Recommended QA_EXPERT: "tests_run", "total_tests", "total_tests.passed",
            "total_tests.failed", "challenge_level_reached", "quality_assessment", "failures";
        Recommended TECH_LEAD: "decision", "code_quality_score", "security_issues", "lint_issues",
            "coverage_acceptable", "what_was_done_well", "required_changes", "suggestions";
        Recommended NONE: "artifacts";
    },
    roles: Roles {
        status: Some(place!["status"]),
        session: Some(place!["session_id"]),
        agent: Some(place!["from_agent"]),
        summary: Some(place!["summary"]),
        artifacts: Some(place!["files_created" / "*", "files_modified" / "*", "artifacts" / "*"]),
        ..Roles::BASE
    },
    agents: Cow::Borrowed(&AGENTS),
    // From the compact protocol, section on the handoff file schema: a summary of at most 100 words.
    length: Some(LengthLimit::at_most(100, Unit::Words, Measured::Summary)),
    file: Some(Cow::Borrowed("handoff_*.json")),
    files: Cow::Borrowed(&[
        FilePattern::simple("handoff_*.json"),
        FilePattern::simple("handoffs/*_dev.json"),
        FilePattern::simple("handoffs/*_qa.json"),
        FilePattern::simple("handoffs/*_tl.json"),
    ]),
    routing: Cow::Borrowed(words!["to_agent", "timestamp", "session_id", "group_id"]),
    decisions: Cow::Borrowed(words!["APPROVED", "CHANGES_REQUESTED"]),
    ..Profile::BASE
};
