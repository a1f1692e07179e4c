//! Step 2: the members of a return. The object is a return and not some other document, each required
//! member is present and not empty, each has the type that the standard defines, and none is unknown.

use std::borrow::Cow;

use crate::check::rules::worthless;
use crate::check::{Collector, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::pointer::{Pointer, Segment, below};
use crate::document::tree::{Kind, Tree, Value};
use crate::profile::Profile;
use crate::profile::fields::{State, Type, member};
use crate::profile::required::{RequiredPaths, WantedMember};
use crate::rule::{Level, Requirement, Rule, Step, ToAgent};
use crate::text::is_blank;
use crate::text::suggest::nearest;

/// The member that may have additional members of an agent.
pub(super) const METADATA: &str = "metadata";

/// The member with the JSON Schema of a document.
pub(super) const SCHEMA_MEMBER: &str = "$schema";

/// Reports members that are missing, empty, unknown or of the wrong type. Returns false if the object is
/// not a return, so that nothing else in it should be checked.
pub(super) fn check(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) -> bool {
    let context = collector.context;
    if !context.is_fine {
        // `not-a-return` replaces the findings for missing fields, but only if those are errors.
        if collector.fails(&MISSING) && !may_be_return(collector, object) {
            return false;
        }
        require(collector, object, &context.required.members);
    }
    let names_unknown = collector.is_enabled(&UNKNOWN) || collector.is_enabled(&COMPACT_EXTRA);
    if context.has_wrong_type || names_unknown {
        let mut walk = Walk {
            profile: context.profile,
            agent: context.acting_agent(),
            names_unknown,
            collector,
        };
        walk.members(object, context.profile.shape.form(), "", false);
    }
    true
}

/// Whether nothing is wrong with the required members and the types. Most returns are so, and one pass over them
/// shows it. What it does not know is no fault.
pub(crate) fn is_fine(tree: &Tree<'_>, required: &RequiredPaths<'_>) -> bool {
    !tree.has_duplicate_key() && has_all(tree.root(), &required.members)
}

fn has_all(object: Value<'_, '_>, wanted: &[WantedMember<'_>]) -> bool {
    let mut missing = wanted.iter().filter(|it| it.is_required).count();
    for value in object.members() {
        let is_it = |it: &&WantedMember<'_>| value.is_named(it.name, it.mark);
        let Some(known) = wanted.iter().find(is_it) else {
            continue;
        };
        if value.is_null() {
            continue;
        }
        let is_fine = match known.of {
            Some(Type::Text) if known.is_required => value
                .text()
                .is_some_and(|text| !is_blank(text) && worthless::is_own(known.name, text)),
            Some(Type::Record(_)) => value.is_object() && has_all(value, &known.inside),
            Some(Type::List(Type::Record(_))) => {
                let has_all = |it: Value<'_, '_>| it.is_object() && has_all(it, &known.inside);
                value.is_list() && value.items().all(has_all)
            }
            Some(of) => of.fits(value),
            None => State::of_unknown(Some(value)) == State::Present,
        };
        if !is_fine {
            return false;
        }
        missing -= usize::from(known.is_required);
    }
    missing == 0
}

pub(super) static NOT_A_RETURN: Rule = Rule {
    id: "not-a-return",
    message: "This is not a return: it has none of the fields {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return an object with these fields",
    ..Rule::error(Step::Fields)
};

/// Reports an object that is not a return. Returns false if its fields should not be checked any
/// further.
fn may_be_return(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) -> bool {
    let context = collector.context;
    let members = context.required.members.iter();
    let required = || members.clone().filter(|it| it.is_wanted());
    if required().any(|field| object.member(field.name).is_some()) {
        return true;
    }
    let names: Vec<Cow<'_, str>> = required().map(|it| Cow::Borrowed(it.name)).collect();
    let agent = context.acting_agent();
    // An empty object is a return that lacks every field, and names may be misspelt.
    let mut keys = object.members().map(Value::key);
    let is_known = |key: &str| {
        context.profile.has_field_of(key, agent)
            || nearest(key, names.iter().map(AsRef::as_ref)).is_some()
    };
    if keys.clone().next().is_none() || keys.any(is_known) {
        return true;
    }
    let values = values![name = Placeholder::List(&names)];
    let diagnostic = Diagnostic::new(&NOT_A_RETURN, Pointer::root(), &values);
    collector.add(diagnostic);
    !collector.fails(&NOT_A_RETURN)
}

pub(super) static MISSING: Rule = Rule {
    id: "field-missing",
    message: "Missing required {field}: {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Include all required {field}s",
    ..Rule::error(Step::Fields)
};

pub(super) static EMPTY: Rule = Rule {
    id: "field-empty",
    message: "Empty required {field}: {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Fill in all required {field}s",
    ..Rule::error(Step::Fields)
};

/// Reports each required member that is missing or empty, at any depth.
fn require(collector: &mut Collector<'_, '_>, object: Value<'_, '_>, members: &[WantedMember<'_>]) {
    for wanted in members {
        let member = object.marked(wanted.name, wanted.mark);
        let state = match wanted.of {
            Some(of) => of.state(member),
            None => State::of_unknown(member),
        };
        let Some(member) = member.filter(|_| state == State::Present) else {
            // If a container is missing or has the wrong type, only the container is reported.
            if wanted.is_required {
                missing(collector, state, object, wanted.name);
            }
            continue;
        };
        if let Some(text) = member
            .text()
            .filter(|_| wanted.is_required && wanted.of.is_some())
        {
            worthless::check(collector, wanted.name, text, || member.pointer());
        }
        if member.is_object() {
            require(collector, member, &wanted.inside);
        }
        for item in member.items().filter(|it| it.is_object()) {
            require(collector, item, &wanted.inside);
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
    let at = object.pointer().key(name);
    let (field, name) = named(&at);
    let place = match state {
        State::Missing => object.pointer(),
        _ => at.clone(),
    };
    let values = values![field = Placeholder::Text(field), name = &name];
    let suggestion = (state == State::Null).then_some(Suggestion::IsNull(&name));
    let diagnostic = Diagnostic::new(rule, place, &values);
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

pub(super) static TYPE: Rule = Rule {
    id: "field-type",
    message: "Wrong type for field {name}: expected {expected}, found {found}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write {name} as {expected}",
    ..Rule::error(Step::Fields)
};

pub(super) static UNKNOWN: Rule = Rule {
    id: "field-unknown",
    level: Level::Off,
    message: "Unknown field: {name}",
    help: "Fix {agent} subagent to remove {name}, or to write it to {what}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Remove {name}, or write it to {what}",
    ..Rule::warning(Step::Fields)
};

pub(super) static COMPACT_EXTRA: Rule = Rule {
    id: "compact-extra-field",
    applies: |it| it.requires(Requirement::NothingElse),
    message: "Compact return has an extra field: {name}",
    help: "Fix {agent} subagent to return only the status and to write {name} to its handoff file",
    advice_to_agent: "Return only the status and write {name} to your handoff file",
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
    /// Reports each member of the wrong type and, if such a rule is enabled, each that the profile does not
    /// define. `path` is that of the object, as in profiles. In an object whose keys the agent chooses
    /// (`free`), every member counts as defined.
    fn members(&mut self, object: Value<'_, '_>, of: Type, path: &str, free: bool) {
        let known = of.members();
        if self.names_unknown {
            let unknown = object
                .members()
                .filter(|it| member(known, it.key()).is_none());
            for unknown in unknown {
                if !self.has_field(&below(path, unknown.key())) {
                    self.unknown(unknown, path);
                }
            }
        }
        for member in known {
            let Some(value) = object.member(member.name) else {
                continue;
            };
            let at = below(path, member.name);
            let has_members = matches!(member.of, Type::List(_) | Type::Map(_) | Type::Record(_));
            let is_wrong = matches!(member.of.state(Some(value)), State::Wrong(_));
            if !self.names_unknown && !has_members && !is_wrong {
                continue;
            }
            if free || self.has_field(&at) {
                self.value(value, member.of, &at, free);
            } else {
                self.unknown(value, path);
            }
        }
    }

    /// Reports a value of the wrong type, or what is wrong inside of it.
    fn value(&mut self, value: Value<'_, '_>, of: Type, path: &str, free: bool) {
        if let State::Wrong(found) = of.state(Some(value)) {
            return self.wrong_type(value, found, of);
        }
        match of {
            Type::List(of) => {
                let path = format!("{path}[]");
                value
                    .items()
                    .for_each(|it| self.inner(it, *of, &path, free));
            }
            Type::Map(of) => value.members().for_each(|it| {
                let path = below(path, it.key());
                self.inner(it, *of, &path, true);
            }),
            Type::Record(_) => self.members(value, of, path, free),
            _ => {}
        }
    }

    /// The same of a value in a list or behind an arbitrary key, where none is absent.
    fn inner(&mut self, value: Value<'_, '_>, of: Type, path: &str, free: bool) {
        if value.is_null() && of != Type::Anything {
            return self.wrong_type(value, Kind::Null, of);
        }
        self.value(value, of, path, free);
    }

    fn has_field(&self, path: &str) -> bool {
        self.profile.has_field_of(path, self.agent)
    }

    fn wrong_type(&mut self, value: Value<'_, '_>, found: Kind, expected: Type) {
        if self.collector.count_if_full(&TYPE) {
            return;
        }
        let at = value.pointer();
        let name = at.dotted().into_owned();
        let values = values![
            name = &name,
            found = Placeholder::Kind(found),
            expected = Placeholder::Expected(expected),
        ];
        self.collector.report(&TYPE, at, &values);
    }

    /// Reports a member of the object at `path` that the profile does not define.
    fn unknown(&mut self, member: Value<'_, '_>, path: &str) {
        if !self.names_unknown {
            return;
        }
        let rule = if self.collector.is_enabled(&COMPACT_EXTRA) {
            &COMPACT_EXTRA
        } else {
            &UNKNOWN
        };
        // The one member only helps editors and says nothing about the work, and in the other object agents
        // may add their own members.
        let is_free = path.is_empty() && member.key() == SCHEMA_MEMBER || path == METADATA;
        if rule.id == UNKNOWN.id && is_free || self.collector.count_if_full(rule) {
            return;
        }
        let has_place = |name| self.profile.has_field(name);
        let place = if path.is_empty() && has_place(METADATA) && has_place("next_steps") {
            "metadata or next_steps"
        } else {
            "an artifact"
        };
        let at = member.pointer();
        let name = at.dotted().into_owned();
        let values = values![name = &name, what = Placeholder::Text(place)];
        self.collector.report(rule, Location::Key(at), &values);
    }
}
