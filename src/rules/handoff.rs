//! Step 6 of the compact protocol: the handoff file that belongs to the status.

use crate::level::Level;
use crate::rule::{Applies, Example, Rule, Template};
use crate::step::Step;

/// The agent did not write its handoff file.
pub(crate) static NOT_FOUND: Rule = Rule {
    id: "handoff-not-found",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: Template::new("Handoff file does not exist: {path}"),
    help: Template::new("Verify {agent} writes its handoff file before it returns its status"),
    explanation: "The orchestrator receives only the status. The next agent reads the rest \
                  from the handoff file and cannot continue without it.",
    source: "Compact return protocol, handoff protocol",
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

/// The handoff file is not valid by its own standard.
pub(crate) static INVALID: Rule = Rule {
    id: "handoff-invalid",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: Template::new("Handoff file is not valid: {path}"),
    help: Template::new(
        "Fix {agent} to write a valid handoff file; check it with --profile handoff",
    ),
    explanation: "The handoff file exists but is not a valid handoff, so that the next agent \
                  cannot rely on it.",
    source: "Compact return protocol, handoff file schema by agent",
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

/// The handoff file has another status than the return.
pub(crate) static STATUS_MISMATCH: Rule = Rule {
    id: "handoff-status-mismatch",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: Template::new("Handoff file has status {found}, but {status} was returned"),
    help: Template::new("Fix {agent} to return the status that it wrote to its handoff file"),
    explanation: "The orchestrator acts on the returned status, the next agent on the one in \
                  the handoff file.",
    source: "Compact return protocol, agent output format mapping",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_REVIEW"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--session tides_20260101 --group AUTH --agent developer"),
};
