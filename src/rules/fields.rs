//! Step 2: the fields of the standard are there and of the right type.

use std::borrow::Cow;
use std::fmt::Display;

use crate::checker::context::{At, Case, Found, Ran};
use crate::document::Returned;
use crate::json::field::{Node, State};
use crate::json::pointer::{Pointer, Segment as To, Trail};
use crate::level::Level;
use crate::profile::Requirement;
use crate::profile::required::Member;
use crate::rule::{Applies, Example, Rule, TextLimit};
use crate::rules::{artifact_entries, delegation, errors, texts};
use crate::step::Step;
use crate::text::escape;

/// A required field is absent or null.
pub(crate) static MISSING: Rule = Rule {
    id: "field-missing",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::Always,
    message: "Missing required {field}: {name}",
    help: "Fix {agent} subagent to include all required {field}s",
    explanation: "A field that the standard requires is absent, or null, which readers take for absent. It is \
                  reported at the object that lacks it.",
    seed: "003, step 2; 000, field specifications",
    example: Example::of_members(
        "return",
        r#""metadata": {"agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#,
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#,
    ),
};

/// A field has another type than the standard gives it.
pub(crate) static TYPE: Rule = Rule {
    id: "field-type",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::Always,
    message: "Wrong type of field: {name} is {found}, expected {expected}",
    help: "Fix {agent} subagent to write {name} as {expected}",
    explanation: "A field that the standard describes has another type: an artifact that is a string, a number in \
                  quotes. The caller's code reads past it or breaks on it.",
    seed: "001, field specifications; 000, schema",
    example: Example::of_members(
        "return",
        r#""artifacts": ["specs/12_tide_tables/plans/implementation-001.md"]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// A required string is empty.
pub(crate) static EMPTY: Rule = Rule {
    id: "field-empty",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::Always,
    message: "Empty required {field}: {name}",
    help: "Fix {agent} subagent to fill in all required {field}s",
    explanation: "A required string is empty or only white space: there in form, missing in fact.",
    seed: "001, summary and metadata validation rules",
    example: Example::of_members(
        "return",
        r#""summary": "   ""#,
        r#""summary": "Planned the tide tables. About eight hours of work.""#,
    ),
};

/// A member that the standard does not name.
pub(crate) static UNKNOWN: Rule = Rule {
    id: "field-unknown",
    step: Step::Fields,
    level: Level::Off,
    applies: Applies::Always,
    message: "Unknown field: {name}",
    help: "Fix {agent} subagent to move {name} into an artifact, or leave it out",
    explanation: "A member that the standard does not name. Off unless asked for: agents add members of their own \
                  all the time, and readers pass over them.",
    seed: "001, migration guide, step 6",
    example: Example::of_members(
        "return",
        r#""confidence": 0.9"#,
        r#""next_steps": "Run /implement 12""#,
    )
    .with("--warn field-unknown"),
};

/// A compact return says more than its status.
pub(crate) static COMPACT_EXTRA: Rule = Rule {
    id: "compact-extra-field",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfRequires(Requirement::NothingElse),
    message: "Compact return has more than a status: {name}",
    help: "Fix {agent} subagent to return the status alone and to write {name} into its handoff file",
    explanation: "The compact protocol returns a status and nothing else, so that parallel agents do not fill the \
                  orchestrator's context. Everything else belongs into the handoff file.",
    seed: "002, your final response",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_QA", "summary": "All tests pass"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
};

/// The next steps are too long.
pub(crate) static NEXT_STEPS_LONG: Rule = Rule {
    id: "next-steps-long",
    step: Step::Fields,
    level: Level::Warning,
    applies: Applies::IfLimit(TextLimit::NextSteps),
    message: "Next steps are long: {length} of {most} characters",
    help: "Fix {agent} subagent to keep next_steps to {most} characters",
    explanation: "The next steps are read in the orchestrator's context; details belong into an artifact.",
    seed: "001, next_steps, content guidelines",
    example: Example::of_members(
        "return-v1",
        r#""next_steps": "Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then""#,
        r#""next_steps": "Link the page from the manual""#,
    ),
};

/// The member by which a document names its JSON Schema.
pub(crate) const SCHEMA_MEMBER: &str = "$schema";

pub(crate) fn check(case: &mut Case<'_, '_>) -> Ran {
    let Some(returned) = case.returned else {
        return Ran::Checked;
    };
    let node = returned.node();
    require(case, node, &case.checker.paths.required, Trail::ROOT);
    let names_unknown = case.wants(&UNKNOWN) || case.wants(&COMPACT_EXTRA);
    if case.has_wrong_type || names_unknown {
        walk(case, node, Trail::ROOT, node.is_free());
    }
    next_steps(case);
    artifact_entries::check(case);
    errors::check(case);
    delegation::check(case);
    Ran::Checked
}

/// Goes down to what a return must have and reports where it does not.
fn require(case: &mut Case<'_, '_>, node: &dyn Node, required: &[Member<'_>], trail: Trail<'_>) {
    for wanted in required {
        let member = node.member(wanted.name);
        let state = member.map_or_else(|| state_of_unknown(node, wanted.name), Node::state);
        let step = To::Key(wanted.name.into());
        let trail = trail.to(&step);
        if wanted.is_required {
            report(case, state, trail);
        }
        // Where a container is missing or something else, that is said of the container alone.
        let Some(member) = member.filter(|_| state == State::Present) else {
            continue;
        };
        require(case, member, &wanted.members, trail);
        if !wanted.members_of_each.is_empty() {
            member.each(&mut |to, item| {
                if item.state() == State::Present {
                    require(case, item, &wanted.members_of_each, trail.to(&to));
                }
            });
        }
    }
}

fn state_of_unknown(node: &dyn Node, name: &str) -> State {
    let unknown = node.unknown().iter().rfind(|unknown| unknown.key == name);
    unknown.map_or(State::Missing, |unknown| unknown.state)
}

fn report(case: &mut Case<'_, '_>, state: State, trail: Trail<'_>) {
    let rule = match state {
        State::Missing | State::Null => &MISSING,
        State::Blank => &EMPTY,
        State::Wrong(_) | State::Present => return,
    };
    if is_counted(case, rule) {
        return;
    }
    let at = trail.pointer();
    let (field, name) = named(&at);
    let advice = (state == State::Null).then(|| format!("{name} is null, give it a value"));
    let at = if state == State::Missing {
        at.parent()
    } else {
        at
    };
    case.find(Found {
        advice,
        ..Found::new(rule, At::Value(at), &[("field", &field), ("name", &name)])
    });
}

/// What seed 003 calls a field: those of `metadata` go by their own name.
fn named(at: &Pointer) -> (&'static str, String) {
    match at.steps() {
        [To::Key(metadata), To::Key(name)] if metadata == "metadata" => {
            ("metadata field", escape::truncated(name).to_string())
        }
        _ => ("field", escape::truncated(&at.dotted()).to_string()),
    }
}

/// Reports every field of another type that the profile knows and, where asked, every member that
/// it does not. Below an object whose keys are the agent's own (`free`), all are known.
fn walk(case: &mut Case<'_, '_>, node: &dyn Node, trail: Trail<'_>, free: bool) {
    for unknown in node.unknown() {
        let step = To::Key(Cow::Borrowed(&unknown.key));
        let trail = trail.to(&step);
        if !case.profile().has_field(&trail.path()) {
            unasked(case, trail);
        }
    }
    node.each(&mut |to, child| {
        let trail = trail.to(&to);
        let is_known =
            || free || matches!(to, To::Index(_)) || case.profile().has_field(&trail.path());
        match child.state() {
            State::Missing => {}
            _ if !is_known() => unasked(case, trail),
            State::Wrong(_) if is_counted(case, &TYPE) => {}
            State::Wrong(found) => {
                let at = trail.pointer();
                let name = escape::truncated(&at.dotted()).to_string();
                let words: &[(&str, &dyn Display)] = &[
                    ("name", &name),
                    ("found", &found),
                    ("expected", &child.expected()),
                ];
                let found = Found::new(&TYPE, At::Value(at), words);
                case.find(found);
            }
            _ => walk(case, child, trail, free || child.is_free()),
        }
    });
}

fn unasked(case: &mut Case<'_, '_>, trail: Trail<'_>) {
    let rule = if case.wants(&COMPACT_EXTRA) {
        &COMPACT_EXTRA
    } else {
        &UNKNOWN
    };
    // It tells an editor how to help, and says nothing of the work.
    if rule.id == UNKNOWN.id && trail.is_member_of_root(SCHEMA_MEMBER) {
        return;
    }
    if is_counted(case, rule) {
        return;
    }
    let at = trail.pointer();
    let name = escape::truncated(&at.dotted()).to_string();
    case.find(Found::new(rule, At::Key(at), &[("name", &name)]));
}

/// Counts a finding that is not kept, without making its pointer: the keys that lead to it can be as
/// long as the return.
fn is_counted(case: &mut Case<'_, '_>, rule: &'static Rule) -> bool {
    let is_full = case.is_full();
    if is_full {
        case.find_more(rule, 1);
    }
    is_full
}

fn next_steps(case: &mut Case<'_, '_>) {
    if let Some(Returned::Return(returned)) = case.returned {
        let limited = (
            &returned.next_steps,
            case.profile().limits.next_steps_at_most,
        );
        texts::at_most(case, &NEXT_STEPS_LONG, limited, || {
            Pointer::root().key("next_steps")
        });
    }
}
