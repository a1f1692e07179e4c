//! Step 2: the members of a return. The object is a return and not some other document, each required
//! member is present and not empty, each has the type that the standard defines, and none is unknown.

use std::borrow::Cow;
use std::path::Path;

use crate::check::rules::worthless;
use crate::check::{Collector, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::pointer::{Pointer, Segment};
use crate::document::tree::{Kind, Value};
use crate::profile::fields::{State, Type, WantedMember};
use crate::rule::{Level, Requirement, Rule, Step};
use crate::text::escape::{self, truncated};
use crate::text::is_blank;

/// The member that may have additional members of an agent.
pub(super) const METADATA: &str = "metadata";

/// The member with the JSON Schema of a document.
pub(super) const SCHEMA_MEMBER: &str = "$schema";

/// Reports members that are missing, empty, unknown or of the wrong type. Returns false if the object is
/// not a return, so that nothing else in it should be checked.
pub(super) fn check(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) -> bool {
    let context = collector.context;
    // `not-a-return` replaces the findings for missing fields, but only if those are errors.
    if collector.fails(&MISSING) && !may_be_return(collector, object) {
        return false;
    }
    let members = &context.required.members;
    let names_unknown = collector.is_enabled(&UNKNOWN) || collector.is_enabled(&COMPACT_EXTRA);
    let is_plain = !names_unknown && context.tree.is_some_and(|it| !it.has_duplicate_key());
    if is_plain && is_fine(object, members) {
        return true;
    }
    require(collector, object, members);
    let mut walk = Walk { agent: context.acting_agent(), names_unknown, collector };
    walk.value(object, context.profile.shape.form(), false);
    true
}

/// Whether one pass shows that no member is missing or wrong. Most returns are so, and this saves them a seventh of
/// their check. What it does not know is for the walk.
fn is_fine(object: Value<'_, '_>, members: &[WantedMember<'_>]) -> bool {
    let mut missing = members.iter().filter(|it| it.is_required).count();
    for value in object.members() {
        let is_it = |it: &&WantedMember<'_>| value.is_named(it.name);
        let Some(known) = members.iter().find(is_it).filter(|_| !value.is_null()) else {
            continue;
        };
        let is_record = |it: Value<'_, '_>| it.is_object() && is_fine(it, &known.inside);
        let is_fine = match known.of {
            Type::Text if known.is_required => {
                let text = value.text().filter(|text| !is_blank(text));
                text.is_some_and(|text| worthless::is_own(known.name, text))
            }
            Type::Record(_) => is_record(value),
            Type::List(Type::Record(_)) => value.is_list() && value.items().all(is_record),
            Type::List(item) => value.is_list() && value.items().all(|it| item.is_plain(it.kind())),
            of => of.is_plain(value.kind()),
        };
        if !is_fine {
            return false;
        }
        missing -= usize::from(known.is_required);
    }
    missing == 0
}

pub(super) static NOT_A_RETURN: Rule = Rule::error(Step::Fields, "not-a-return")
    .says("This is not a return: it has none of the fields {name}")
    .advises("Return an object with these fields");

/// Reports an object that has members, but none of a return. Returns false if it should not be checked any further.
fn may_be_return(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) -> bool {
    let context = collector.context;
    let members = context.required.members.iter();
    let mut required = members.clone().filter(|it| it.is_required).map(|it| it.name).peekable();
    let is_empty = object.members().next().is_none() || required.peek().is_none();
    if is_empty || members.clone().any(|known| object.member(known.name).is_some()) {
        return true;
    }
    let values = values![name = Placeholder::list(required)];
    let diagnostic = Diagnostic::new(&NOT_A_RETURN, Location::Whole, &values);
    let file = context.input.file.path.and_then(Path::file_name);
    let file = file.filter(|_| context.expected.is_one_of_many).map(|it| escape::path(it.as_ref()));
    let hint = file.map(|it| format!("if no subagent wrote it, skip it with --exclude {it}"));
    collector.add(diagnostic.hint(hint));
    !collector.fails(&NOT_A_RETURN)
}

pub(super) static MISSING: Rule = Rule::error(Step::Fields, "field-missing")
    .says("Missing required {field}: {name}")
    .advises("Include all required {field}s");

pub(super) static EMPTY: Rule = Rule::error(Step::Fields, "field-empty")
    .says("Empty required {field}: {name}")
    .advises("Fill in all required {field}s");

/// Reports each required member that is missing or empty, at any depth.
fn require(collector: &mut Collector<'_, '_>, object: Value<'_, '_>, members: &[WantedMember<'_>]) {
    for wanted in members {
        let member = object.member(wanted.name);
        let state = wanted.of.state(member);
        let Some(member) = member.filter(|_| state == State::Present) else {
            // If a container is missing or has the wrong type, only the container is reported.
            if wanted.is_required {
                missing(collector, state, object, wanted.name);
            }
            continue;
        };
        if let Some(text) = member.text()
            && wanted.is_required
            && wanted.of == Type::Text
        {
            worthless::check(collector, wanted.name, text, member);
        }
        for it in member.items().chain([member]).filter(|it| it.is_object()) {
            require(collector, it, &wanted.inside);
        }
    }
}

fn missing(collector: &mut Collector<'_, '_>, state: State, object: Value<'_, '_>, name: &str) {
    let rule = match state {
        State::Missing | State::Null => &MISSING,
        State::Blank => &EMPTY,
        State::Wrong(_) | State::Present => return,
    };
    if collector.count_if_full(rule) {
        return;
    }
    let place = object.member(name).unwrap_or(object);
    let at = object.pointer().key(name);
    let (field, name) = named(&at);
    let values = values![field = Placeholder::Text(field), name = &name];
    let diagnostic = Diagnostic::new(rule, place, &values);
    let is_null = || format!("{} is null, give it a value", truncated(&name));
    let suggestion = (state == State::Null).then(|| Suggestion::Say(is_null()));
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

pub(super) static TYPE: Rule = Rule::error(Step::Fields, "field-type")
    .says("Wrong type for field {name}: expected {expected}, found {found}")
    .advises("Write {name} as {expected}");

pub(super) static UNKNOWN: Rule = Rule::warning(Step::Fields, "field-unknown")
    .at(Level::Off)
    .says("Unknown field: {name}")
    .advises("Remove {name}, or write it to metadata");

pub(super) static COMPACT_EXTRA: Rule = Rule::warning(Step::Fields, "compact-extra-field")
    .applies_to(|it| it.requires(Requirement::NothingElse))
    .says("Compact return has an extra field: {name}")
    .advises("Return only the status and write {name} to your handoff file");

struct Walk<'w, 'c, 't> {
    /// The agent whose own fields are allowed.
    agent: Option<&'w str>,
    names_unknown: bool,
    collector: &'w mut Collector<'c, 't>,
}

impl Walk<'_, '_, '_> {
    /// Reports a value of the wrong type, or what is wrong inside of it and, if such a rule is enabled, each
    /// member that the profile does not define. In an object whose keys the agent chooses (`is_free`), every
    /// member counts as defined.
    fn value(&mut self, value: Value<'_, '_>, of: Type, is_free: bool) {
        match of {
            _ if let State::Wrong(found) = of.state(Some(value)) => {
                self.wrong_type(value, found, of, is_free);
            }
            Type::List(of) => value.items().for_each(|it| self.inner(it, *of, is_free)),
            // What another agent's member is made of is not checked.
            Type::Map(of) if is_free || self.is_field(value) => {
                value.members().for_each(|it| self.inner(it, *of, true));
            }
            Type::Record(members) => {
                for it in value.members() {
                    let mut known = members.iter();
                    match known.find(|known| it.is_named(known.name)) {
                        Some(known) if is_free || !self.names_unknown || self.is_field(it) => {
                            self.value(it, known.of, is_free);
                        }
                        None if self.names_unknown && self.is_field(it) => {}
                        _ => self.unknown(it),
                    }
                }
            }
            _ => {}
        }
    }

    /// The same of a value in a list or behind an arbitrary key, where none is absent.
    fn inner(&mut self, value: Value<'_, '_>, of: Type, is_free: bool) {
        if value.is_null() && of != Type::Anything {
            return self.wrong_type(value, Kind::Null, of, is_free);
        }
        self.value(value, of, is_free);
    }

    /// Whether the profile defines a field for what stands here, or for the list that it is in.
    fn is_field(&self, value: Value<'_, '_>) -> bool {
        let mut path = String::new();
        for step in value.pointer().steps() {
            match step {
                Segment::Key(key) if path.is_empty() => path.push_str(key),
                Segment::Key(key) => path.extend([".", key]),
                Segment::Index(_) => path.push_str("[]"),
            }
        }
        let (profile, path) = (self.collector.context.profile, path.trim_end_matches("[]"));
        path.is_empty() || profile.has_field_of(path, self.agent)
    }

    fn wrong_type(&mut self, value: Value<'_, '_>, found: Kind, expected: Type, is_free: bool) {
        if !is_free && !self.is_field(value) {
            self.unknown(value);
        } else if !self.collector.count_if_full(&TYPE) {
            let values = values![
                name = Placeholder::cut(&value.pointer().dotted()),
                found = Placeholder::Shown(found.to_string()),
                expected = Placeholder::Shown(expected.to_string()),
            ];
            self.collector.report(&TYPE, value, &values);
        }
    }

    fn unknown(&mut self, member: Value<'_, '_>) {
        if !self.names_unknown {
            return;
        }
        let is_compact = self.collector.is_enabled(&COMPACT_EXTRA);
        let rule = if is_compact { &COMPACT_EXTRA } else { &UNKNOWN };
        let pointer = member.pointer();
        let [outer @ .., _] = pointer.steps() else {
            return;
        };
        // The one member only helps editors and says nothing about the work, and in the other object agents
        // may add their own members.
        let is_metadata = matches!(outer, [Segment::Key(key)] if key == METADATA);
        let is_free = is_metadata || outer.is_empty() && member.key() == SCHEMA_MEMBER;
        if !is_compact && is_free || self.collector.count_if_full(rule) {
            return;
        }
        let values = values![name = Placeholder::cut(&pointer.dotted())];
        self.collector.report(rule, Location::Key(member), &values);
    }
}
