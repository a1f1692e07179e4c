//! Step 2: what the profile requires at its places is there, once, what it forbids is not, and the document is as
//! its schema says.

use std::collections::HashSet;

use crate::check::rules::form::{EXTRACT, UNFENCE, is_fenced};
use crate::check::rules::members::{EMPTY, MISSING};
use crate::check::rules::taken::{Taken, TakenValues, pieces, place_name, place_of};
use crate::check::rules::{status, worthless};
use crate::check::{Collector, Context, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::lookup::{NamedThing, find_below};
use crate::document::pointer::{Pointer, PointerStep};
use crate::document::tree::Value;
use crate::document::{Form, is_label_name};
use crate::profile::place::{PlaceValue, Twice, counts_nothing};
use crate::profile::schema::Violation;
use crate::profile::words::{self, Said};
use crate::profile::{Condition, Place, PlacePath, Profile};
use crate::rule::{Rule, Step};
use crate::text::suggest::{eq_ignoring_case_and_separators, misspelled};
use crate::text::{Positions, Span, escape, is_blank};

pub(crate) static NOT_EMPTY: Rule = Rule::of_own_profile(Step::Fields, "field-not-empty")
    .says("Field must be empty with status {status}: {name}")
    .advises("Remove what is there, or return another status");

pub(crate) static AMBIGUOUS: Rule = Rule::of_own_profile(Step::Fields, "value-ambiguous")
    .says("Ambiguous value: {name} ({why})")
    .advises("Write it once, with one value");

pub(crate) static UNKNOWN: Rule = Rule::of_own_profile(Step::Fields, "value-unknown")
    .says("Unknown value of {name}: {found}")
    .advises("Use one of {types}");

pub(crate) static SCHEMA: Rule = Rule::of_own_profile(Step::Fields, "schema")
    .says("Value does not fit the schema: {name}: {why} ({key})")
    .advises("Write it as the schema asks");

pub(super) fn check<'t>(taken: &TakenValues<'_, 't>, collector: &mut Collector<'_, 't>) {
    let context = collector.context;
    let mut places =
        Places { taken, context, collector, seen: HashSet::new(), looked_at: HashSet::new() };
    let profile = taken.profile;
    if profile.is_own() {
        places.roles();
    }
    profile.required.iter().for_each(|it| places.required(it));
    let word = context.status.map_or("", |status| &*status.word);
    let has_word = |it: &&Condition| it.words.iter().any(|own| own == word);
    let of = |conditions: &'t [Condition]| {
        let with_word = conditions.iter().filter(has_word);
        with_word.flat_map(|condition| &condition.places)
    };
    of(&profile.required_if).for_each(|it| places.filled(it));
    of(&profile.empty_if).for_each(|it| places.empty(it, word));
    places.values();
    places.schema();
    places.template();
}

pub(super) struct Places<'f, 'd, 'k, 't> {
    pub(super) taken: &'f TakenValues<'d, 't>,
    pub(super) context: &'f Context<'f, 't>,
    pub(super) collector: &'f mut Collector<'k, 't>,
    /// What was reported, by rule and name: one fault is reported once.
    pub(super) seen: HashSet<(&'static str, String)>,
    /// The texts whose words were looked at.
    looked_at: HashSet<u32>,
}

impl<'d, 't> Places<'_, 'd, '_, 't> {
    fn roles(&mut self) {
        let (all, expected) = (self.taken, &self.context.expected);
        let is_given = |name: &str| expected.given.iter().any(|(known, _)| known == name);
        let given = all.given.iter();
        let given = given.map(|(name, taken)| (taken, is_given(name)));
        let needed = [
            (&all.status, true),
            (&all.session, expected.session.is_some()),
            (&all.agent, expected.agent.is_some()),
            (&all.summary, false),
            (&all.artifacts, false),
            (&all.files, false),
        ];
        for (taken, is_needed) in needed.into_iter().chain(given) {
            self.role(taken, is_needed);
        }
        for taken in [&all.status, &all.session, &all.agent] {
            if let Some((role, Ok(pieces))) = taken
                && let [one, other, ..] = &pieces[..]
            {
                let second = match all.profile.form {
                    Form::Text => self.position(other.at),
                    Form::Json | Form::Yaml => other.at.pointer().to_string(),
                };
                let why = format!("{} values, the second at {second}", pieces.len());
                self.ambiguous(place_name(role), one.at, &why);
            }
        }
        if let Some((role, Ok(pieces))) = &all.status
            && let [piece] = &pieces[..]
            && let agent = self.context.acting_agent()
            && let Said::Two(one, other) = status::said(all, self.context.profile, agent, piece)
        {
            let why = format!("it says both {one} and {other}");
            self.ambiguous(place_name(role), piece.at, &why);
        }
        for (name, taken) in [("summary", &all.summary), ("session_id", &all.session)] {
            for piece in pieces(taken).unwrap_or_default() {
                self.own_words(name, &piece.text, piece.at);
            }
        }
    }

    fn role(&mut self, taken: &Taken<'d, 't>, is_needed: bool) {
        let Some((role, found)) = taken else { return };
        match found {
            Err(twice) => self.twice(place_name(role), *twice),
            Ok(_) if !is_needed || role.is_optional => {}
            Ok(pieces) if pieces.iter().all(|piece| is_blank(&piece.text)) => {
                let at = place_of(self.taken.document, (role, found));
                let broken = if pieces.is_empty() { &MISSING } else { &EMPTY };
                self.fault(broken, at, place_name(role));
            }
            Ok(_) => {}
        }
    }

    /// A place that must hold a value, be it an empty list.
    fn required(&mut self, place: &Place) {
        let name = place.as_str();
        if let Some(path) = place.only_path() {
            if let Some(origin) = self.origin(path) {
                self.required_below(origin, path.steps(), name);
            }
            return;
        }
        let Some(found) = self.find(place) else {
            return;
        };
        if found.is_empty() && !place.is_optional {
            self.missing(place);
        }
        for it in &found {
            self.filled_value(it, name);
        }
        for row in place.lacking(self.taken.document) {
            let member = place.members.first().map_or("", |it| it.1.as_str());
            let name = format!("{}/{}", row.pointer(), member.trim_start_matches('/'));
            self.report(&MISSING, row, &name);
        }
    }

    /// Reports that a place leads to nothing, or to a text that its expression does not fit.
    fn missing(&mut self, place: &Place) {
        let (name, document) = (place.as_str(), self.taken.document);
        let message = self.taken.message(self.context.input.text);
        let unfit = place.expression.as_ref();
        let unfit = unfit.and_then(|_| Some(place.take(document, message).ok()?.first()?.at));
        let Some(at) = unfit else {
            return self.report(&MISSING, place.path().nearest_to(document), name);
        };
        if self.seen.insert((MISSING.id, name.to_owned())) {
            let values = values![field = Placeholder::Text("field"), name = name];
            let notes = vec!["what is there does not fit".to_owned()];
            self.collector.add(Diagnostic::new(&MISSING, at, &values).notes(notes));
        }
    }

    fn required_below(&mut self, origin: NamedThing<'d, 't>, steps: &[PointerStep], name: &str) {
        let each = steps.iter().position(|step| *step == PointerStep::Every);
        let (way, rest) = steps.split_at(each.unwrap_or(steps.len()));
        let found = match origin.find(way) {
            Ok(found) => found,
            Err(twice) => return self.twice(name, twice),
        };
        // "Findings: none" is a list without items, however the steps go on.
        if found.is_empty() && !rest.is_empty() && origin.says_none(&self.taken.profile.none) {
            return;
        }
        if found.is_empty() {
            let at = origin.nearest_to(way).unwrap_or(self.taken.document);
            return self.report(&MISSING, at, name);
        }
        let Some((_, rest)) = rest.split_first() else {
            let found = found.into_iter().map(PlaceValue::whole);
            return found.for_each(|it| self.filled_value(&it, name));
        };
        for list in found {
            let mut items = find_below(list, &[PointerStep::Every]);
            if items.is_empty() && way.is_empty() {
                items = origin.find(&[PointerStep::Every]).unwrap_or_default();
            }
            let none = &self.taken.profile.none;
            let is_list = list.is_list() || list.is_object() || counts_nothing(list, none);
            if items.is_empty() && (list.is_null() || !is_list) {
                self.report(&MISSING, list, name);
            } else if items.is_empty() && rest.is_empty() {
                self.report(&EMPTY, list, name);
            }
            for item in items {
                let name = format!("{}{}", item.pointer(), pattern(rest));
                self.required_below(NamedThing::of(item), rest, &name);
            }
        }
    }

    /// A value that is there must not be null and not blank.
    fn filled_value(&mut self, found: &PlaceValue<'d, 't>, name: &str) {
        if found.is_null() {
            self.report(&MISSING, found.at, name);
        } else if found.is_empty() {
            self.report(&EMPTY, found.at, name);
        } else if let Some(text) = found.text() {
            self.own_words(name, text, found.at);
        }
    }

    fn filled(&mut self, place: &Place) {
        let (name, none) = (place.as_str(), &self.taken.profile.none);
        match self.find(place).as_deref() {
            None => {}
            Some([]) => self.missing(place),
            Some(found @ [first, ..]) if found.iter().all(|it| it.is_nothing(none)) => {
                self.report(&EMPTY, first.at, name);
            }
            Some(found) => {
                for (it, text) in found.iter().filter_map(|it| Some((it, it.text()?))) {
                    self.own_words(name, text, it.at);
                }
            }
        }
    }

    fn empty(&mut self, place: &Place, status: &str) {
        let found = self.find(place).unwrap_or_default();
        let none = &self.taken.profile.none;
        if let Some(filled) = found.iter().find(|it| !it.counts_nothing(none))
            && let path = place.path()
            && !path.is_of_label(self.taken.document, filled.at, none)
        {
            let pointer = filled.at.pointer().to_string();
            let name = if place.members.is_empty() { place.as_str() } else { &pointer };
            let values = values![status = status, name = name];
            self.collector.report(&NOT_EMPTY, filled.at, &values);
        }
    }

    /// A text must be the agent's own, and say something.
    fn own_words(&mut self, name: &str, text: &str, at: Value<'d, 't>) {
        if self.looked_at.insert(at.id()) && !self.is_example() {
            worthless::check(self.collector, name, text, at);
        }
    }

    /// Whether the message is the example of the standard, word for word.
    fn is_example(&self) -> bool {
        let example = self.taken.profile.example.as_deref();
        example.is_some_and(|example| example.trim() == self.context.input.text.trim())
    }

    fn template(&mut self) {
        if self.is_example() && worthless::has_sentence(self.context.input.text) {
            let line = self.context.input.text.trim().lines().next();
            let values =
                values![name = Placeholder::Text("return"), found = line.unwrap_or_default()];
            let start = Location::Bytes(Span::default());
            self.collector.report(&worthless::ECHO, start, &values);
        }
    }

    /// Holds the document, or a value in it, to the schema of the profile, and the document to that of the caller.
    fn schema(&mut self) {
        let document = PlaceValue::whole(self.taken.document);
        if let Some(rule) = &self.taken.profile.schema {
            let found = match &rule.place {
                None => vec![document.clone()],
                Some(place) => self.find(place).unwrap_or_default(),
            };
            rule.schema.check(&found, |it| self.violation(&it));
        }
        if let Some(schema) = self.context.expected.schema {
            schema.check(&[document], |it| self.violation(&it));
        }
    }

    fn violation(&mut self, violation: &Violation<'_>) {
        if self.collector.count_if_full(&SCHEMA) {
            return;
        }
        let at = (violation.at)();
        let pointer = at.pointer();
        if self.is_reported(&pointer, violation.missing) {
            return;
        }
        let name = match pointer.to_string() {
            name if name.is_empty() => "the document".to_owned(),
            name => name,
        };
        // No reader of a text is told an expression.
        let is_hidden = violation.keyword == "pattern" && self.taken.profile.form == Form::Text;
        let why = if is_hidden { "it is written in another way".into() } else { (violation.why)() };
        let values = values![name = &name, why = &*why, key = violation.keyword];
        self.collector.report(&SCHEMA, at, &values);
    }

    /// Whether another rule reports the same: the one about the status, or about what must be there.
    fn is_reported(&self, pointer: &Pointer<'_>, missing: Option<&str>) -> bool {
        let mut status = pieces(&self.taken.status).into_iter().flatten();
        let role = self.taken.profile.roles.status.as_ref();
        let is_whole = role.is_some_and(|role| role.expression.is_none());
        let is_unknown = self.context.status.is_none() && self.collector.fails(&status::UNKNOWN);
        let mut is_status = || is_whole && status.any(|piece| piece.at.pointer() == *pointer);
        if missing.is_none() && is_unknown && is_status() {
            return true;
        }
        let name = missing.map_or_else(|| pointer.clone(), |name| pointer.clone().key(name));
        let name = name.to_string();
        let is_seen = |rule: &Rule| self.seen.contains(&(rule.id, name.clone()));
        let mut found = self.collector.findings.iter();
        let is_known = self.taken.profile.is_own() || missing.is_some();
        [&MISSING, &EMPTY, &UNKNOWN].into_iter().any(is_seen)
            || !is_known && found.any(|it| it.pointer.as_deref() == Some(&*name))
    }

    /// Where the steps of a place begin. None if it is not known: that is reported.
    fn origin(&mut self, place: &PlacePath) -> Option<NamedThing<'d, 't>> {
        match place.origin(self.taken.document) {
            Ok(Some(origin)) => return Some(origin),
            Ok(None) => self.report(&MISSING, self.taken.document, place.as_str()),
            Err(twice) => self.twice(place.as_str(), twice),
        }
        None
    }

    /// What a place leads to. None if it is ambiguous: that is reported.
    pub(super) fn find(&mut self, place: &Place) -> Option<Vec<PlaceValue<'d, 't>>> {
        let message = self.taken.message(self.context.input.text);
        let found = place.find(self.taken.document, message);
        let found = found.map_err(|twice| self.twice(place.as_str(), twice));
        found.ok()
    }

    /// Reports a fault, unless a label says nothing only because what it means stands below.
    fn report(&mut self, rule: &'static Rule, at: Value<'_, '_>, name: &str) {
        let is_empty = rule.id == EMPTY.id;
        if !(is_empty && self.taken.may_stand_below(at, self.context.input.text)) {
            self.fault(rule, at, name);
        }
    }

    fn fault(&mut self, rule: &'static Rule, at: Value<'_, '_>, name: &str) {
        let key = (rule.id, name.to_owned());
        if self.collector.count_if_full(rule) || self.seen.contains(&key) {
            return;
        }
        let values = values![field = Placeholder::Text("field"), name = name];
        let is_missing = rule.id == MISSING.id;
        let write = to_write(self.taken, self.context.profile, name, is_missing);
        let is_hidden = is_missing && self.taken.profile.form == Form::Text;
        let (suggestion, hint) = if is_hidden && is_fenced(self.context) {
            (Some(Suggestion::Fix(UNFENCE)), Some(EXTRACT.to_owned()))
        } else {
            let hint = if is_missing { self.misspelled(at, name) } else { None };
            (write.map(Suggestion::Say), hint)
        };
        let diagnostic = Diagnostic::new(rule, at, &values);
        self.collector.add(diagnostic.suggestion(suggestion).hint(hint));
        self.seen.insert(key);
    }

    /// What to correct in the profile where the return has a name that it looks for nowhere, and that is nearly the
    /// missing one.
    fn misspelled(&self, at: Value<'_, '_>, name: &str) -> Option<String> {
        let TakenValues { document, profile, .. } = self.taken;
        let wanted = name.trim_start_matches('/').split('/').nth(at.pointer().steps().len())?;
        let is_group =
            |it: &Value<'_, '_>| ["front_matter", "labels", "sections", "tags"].contains(&it.key());
        let groups = if name.starts_with('/') {
            vec![at]
        } else {
            document.tree().values().filter(is_group).collect()
        };
        let is_text = profile.form == Form::Text;
        let is_wanted = |key: &str| {
            let mut names = profile.paths().flat_map(PlacePath::names);
            names.any(|it| it == key || is_text && eq_ignoring_case_and_separators(it, key))
        };
        let keys = groups.into_iter().flat_map(Value::members).map(Value::key);
        let near = misspelled(wanted, keys.filter(|key| !is_wanted(key)))?;
        let [wanted, near] = [wanted, near].map(escape::truncated);
        Some(format!(
            "correct the profile: it looks for \"{wanted}\", and the return has \"{near}\""
        ))
    }

    fn twice(&mut self, name: &str, Twice([one, other]): Twice<'_, '_>) {
        let why = format!("it is there twice, again at {}", self.position(other));
        self.ambiguous(name, one, &why);
    }

    fn ambiguous(&mut self, name: &str, at: Value<'_, '_>, why: &str) {
        if self.seen.insert((AMBIGUOUS.id, name.to_owned())) {
            let values = values![name = name, why = why];
            self.collector.report(&AMBIGUOUS, at, &values);
        }
    }

    fn position(&self, value: Value<'_, '_>) -> String {
        let input = &self.context.input;
        let mut positions = Positions::new(input.bytes, input.base);
        let start = value.span().unwrap_or_default().start;
        let at = positions.of(input.start + start);
        format!("{}:{}", at.line, at.column)
    }
}

/// The rest of a place, as a configuration writes it.
fn pattern(steps: &[PointerStep]) -> String {
    let step = |step: &PointerStep| match step {
        PointerStep::Every => "/*".to_owned(),
        PointerStep::Name(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
    };
    steps.iter().map(step).collect()
}

/// What to write under a name, and how a text has a name that is missing. None for any value that is no status.
pub(super) fn to_write(
    taken: &TakenValues<'_, '_>,
    profile: &Profile,
    name: &str,
    is_missing: bool,
) -> Option<String> {
    let is_name = is_missing && taken.profile.form == Form::Text && !name.contains('/');
    let role = taken.profile.roles.status.as_ref();
    let status = role.filter(|role| place_name(role) == name);
    let words = profile.statuses_of(None);
    let words = escape::list(words.map(|it| &*it.word).filter(|word| *word != words::ANY));
    let shown = escape::full(name);
    let line = if is_label_name(name) {
        format!("add a line `{shown}:`")
    } else {
        format!("add a heading `## {shown}`")
    };
    match (is_name, status) {
        (false, None) => None,
        (false, Some(_)) => Some(format!("write one of {words}")),
        (true, None) => Some(line),
        (true, Some(_)) => Some(format!("{line} with one of {words}")),
    }
}
