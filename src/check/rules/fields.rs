//! Step 2: the required fields are present and have the right type.

use std::borrow::Cow;

use crate::check::rules::members::{COMPACT_EXTRA, UNKNOWN, Walk};
use crate::check::rules::not_a_return::may_be_return;
use crate::check::rules::{
    artifact_entries, common, delegation, errors, handoff_content, worthless,
};
use crate::check::{Collector, Diagnostic, Ran, Suggestion, Value, values};
use crate::json::field::{Node, State};
use crate::json::pointer::{Pointer, Segment, Trail};
use crate::profile::document::Returned;
use crate::profile::required::Member;
use crate::rule::{Example, Rule, Step, ToAgent};

pub(crate) static NEXT_STEPS_LONG: Rule = Rule {
    id: "next-steps-long",
    applies: |it| it.limits.next_steps_at_most.is_some(),
    message: "Next steps are too long: {length} (limit {most})",
    advice_to_agent: "Keep next_steps within {most} characters",
    explanation: "The orchestrator reads next_steps as part of its context. Details belong in \
                  an artifact.",
    source: "Subagent return format 1.0, next_steps, content guidelines",
    example: Example::of_members(
        "return-v1",
        r#""next_steps": "Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then""#,
        r#""next_steps": "Link the page from the manual""#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(crate) fn check(collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    let node = returned.node();
    // `not-a-return` replaces the findings for missing fields, but only if those are errors.
    if collector.fails(&MISSING) && !may_be_return(collector, node) {
        return Ran::Checked;
    }
    require(collector, node, &context.required.required, Trail::ROOT);
    let names_unknown = collector.is_enabled(&UNKNOWN) || collector.is_enabled(&COMPACT_EXTRA);
    if context.has_wrong_type || names_unknown {
        let mut walk = Walk {
            profile: context.profile,
            agent: context.acting_agent(),
            names_unknown,
            collector,
        };
        walk.go(node, Trail::ROOT, node.is_free());
    }
    match returned {
        Returned::Return(returned) => {
            let most = context.profile.limits.next_steps_at_most;
            let (rule, text) = (&NEXT_STEPS_LONG, &returned.next_steps);
            common::at_most(collector, rule, text, most, || {
                Pointer::root().key("next_steps")
            });
            artifact_entries::check(collector, returned);
            errors::check(collector, returned);
            delegation::check(collector, returned);
        }
        Returned::Handoff(handoff) => handoff_content::complete(collector, handoff),
        Returned::Own(_) => {}
    }
    Ran::Checked
}

/// Reports each required member that is missing or empty, at any depth.
fn require(
    collector: &mut Collector<'_, '_>,
    node: &dyn Node,
    required: &[Member<'_>],
    trail: Trail<'_>,
) {
    for wanted in required {
        let member = node.member(wanted.name);
        let state = match member {
            Some(member) => member.state(),
            None => common::state_of_unknown(node, wanted.name),
        };
        let is_there = state == State::Present;
        let segment = || Segment::Key(wanted.name.into());
        if is_there && wanted.members.is_empty() && wanted.members_of_each.is_empty() {
            if let Some(text) = member.and_then(Node::text) {
                let at = || trail.to(&segment()).pointer().into_owned();
                worthless::check(collector, wanted.name, text, at);
            }
            continue;
        }
        let segment = segment();
        let trail = trail.to(&segment);
        if wanted.is_required {
            missing(collector, state, trail);
        }
        // If a container is missing or has the wrong type, only the container is reported.
        let Some(member) = member.filter(|_| is_there) else {
            continue;
        };
        require(collector, member, &wanted.members, trail);
        if !wanted.members_of_each.is_empty() {
            member.each(&mut |to, item| {
                if item.state() == State::Present {
                    require(collector, item, &wanted.members_of_each, trail.to(&to));
                }
            });
        }
    }
}

pub(crate) static MISSING: Rule = Rule {
    id: "field-missing",
    message: "Missing required {field}: {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Include all required {field}s",
    explanation: "A required field is absent or null; readers treat the two alike. The finding \
                  points to the object that lacks the field.",
    source: "Subagent return validation, step 2; Subagent return format, field specifications",
    example: Example::of_members(
        "return",
        r#""metadata": {"agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#,
        r#""metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "plan", "planner"]}"#,
    ),
    ..Rule::error(Step::Fields)
};

pub(crate) static EMPTY: Rule = Rule {
    id: "field-empty",
    message: "Empty required {field}: {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Fill in all required {field}s",
    explanation: "A required string is empty or contains only white space and invisible \
                  characters.",
    source: "Subagent return format 1.0, summary and metadata, validation rules",
    example: Example::of_members(
        "return",
        r#""summary": "   ""#,
        r#""summary": "Planned the tide tables. About eight hours of work.""#,
    ),
    ..Rule::error(Step::Fields)
};

fn missing(collector: &mut Collector<'_, '_>, state: State, trail: Trail<'_>) {
    let rule = match state {
        State::Missing | State::Null => &MISSING,
        State::Blank => &EMPTY,
        State::Wrong(_) | State::Present => return,
    };
    if collector.count_if_full(rule) {
        return;
    }
    let at = trail.pointer();
    let (field, name) = named(&at);
    let place = match state {
        State::Missing => trail.parent(),
        _ => trail,
    };
    let values = values![field = Value::Text(field), name = &name];
    let suggestion = (state == State::Null).then_some(Suggestion::IsNull(&name));
    let diagnostic = Diagnostic::new(rule, place.pointer(), &values);
    collector.add(diagnostic.suggestion(suggestion));
}

/// The term for a field and its name. A field of `metadata` is named without `metadata.`.
fn named<'p>(at: &'p Pointer<'_>) -> (&'static str, Cow<'p, str>) {
    match at.steps() {
        [Segment::Key(metadata), Segment::Key(name)] if metadata == "metadata" => {
            ("metadata field", Cow::Borrowed(name))
        }
        _ => ("field", at.dotted()),
    }
}
