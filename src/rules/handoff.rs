//! Step 6 of the compact protocol: the handoff file behind the status.

use crate::level::Level;
use crate::rule::{Applies, Example, Rule, Template};
use crate::step::Step;

/// The agent left no handoff file.
pub(crate) static NOT_FOUND: Rule = Rule {
    id: "handoff-not-found",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: Template::new("Handoff file does not exist: {path}"),
    help: Template::new("Verify {agent} writes its handoff file before it returns its status"),
    explanation: "The status is all that the orchestrator hears; what the next agent needs is in the handoff file. \
                  Without it the next agent starts blind.",
    seed: "002, handoff protocol",
    example: Example::of_returns(
        "compact",
        r#"{"status": "APPROVED"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with_each(
        "--session tides_20260101 --group AUTH --agent tech_lead",
        "--session tides_20260101 --group AUTH --agent developer",
    ),
};

/// The handoff file breaks its own standard.
pub(crate) static INVALID: Rule = Rule {
    id: "handoff-invalid",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: Template::new("Handoff file is not valid: {path}"),
    help: Template::new(
        "Fix {agent} to write its handoff file by the standard; check it with the handoff profile",
    ),
    explanation: "The handoff file is there and does not meet the handoff standard, so that the next agent cannot \
                  rely on it.",
    seed: "002, handoff file schema by agent",
    example: Example::of_returns(
        "compact",
        r#"{"status": "PASS"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with_each(
        "--session tides_20260101 --group AUTH --agent qa_expert",
        "--session tides_20260101 --group AUTH --agent developer",
    ),
};

/// Status and handoff file disagree.
pub(crate) static STATUS_MISMATCH: Rule = Rule {
    id: "handoff-status-mismatch",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: Template::new("Handoff file has another status: {found}, returned was {status}"),
    help: Template::new("Fix {agent} to return the status that it wrote into its handoff file"),
    explanation: "The orchestrator routes by the one, the next agent acts on the other.",
    seed: "002, agent output format mapping",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_REVIEW"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--session tides_20260101 --group AUTH --agent developer"),
};
