//! Step 4: the return answers the delegation that was made.

use crate::diagnostics::{Collector, Context, Diagnostic, DiagnosticNote, Location, Ran, Value};
use crate::document::Returned;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::Shape;
use crate::rule::{Applies, Example, Rule, Template, Word};
use crate::rules::handoff_origin;
use crate::step::Step;
use crate::text::escape;

/// The return answers another session.
pub(crate) static MISMATCH: Rule = Rule {
    id: "session-mismatch",
    step: Step::Session,
    level: Level::Error,
    applies: Applies::IfSession,
    message: Template::new("Session ID mismatch"),
    help: Template::new("Fix {agent} subagent to return correct session_id"),
    explanation: "The session ID is not exactly the one that the delegation gave to the agent. \
                  The return was invented, copied from an example, or belongs to another \
                  delegation.",
    source: "Subagent return validation, step 4; Subagent return format, validation rule 4",
    example: Example::of_members("return", r#""metadata": {"session_id": "sess_1735460684_a1b2c3", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#, r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#).with("--session sess_1767225600_k3m9qa"),
};

/// The return comes from another agent.
pub(super) static AGENT_MISMATCH: Rule = Rule {
    id: "agent-mismatch",
    step: Step::Session,
    level: Level::Warning,
    applies: Applies::IfAgent,
    message: Template::new("Agent is {found}, expected {agent}"),
    help: Template::new("Fix {agent} subagent to return its own name"),
    explanation: "The return names another agent than the one that was called.",
    source: "Subagent return format 1.0, metadata, required fields",
    example: Example::of_members("return", r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "researcher", "delegation_depth": 1, "delegation_path": ["orchestrator", "researcher"]}"#, r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#).with("--agent planner"),
};

pub(super) fn check(context: &Context<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    agent(context, collector);
    if let Returned::Handoff(handoff) = returned {
        handoff_origin::group(context, collector, handoff);
    }
    let Some(place) = context.profile.session.as_deref() else {
        return Ran::Skipped("returns of this profile have no session ID".into());
    };
    let Some(expected) = context.expected.session else {
        return Ran::Skipped("no --session was given".into());
    };
    let Some(found) = returned.session_id() else {
        return Ran::Skipped(format!("the return has no usable {place}").into());
    };
    if found != expected {
        let notes = [
            DiagnosticNote::Expected(escape::truncated(expected)),
            DiagnosticNote::Got(escape::truncated(found)),
        ];
        let rule = match returned {
            Returned::Return(_) => &MISMATCH,
            Returned::Handoff(_) => &handoff_origin::SESSION,
        };
        collector.add(Diagnostic::new(rule, location(place)).notes(&notes));
    }
    Ran::Checked
}

fn agent(context: &Context<'_, '_>, collector: &mut Collector<'_, '_>) {
    let found = context.returned.and_then(Returned::agent);
    if let (Some(expected), Some(found), Some(place)) = (
        context.expected.agent,
        found,
        context.profile.agent.as_deref(),
    ) && found != expected
    {
        let words = [(Word::Found, Value::untrusted(found))];
        let rule = match context.profile.shape {
            Shape::Return => &AGENT_MISMATCH,
            Shape::Handoff => &handoff_origin::AGENT,
        };
        collector.add(Diagnostic::new(rule, location(place)).words(&words));
    }
}

/// A profile's dotted place of members, without lists.
fn location(place: &str) -> Location {
    let keys = place.split('.');
    Location::Value(keys.fold(Pointer::root(), |at, key| at.key(key.to_owned())))
}
