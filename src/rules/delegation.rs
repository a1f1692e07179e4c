//! Step 2: how the return says it came about.

use std::borrow::Cow;

use crate::diagnostics::{Collector, Context, Diagnostic, Location, Value};
use crate::document::Returned;
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::rule::{Applies, Example, Requirement, Rule, Template, Word};
use crate::step::Step;
use crate::text::string_set::StringSet;

/// The work took less than no time.
pub(crate) static DURATION_NEGATIVE: Rule = Rule {
    id: "duration-negative",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfRequires(Requirement::DurationNotNegative),
    message: Template::new("Duration is negative"),
    help: Template::new(
        "Fix {agent} subagent to measure duration_seconds from invocation to return",
    ),
    explanation: "The duration is used for timeouts and performance analysis. A negative \
                  duration was not measured.",
    source: "Subagent return format 1.0, metadata, validation rules",
    example: Example::of_members(
        "return-v1",
        r#""metadata": {"session_id": "executor_12_20260101T080000_q7", "duration_seconds": -1, "agent_type": "task-executor"}"#,
        r#""metadata": {"session_id": "executor_12_20260101T080000_q7", "duration_seconds": 45, "agent_type": "task-executor"}"#,
    ),
};

/// An agent occurs twice in the chain of delegations.
pub(super) static CYCLE: Rule = Rule {
    id: "delegation-cycle",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfFieldKnown("metadata.delegation_path"),
    message: Template::new("Delegation cycle: {name} occurs twice in the path"),
    help: Template::new("Change the delegation of {agent} so that no agent calls itself"),
    explanation: "An agent occurs twice in the delegation path. Agents that call each other in \
                  a cycle may never finish.",
    source: "Subagent return format 1.0, error handling patterns, on delegation cycle",
    example: Example::of_members(
        "return",
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 3, "delegation_path": ["orchestrator", "planner", "researcher", "planner"]}"#,
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 2, "delegation_path": ["orchestrator", "researcher", "planner"]}"#,
    ),
};

/// The chain of delegations ends with somebody else.
pub(super) static PATH_END: Rule = Rule {
    id: "delegation-path-end",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfRequires(Requirement::PathEndsWithAgent),
    message: Template::new("Delegation path ends with {found}, expected {expected}"),
    help: Template::new("Fix {agent} subagent to end delegation_path with its own name"),
    explanation: "The path leads from the orchestrator to this agent. A path that ends with \
                  another agent was probably copied from another delegation.",
    source: "Subagent return format, metadata; Return metadata file, metadata",
    example: Example::of_members(
        "return",
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "research", "researcher"]}"#,
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#,
    ),
};

pub(super) fn check(context: &Context<'_, '_>, collector: &mut Collector<'_, '_>) {
    let Some(Returned::Return(returned)) = context.returned else {
        return;
    };
    let Some(metadata) = returned.metadata.present() else {
        return;
    };
    let at = |name: &'static str| Pointer::root().key("metadata").key(name);
    let seconds = metadata.duration_seconds.present();
    if seconds.is_some_and(|seconds| seconds.0 < 0.0) {
        let location = Location::Value(at("duration_seconds"));
        collector.add(Diagnostic::new(&DURATION_NEGATIVE, location));
    }
    let Some(path) = metadata.delegation_path.present() else {
        return;
    };
    let at = |index| Location::Value(at("delegation_path").index(index));
    cycle(collector, path, at);
    let last = path.last().and_then(Field::present);
    if let (Some(last), Some(own)) = (last, metadata.agent_type.present())
        && last != own
    {
        let words = [
            (Word::Found, Value::untrusted(last)),
            (Word::Expected, Value::untrusted(own)),
        ];
        collector.add(Diagnostic::new(&PATH_END, at(path.len() - 1)).words(&words));
    }
}

fn cycle(
    collector: &mut Collector<'_, '_>,
    path: &[Field<Cow<'_, str>>],
    at: impl Fn(usize) -> Location,
) {
    let mut names = StringSet::default();
    for (index, name) in path.iter().enumerate() {
        let Some(name) = name.present() else { continue };
        if !names.insert(name.as_ref()) {
            let words = [(Word::Name, Value::untrusted(name))];
            collector.add(Diagnostic::new(&CYCLE, at(index)).words(&words));
        }
    }
}
