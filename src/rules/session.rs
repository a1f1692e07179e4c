//! Step 4: the return belongs to the expected session and agent.

use crate::diagnostics::{Collector, Context, Diagnostic, DiagnosticNote, Location, Ran, Value};
use crate::document::Returned;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::Shape;
use crate::rule::{Applies, Example, Requirement, Rule, Template, Word};
use crate::rules::{age, delegated, handoff_origin};
use crate::step::Step;
use crate::text::escape;

/// The return belongs to another session.
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

/// The return names another agent.
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

/// The session id does not have the form that the standard defines.
pub(super) static FORMAT: Rule = Rule {
    id: "session-format",
    step: Step::Session,
    level: Level::Off,
    applies: Applies::IfRequires(Requirement::SessionForm),
    message: Template::new("Session ID is not AGENT_TASK_TIMESTAMP_RANDOM: {found}"),
    help: Template::new("Give {agent} a session id like researcher_200_20251226T143022_abc123"),
    explanation: "Version 1.0 builds session ids from the agent's type, the task, the time and \
                  a random part, so that they can be told apart and sorted. Off by default, \
                  because the caller makes the id and most make other ones.",
    source: "Subagent return format 1.0, metadata, required fields",
    example: Example::of_members(
        "return-v1",
        r#""metadata": {"session_id": "sess_1767225600", "duration_seconds": 45, "agent_type": "task-executor"}"#,
        r#""metadata": {"session_id": "task-executor_12_20260101T080000_q7", "duration_seconds": 45, "agent_type": "task-executor"}"#,
    )
    .with("--warning session-format"),
};

pub(super) fn check(context: &Context<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    agent(context, collector);
    format(context, collector, returned);
    if let Returned::Handoff(handoff) = returned {
        handoff_origin::group(context, collector, handoff);
    }
    age::check(context, collector);
    delegated::check(context, collector);
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

fn format(
    context: &Context<'_, '_>,
    collector: &mut Collector<'_, '_>,
    returned: Returned<'_, '_>,
) {
    let (Some(found), Some(place)) = (returned.session_id(), context.profile.session.as_deref())
    else {
        return;
    };
    if collector.is_enabled(&FORMAT) && !has_form(found) {
        let words = [(Word::Found, Value::untrusted(found))];
        collector.add(Diagnostic::new(&FORMAT, location(place)).words(&words));
    }
}

/// Whether a session id is `AGENT_TASK_TIMESTAMP_RANDOM`. It is split from its end, because an agent's
/// name may contain underscores.
fn has_form(id: &str) -> bool {
    let mut parts = id.rsplitn(4, '_');
    let is_word = |part: &str| {
        let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        !part.is_empty() && part.bytes().all(is_of_word)
    };
    let random = parts.next().is_some_and(is_word);
    let time = parts.next().is_some_and(is_compact_time);
    let task = parts.next().is_some_and(is_word);
    let agent = parts
        .next()
        .is_some_and(|agent| agent.split('_').all(is_word));
    random && time && task && agent
}

/// Whether a text is a date such as `20251226`, with or without a time such as `T143022`.
fn is_compact_time(text: &str) -> bool {
    let (date, time) = text.split_once('T').unwrap_or((text, "000000"));
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(date, 8) && digits(time.trim_end_matches('Z'), 6)
}

/// The location of a member at a dotted path, which contains no list index.
fn location(place: &str) -> Location<'_> {
    let keys = place.split('.');
    Location::Value(keys.fold(Pointer::root(), Pointer::key))
}
