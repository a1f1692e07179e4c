//! Step 2: the members of a return. The object is a return and not some other document, each required
//! member is present and not empty, each has the type that the standard defines, and none is unknown.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::check::rules::worthless;
use crate::check::{Collector, Context, Diagnostic, Location, Suggestion, Value, values};
use crate::json::field::{Expected, Kind, Node, State};
use crate::json::pointer::{Pointer, Segment, Trail};
use crate::profile::Profile;
use crate::profile::required::Member;
use crate::rule::{Level, Requirement, Rule, Step, ToAgent};
use crate::text::suggest::nearest;

/// The member that may have additional members of an agent.
pub(crate) const METADATA: &str = "metadata";

/// The member with the JSON Schema of a document.
pub(crate) const SCHEMA_MEMBER: &str = "$schema";

/// Reports members that are missing, empty, unknown or of the wrong type. Returns false if the object is
/// not a return, so that nothing else in it should be checked.
pub(super) fn check(collector: &mut Collector<'_, '_>, node: &dyn Node) -> bool {
    let context = collector.context;
    // `not-a-return` replaces the findings for missing fields, but only if those are errors.
    if collector.fails(&MISSING) && !may_be_return(collector, node) {
        return false;
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
    true
}

pub(crate) static NOT_A_RETURN: Rule = Rule {
    id: "not-a-return",
    message: "This is not a return: it has none of the fields {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return an object with these fields",
    source: "Subagent return validation, step 2; Subagent return format, field specifications",
    ..Rule::error(Step::Fields)
};

/// Reports an object that is not a return. Returns false if its fields should not be checked any
/// further.
fn may_be_return(collector: &mut Collector<'_, '_>, node: &dyn Node) -> bool {
    let context = collector.context;
    let required = || context.required.required.iter();
    let is_there = |name: &str| {
        node.member(name)
            .is_some_and(|it| it.state() != State::Missing)
    };
    if required().any(|field| is_there(field.name)) {
        return true;
    }
    let names: Vec<Cow<'_, str>> = required().map(|it| Cow::Borrowed(it.name)).collect();
    if has_known_member(context, node, &names) || resembles(context.input.text, &names) {
        return true;
    }
    let values = values![name = Value::List(&names)];
    let diagnostic = Diagnostic::new(&NOT_A_RETURN, Pointer::root(), &values);
    collector.add(diagnostic);
    !collector.fails(&NOT_A_RETURN)
}

fn has_known_member(context: &Context<'_, '_>, node: &dyn Node, names: &[Cow<'_, str>]) -> bool {
    let agent = context.acting_agent();
    let is_known =
        |key: &Cow<'_, str>| names.contains(key) || context.profile.has_field_of(key, agent);
    let mut is_found = false;
    node.each(&mut |to, member| {
        is_found |=
            member.state() != State::Missing && matches!(&to, Segment::Key(key) if is_known(key));
    });
    is_found || node.unknown().iter().any(|it| is_known(&it.key))
}

/// Whether an object without known fields may still be a return: an empty object looks like a return
/// that lacks every field, and the names of fields may be misspelled.
fn resembles(text: &str, names: &[Cow<'_, str>]) -> bool {
    let Ok(members) = serde_json::from_str::<HashMap<String, &RawValue>>(text) else {
        return true;
    };
    let is_misspelt = |key: &String| nearest(key, names.iter().map(AsRef::as_ref)).is_some();
    members.is_empty() || members.keys().any(is_misspelt)
}

pub(crate) static MISSING: Rule = Rule {
    id: "field-missing",
    message: "Missing required {field}: {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Include all required {field}s",
    source: "Subagent return validation, step 2; Subagent return format, field specifications",
    ..Rule::error(Step::Fields)
};

pub(crate) static EMPTY: Rule = Rule {
    id: "field-empty",
    message: "Empty required {field}: {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Fill in all required {field}s",
    source: "Subagent return format 1.0, summary and metadata, validation rules",
    ..Rule::error(Step::Fields)
};

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
            None => state_of_unknown(node, wanted.name),
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

/// The state of a member that is not a field of the object's record type.
pub(super) fn state_of_unknown(object: &dyn Node, name: &str) -> State {
    let unknown = object.unknown().iter().rfind(|unknown| unknown.key == name);
    unknown.map_or(State::Missing, |unknown| unknown.state)
}

pub(crate) static TYPE: Rule = Rule {
    id: "field-type",
    message: "Wrong type for field {name}: expected {expected}, found {found}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write {name} as {expected}",
    source: "Subagent return format 1.0, field specifications; Subagent return format, schema",
    ..Rule::error(Step::Fields)
};

pub(crate) static UNKNOWN: Rule = Rule {
    id: "field-unknown",
    level: Level::Off,
    message: "Unknown field: {name}",
    help: "Fix {agent} subagent to remove {name}, or to write it to {what}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Remove {name}, or write it to {what}",
    source: "Subagent return format 1.0, migration guide, step 6",
    ..Rule::warning(Step::Fields)
};

pub(crate) static COMPACT_EXTRA: Rule = Rule {
    id: "compact-extra-field",
    applies: |it| it.requires(Requirement::NothingElse),
    message: "Compact return has an extra field: {name}",
    help: "Fix {agent} subagent to return only the status and to write {name} to its handoff file",
    advice_to_agent: "Return only the status and write {name} to your handoff file",
    source: "Compact return protocol, your final response (required)",
    ..Rule::warning(Step::Fields)
};

/// Visits all members of a return.
struct Walk<'w, 'c, 't> {
    profile: &'w Profile,
    /// The agent whose own fields are allowed.
    agent: Option<&'w str>,
    /// Whether unknown fields are reported.
    names_unknown: bool,
    collector: &'w mut Collector<'c, 't>,
}

impl Walk<'_, '_, '_> {
    /// Reports each field of the wrong type and, if such a rule is enabled, each field that the profile
    /// does not define. In an object whose keys the agent chooses (`free`), every field counts as
    /// defined.
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
