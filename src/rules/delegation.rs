//! Step 2: how the return says it came about.

use crate::checker::context::{At, Case, Found};
use crate::document::{Metadata, Returned};
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::Requirement;
use crate::rule::{Applies, Example, Rule};
use crate::step::Step;
use crate::text::escape;
use crate::text::string_set::Seen;

/// The work took less than no time.
pub(crate) static DURATION_NEGATIVE: Rule = Rule {
    id: "duration-negative",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfRequires(Requirement::DurationNotNegative),
    message: "Duration is negative",
    help: "Fix {agent} subagent to measure duration_seconds from invocation to return",
    explanation: "The duration is used for timeouts and for performance analysis; a negative one was invented.",
    seed: "001, metadata, validation rules",
    example: Example::of_members(
        "return-v1",
        r#""metadata": {"session_id": "executor_12_20260101T080000_q7", "duration_seconds": -1, "agent_type": "task-executor"}"#,
        r#""metadata": {"session_id": "executor_12_20260101T080000_q7", "duration_seconds": 45, "agent_type": "task-executor"}"#,
    ),
};

/// An agent stands twice in the chain of delegations.
pub(super) static CYCLE: Rule = Rule {
    id: "delegation-cycle",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfFieldKnown("metadata.delegation_path"),
    message: "Delegation goes in a circle: {name} stands twice in the path",
    help: "Refactor the delegation of {agent} so that no agent is called by itself",
    explanation: "An agent stands twice in the chain from the orchestrator, which is how agents call each other \
                  without end.",
    seed: "001, error handling patterns, on delegation cycle",
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
    message: "Delegation path ends with {last}, not with {own}",
    help: "Fix {agent} subagent to end delegation_path with its own name",
    explanation: "The path leads from the orchestrator to this agent. One that ends elsewhere was copied from \
                  another delegation.",
    seed: "000, metadata; 004, metadata",
    example: Example::of_members(
        "return",
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "research", "researcher"]}"#,
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#,
    ),
};

pub(super) fn check(case: &mut Case<'_, '_>) {
    let Some(Returned::Return(returned)) = case.returned else {
        return;
    };
    let Some(metadata) = returned.metadata.present() else {
        return;
    };
    let at = || Pointer::root().key("metadata");
    if metadata
        .duration_seconds
        .present()
        .is_some_and(|seconds| seconds.0 < 0.0)
    {
        let at = At::Value(at().key("duration_seconds"));
        case.find(Found::new(&DURATION_NEGATIVE, at, &[]));
    }
    path(case, metadata, || at().key("delegation_path"));
}

fn path(case: &mut Case<'_, '_>, metadata: &Metadata<'_>, at: impl Fn() -> Pointer) {
    let Some(path) = metadata.delegation_path.present() else {
        return;
    };
    cycle(case, path, &at);
    let last = path.last().and_then(Field::present);
    if let (Some(last), Some(own)) = (last, metadata.agent_type.present())
        && last != own
    {
        let at = At::Value(at().index(path.len() - 1));
        case.find(Found::new(
            &PATH_END,
            at,
            &[
                ("last", &escape::truncated(last)),
                ("own", &escape::truncated(own)),
            ],
        ));
    }
}

fn cycle(
    case: &mut Case<'_, '_>,
    path: &[Field<std::borrow::Cow<'_, str>>],
    at: impl Fn() -> Pointer,
) {
    let mut seen = Seen::default();
    for (index, name) in path.iter().enumerate() {
        let Some(name) = name.present() else { continue };
        if seen.stands_already(name.as_ref()) {
            case.find(Found::new(
                &CYCLE,
                At::Value(at().index(index)),
                &[("name", &escape::truncated(name))],
            ));
        }
    }
}
