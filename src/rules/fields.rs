//! Step 2: the fields of the standard are there and of the right type.

use std::borrow::Cow;

use crate::diagnostics::{Collector, Context, Diagnostic, Location, Ran, Suggestion, Value};
use crate::document::Returned;
use crate::json::field::{Expected, Kind, Node, State};
use crate::json::pointer::{Pointer, Segment, Trail};
use crate::level::Level;
use crate::profile::Profile;
use crate::profile::required::Member;
use crate::rule::{Applies, Example, Requirement, Rule, Template, TextLimit, Word};
use crate::rules::{artifact_entries, common, delegation, errors, handoff_content};
use crate::step::Step;

/// A required field is absent or null.
pub(crate) static MISSING: Rule = Rule {
    id: "field-missing",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::Always,
    message: Template::new("Missing required {field}: {name}"),
    help: Template::new("Fix {agent} subagent to include all required {field}s"),
    explanation: "A required field is absent or null; readers treat the two alike. The finding \
                  points to the object that lacks the field.",
    source: "Subagent return validation, step 2; Subagent return format, field specifications",
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
    message: Template::new("Wrong type for field {name}: expected {expected}, found {found}"),
    help: Template::new("Fix {agent} subagent to write {name} as {expected}"),
    explanation: "A field has another type than the return format defines, such as a string \
                  instead of an artifact object, or a number in quotes. Code that reads the \
                  field ignores it or fails.",
    source: "Subagent return format 1.0, field specifications; Subagent return format, schema",
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
    message: Template::new("Empty required {field}: {name}"),
    help: Template::new("Fix {agent} subagent to fill in all required {field}s"),
    explanation: "A required string is empty or contains only white space and invisible \
                  characters.",
    source: "Subagent return format 1.0, summary and metadata, validation rules",
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
    message: Template::new("Unknown field: {name}"),
    help: Template::new("Fix {agent} subagent to remove {name}, or to write it to {what}"),
    explanation: "The return format does not define this field. Off by default, because agents \
                  often add fields of their own and readers ignore them. Fields of an agent's \
                  own belong in metadata, where any are allowed.",
    source: "Subagent return format 1.0, migration guide, step 6",
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
    message: Template::new("Compact return has an extra field: {name}"),
    help: Template::new(
        "Fix {agent} subagent to return only the status and to write {name} to its handoff file",
    ),
    explanation: "A compact return is a status and nothing else, so that many parallel agents \
                  do not fill the orchestrator's context. Everything else belongs in the \
                  handoff file.",
    source: "Compact return protocol, your final response",
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
    message: Template::new("Next steps are too long: {length} (limit {most})"),
    help: Template::new("Fix {agent} subagent to keep next_steps within {most} characters"),
    explanation: "The orchestrator reads next_steps as part of its context. Details belong in \
                  an artifact.",
    source: "Subagent return format 1.0, next_steps, content guidelines",
    example: Example::of_members(
        "return-v1",
        r#""next_steps": "Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then Link the page from the manual, then""#,
        r#""next_steps": "Link the page from the manual""#,
    ),
};

/// The member that may have members of an agent's own.
pub(crate) const METADATA: &str = "metadata";

/// The member by which a document names its JSON Schema.
pub(crate) const SCHEMA_MEMBER: &str = "$schema";

pub(crate) fn check(context: &Context<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    let node = returned.node();
    require(collector, node, &context.required.required, Trail::ROOT);
    let names_unknown = collector.is_enabled(&UNKNOWN) || collector.is_enabled(&COMPACT_EXTRA);
    if context.has_wrong_type || names_unknown {
        let mut walk = Walk {
            profile: context.profile,
            agent: context.acting_agent(),
            collector,
        };
        walk.go(node, Trail::ROOT, node.is_free());
    }
    if let Returned::Return(returned) = returned {
        let (text, most) = (
            &returned.next_steps,
            context.profile.limits.next_steps_at_most,
        );
        let at = || Pointer::root().key("next_steps");
        common::at_most(collector, &NEXT_STEPS_LONG, text, most, at);
    }
    artifact_entries::check(context, collector);
    errors::check(context, collector);
    delegation::check(context, collector);
    handoff_content::complete(context, collector);
    Ran::Checked
}

/// Goes down to what a return must have and reports where it does not.
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
        let segment = Segment::Key(wanted.name.into());
        let trail = trail.to(&segment);
        if wanted.is_required {
            missing(collector, state, trail);
        }
        // Where a container is missing or something else, that is said of the container alone.
        let Some(member) = member.filter(|_| state == State::Present) else {
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
    let at = if state == State::Missing {
        at.parent()
    } else {
        at
    };
    let words = [
        (Word::Field, Value::Text(field)),
        (Word::Name, Value::untrusted(&name)),
    ];
    let suggestion = (state == State::Null).then_some(Suggestion::IsNull(&name));
    let diagnostic = Diagnostic::new(rule, Location::Value(at)).words(&words);
    collector.add(diagnostic.suggestion(suggestion));
}

/// What a field is called: those of `metadata` go by their own name.
fn named(at: &Pointer) -> (&'static str, String) {
    match at.steps() {
        [Segment::Key(metadata), Segment::Key(name)] if metadata == "metadata" => {
            ("metadata field", name.to_string())
        }
        _ => ("field", at.dotted()),
    }
}

/// Goes over all members of a return.
struct Walk<'w, 'c, 't> {
    profile: &'w Profile,
    /// The agent whose members count.
    agent: Option<&'w str>,
    collector: &'w mut Collector<'c, 't>,
}

impl Walk<'_, '_, '_> {
    /// Reports every field of another type and, where such rules are enabled, every field that the
    /// profile does not define. In an object whose keys are the agent's own (`free`), all are defined.
    fn go(&mut self, node: &dyn Node, trail: Trail<'_>, free: bool) {
        for unknown in node.unknown() {
            let segment = Segment::Key(Cow::Borrowed(&unknown.key));
            let trail = trail.to(&segment);
            if !self.has_field(trail) {
                self.unknown(trail);
            }
        }
        node.each(&mut |to, child| {
            let trail = trail.to(&to);
            let is_known = || free || matches!(to, Segment::Index(_)) || self.has_field(trail);
            match child.state() {
                State::Missing => {}
                _ if !is_known() => self.unknown(trail),
                State::Wrong(found) => self.wrong_type(trail, found, child.expected()),
                _ => self.go(child, trail, free || child.is_free()),
            }
        });
    }

    /// Where a member that the profile does not define belongs.
    fn place_of_unknown(&self, trail: Trail<'_>) -> &'static str {
        let has_place = |name| self.profile.has_field(name);
        if trail.is_in_root() && has_place(METADATA) && has_place("next_steps") {
            "metadata or next_steps"
        } else {
            "an artifact"
        }
    }

    fn has_field(&self, trail: Trail<'_>) -> bool {
        self.profile.has_field_of(&trail.path(), self.agent)
    }

    fn wrong_type(&mut self, trail: Trail<'_>, found: Kind, expected: Expected) {
        if self.collector.count_if_full(&TYPE) {
            return;
        }
        let at = trail.pointer();
        let name = at.dotted();
        let words = [
            (Word::Name, Value::untrusted(&name)),
            (Word::Found, Value::Kind(found)),
            (Word::Expected, Value::Expected(expected)),
        ];
        let diagnostic = Diagnostic::new(&TYPE, Location::Value(at));
        self.collector.add(diagnostic.words(&words));
    }

    fn unknown(&mut self, trail: Trail<'_>) {
        let rule = if self.collector.is_enabled(&COMPACT_EXTRA) {
            &COMPACT_EXTRA
        } else {
            &UNKNOWN
        };
        // It tells an editor how to help, and says nothing of the work.
        if rule.id == UNKNOWN.id && trail.is_member_of_root(SCHEMA_MEMBER) {
            return;
        }
        // The place for members of an agent's own.
        if rule.id == UNKNOWN.id && trail.is_inside(METADATA) {
            return;
        }
        if self.collector.count_if_full(rule) {
            return;
        }
        let place = Value::Text(self.place_of_unknown(trail));
        let at = trail.pointer();
        let name = at.dotted();
        let words = [(Word::Name, Value::untrusted(&name)), (Word::What, place)];
        let diagnostic = Diagnostic::new(rule, Location::Key(at));
        self.collector.add(diagnostic.words(&words));
    }
}
