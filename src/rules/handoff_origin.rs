//! Step 4, handoff files: the file belongs to the expected session, group and agent.

use crate::diagnostics::{Collector, Context, Diagnostic, DiagnosticNote, Location};
use crate::document::Handoff;
use crate::level::Level;
use crate::rule::{Applies, Example, Rule, Template};
use crate::step::Step;
use crate::text::escape;

/// The handoff belongs to another session.
pub(crate) static SESSION: Rule = Rule {
    id: "handoff-session",
    step: Step::Session,
    level: Level::Error,
    applies: Applies::IfHandoff,
    message: Template::new("Session ID mismatch in the handoff"),
    help: Template::new("Fix {agent} subagent to write the session_id of its task"),
    explanation: "The handoff names another session than the one that was expected. The next agent \
                  would continue with the work of another run.",
    source: "Compact return protocol, new ultra-minimal formats",
    example: Example::of_members(
        "handoff",
        r#""session_id": "tides_20251224""#,
        r#""session_id": "tides_20260101""#,
    )
    .with("--session tides_20260101"),
};

/// The handoff belongs to another work group.
pub(super) static GROUP: Rule = Rule {
    id: "handoff-group",
    step: Step::Session,
    level: Level::Error,
    applies: Applies::IfHandoff,
    message: Template::new("Group ID mismatch in the handoff"),
    help: Template::new("Fix {agent} subagent to write the group_id of its task"),
    explanation: "The handoff names another group of work than --group. Agents that work in \
                  parallel have exchanged their files.",
    source: "Compact return protocol, new ultra-minimal formats and external LLM review integration",
    example: Example::of_members(
        "handoff",
        r#""group_id": "BILLING""#,
        r#""group_id": "AUTH""#,
    )
    .with("--group AUTH"),
};

/// The handoff comes from another agent.
pub(crate) static AGENT: Rule = Rule {
    id: "handoff-agent",
    step: Step::Session,
    level: Level::Error,
    applies: Applies::IfHandoff,
    message: Template::new("Handoff is from {found}, expected {agent}"),
    help: Template::new("Fix {agent} subagent to write its own name to from_agent"),
    explanation: "The handoff names another agent than --agent. Its statuses and members are \
                  those of the agent that was called, whatever it says.",
    source: "Compact return protocol, handoff file schema by agent",
    example: Example::of_members(
        "handoff",
        r#""from_agent": "senior_software_engineer""#,
        r#""from_agent": "developer""#,
    )
    .with("--agent developer"),
};

pub(super) fn group(
    context: &Context<'_, '_>,
    collector: &mut Collector<'_, '_>,
    handoff: &Handoff<'_>,
) {
    if let (Some(expected), Some(found)) = (context.expected.group, handoff.group_id.present())
        && found != expected
    {
        let notes = [
            DiagnosticNote::Expected(escape::truncated(expected)),
            DiagnosticNote::Got(escape::truncated(found)),
        ];
        let location = Location::member("group_id");
        collector.add(Diagnostic::new(&GROUP, location).notes(&notes));
    }
}
