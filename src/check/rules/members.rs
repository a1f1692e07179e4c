//! Step 2: each member of a return has the type that the standard defines, and no member is unknown.

use std::borrow::Cow;

use crate::check::{Collector, Location, Value, values};
use crate::json::field::{Expected, Kind, Node, State};
use crate::json::pointer::{Segment, Trail};
use crate::profile::Profile;
use crate::rule::{Example, Level, Requirement, Rule, Step, ToAgent};

/// The member that may have additional members of an agent.
pub(crate) const METADATA: &str = "metadata";

/// The member with the JSON Schema of a document.
pub(crate) const SCHEMA_MEMBER: &str = "$schema";

/// Visits all members of a return.
pub(super) struct Walk<'w, 'c, 't> {
    pub(super) profile: &'w Profile,
    /// The agent whose own fields are allowed.
    pub(super) agent: Option<&'w str>,
    /// Whether unknown fields are reported.
    pub(super) names_unknown: bool,
    pub(super) collector: &'w mut Collector<'c, 't>,
}

pub(crate) static TYPE: Rule = Rule {
    id: "field-type",
    message: "Wrong type for field {name}: expected {expected}, found {found}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write {name} as {expected}",
    explanation: "A field has another type than the return format defines, such as a string \
                  instead of an artifact object, or a number in quotes. Code that reads the \
                  field ignores it or fails.",
    source: "Subagent return format 1.0, field specifications; Subagent return format, schema",
    example: Example::of_members(
        "return",
        r#""artifacts": ["specs/12_tide_tables/plans/implementation-001.md"]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
    ..Rule::error(Step::Fields)
};

pub(crate) static UNKNOWN: Rule = Rule {
    id: "field-unknown",
    level: Level::Off,
    message: "Unknown field: {name}",
    help: "Fix {agent} subagent to remove {name}, or to write it to {what}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Remove {name}, or write it to {what}",
    explanation: "The return format does not define this field. Off by default, because agents \
                  often add fields of their own and readers ignore them. Fields of an agent's \
                  own belong in metadata, where any are allowed.",
    source: "Subagent return format 1.0, migration guide, step 6",
    example: Example::of_members(
        "return",
        r#""confidence": 0.9"#,
        r#""next_steps": "Run /implement 12""#,
    )
    .with("--rule field-unknown=warning"),
    ..Rule::warning(Step::Fields)
};

pub(crate) static COMPACT_EXTRA: Rule = Rule {
    id: "compact-extra-field",
    applies: |it| it.requires(Requirement::NothingElse),
    message: "Compact return has an extra field: {name}",
    help: "Fix {agent} subagent to return only the status and to write {name} to its handoff file",
    advice_to_agent: "Return only the status and write {name} to your handoff file",
    explanation: "A compact return is a status and nothing else, so that many parallel agents \
                  do not fill the orchestrator's context. Everything else belongs in the \
                  handoff file.",
    source: "Compact return protocol, your final response (required)",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_QA", "summary": "All tests pass"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
    ..Rule::warning(Step::Fields)
};

impl Walk<'_, '_, '_> {
    /// Reports each field of the wrong type and, if such a rule is enabled, each field that the profile
    /// does not define. In an object whose keys the agent chooses (`free`), every field counts as
    /// defined.
    pub(super) fn go(&mut self, node: &dyn Node, trail: Trail<'_>, free: bool) {
        for unknown in node.unknown() {
            let segment = Segment::Key(Cow::Borrowed(&unknown.key));
            let trail = trail.to(&segment);
            if !self.has_field(trail) {
                self.unknown(trail);
            }
        }
        node.each(&mut |to, child| {
            let trail = trail.to(&to);
            let state = child.state();
            if state == State::Missing || self.need_not_be_known(child, state) {
                return;
            }
            let is_known = || free || matches!(to, Segment::Index(_)) || self.has_field(trail);
            match state {
                _ if !is_known() => self.unknown(trail),
                State::Wrong(found) => self.wrong_type(trail, found, child.expected()),
                _ => self.go(child, trail, free || child.is_free()),
            }
        });
    }

    /// Whether nothing would be reported of a field even if the profile does not define it: the field
    /// has the right type and no members, and unknown fields are not reported.
    fn need_not_be_known(&self, child: &dyn Node, state: State) -> bool {
        let has_members = matches!(child.expected(), Expected::List | Expected::Object);
        !self.names_unknown && !has_members && !matches!(state, State::Wrong(_))
    }

    /// Where the content of an unknown field belongs.
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
        let name = at.dotted().into_owned();
        let values = values![
            name = &name,
            found = Value::Kind(found),
            expected = Value::Expected(expected),
        ];
        self.collector.report(&TYPE, at, &values);
    }

    fn unknown(&mut self, trail: Trail<'_>) {
        if !self.names_unknown {
            return;
        }
        let rule = if self.collector.is_enabled(&COMPACT_EXTRA) {
            &COMPACT_EXTRA
        } else {
            &UNKNOWN
        };
        // The member only helps editors and says nothing about the work.
        if rule.id == UNKNOWN.id && trail.is_member_of_root(SCHEMA_MEMBER) {
            return;
        }
        // Agents may add their own members there.
        if rule.id == UNKNOWN.id && trail.is_inside(METADATA) {
            return;
        }
        if self.collector.count_if_full(rule) {
            return;
        }
        let place = Value::Text(self.place_of_unknown(trail));
        let at = trail.pointer();
        let name = at.dotted().into_owned();
        let values = values![name = &name, what = place];
        self.collector.report(rule, Location::Key(at), &values);
    }
}
