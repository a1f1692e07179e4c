//! Step 2: what the profile requires at its places is there, once, and what it forbids is not.

use std::collections::HashSet;

use crate::check::rules::form::{UNFENCE, is_fenced};
use crate::check::rules::members::{EMPTY, MISSING};
use crate::check::rules::taken::{Taken, TakenValues, pieces, place_name, place_of};
use crate::check::rules::{status, worthless};
use crate::check::{Collector, Context, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::lookup::find_below;
use crate::document::pointer::PointerStep;
use crate::document::tree::Value;
use crate::document::{Form, is_label_name};
use crate::profile::Profile;
use crate::profile::place::{PlaceOrigin, PlaceValue, Twice};
use crate::profile::words::{self, Said};
use crate::profile::{Condition, Place, PlacePath};
use crate::rule::{Rule, Step};
use crate::text::{Positions, Span, escape, is_blank};

pub(crate) static NOT_EMPTY: Rule = Rule {
    id: "field-not-empty",
    message: "Field must be empty with status {status}: {name}",
    help: "Fix {agent} subagent to leave it empty, or to return another status",
    advice_to_agent: "Remove what is there, or return another status",
    ..Rule::of_own_profile(Step::Fields)
};

pub(super) fn check<'t>(taken: &TakenValues<'_, 't>, collector: &mut Collector<'_, 't>) {
    let context = collector.context;
    let mut places = Places {
        taken,
        context,
        collector,
        seen: HashSet::new(),
        looked_at: HashSet::new(),
        unfilled: Vec::new(),
    };
    if taken.profile.is_own() {
        places.roles();
    }
    let profile = taken.profile;
    for place in &*profile.required {
        places.required(place);
    }
    let word = context.status.map(|status| &*status.word);
    let has_word =
        |it: &&Condition| word.is_some_and(|word| it.words.iter().any(|own| own == word));
    for condition in profile.required_if.iter().filter(has_word) {
        for place in &condition.places {
            places.filled(place);
        }
    }
    for condition in profile.empty_if.iter().filter(has_word) {
        for place in &condition.places {
            places.empty(place, word.unwrap_or_default());
        }
    }
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
    /// The texts that a template may have in place of answers, with their names.
    unfilled: Vec<(String, String, Value<'d, 't>)>,
}

impl<'d, 't> Places<'_, 'd, '_, 't> {
    fn roles(&mut self) {
        let (taken, expected) = (self.taken, &self.context.expected);
        let needed = [
            (&taken.status, true),
            (&taken.session, expected.session.is_some()),
            (&taken.agent, expected.agent.is_some()),
            (&taken.summary, false),
            (&taken.artifacts, false),
            (&taken.files, false),
        ];
        let given = taken.given.iter().map(|(name, taken)| {
            let mut given = expected.given.iter();
            (taken, given.any(|(known, _)| known == name))
        });
        for (taken, is_needed) in needed.into_iter().chain(given) {
            self.role(taken, is_needed);
        }
        self.status_words();
        for taken in [&taken.artifacts, &taken.files] {
            if let Some((role, Ok(pieces))) = taken {
                for piece in pieces {
                    self.unfilled(place_name(role), &piece.text, piece.at);
                }
            }
        }
        for (name, taken) in [("summary", &taken.summary), ("session_id", &taken.session)] {
            for piece in pieces(taken).unwrap_or_default() {
                self.own_words(name, &piece.text, piece.at);
            }
        }
    }

    /// Keeps a text that a template may have in place of an answer.
    fn unfilled(&mut self, name: &str, text: &str, at: Value<'d, 't>) {
        if worthless::is_unfilled(text) {
            self.unfilled.push((name.to_owned(), text.to_owned(), at));
        }
    }

    fn role(&mut self, taken: &Taken<'d, 't>, is_needed: bool) {
        let Some((role, found)) = taken else { return };
        let pieces = match found {
            Err(twice) => return self.twice(place_name(role), *twice),
            Ok(pieces) if is_needed && !role.is_optional => pieces,
            Ok(_) => return,
        };
        if pieces.iter().all(|piece| is_blank(&piece.text)) {
            let at = place_of(self.taken.document, (role, found));
            let broken = if pieces.is_empty() { &MISSING } else { &EMPTY };
            self.report(broken, at, place_name(role));
        }
    }

    /// A role of one value has several, or a status says two words.
    fn status_words(&mut self) {
        let all = self.taken;
        for taken in [&all.status, &all.session, &all.agent] {
            if let Some((role, Ok(pieces))) = taken
                && let [one, other, ..] = &pieces[..]
            {
                let second = match all.profile.form {
                    Form::Text => self.position(other.at),
                    Form::Json | Form::Yaml => other.at.pointer().to_string(),
                };
                let why = format!("{} values, the second at {second}", pieces.len());
                self.ambiguous(place_name(role), one.at.into(), &why);
            }
        }
        if let Some((role, Ok(pieces))) = &all.status
            && let [piece] = &pieces[..]
            && let Said::Two(one, other) = status::said(
                all,
                self.context.profile,
                self.context.acting_agent(),
                piece,
            )
        {
            let why = format!("it says both {one} and {other}");
            self.ambiguous(place_name(role), piece.at.into(), &why);
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
            self.report(&MISSING, place.path().nearest_to(self.taken.document), name);
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

    fn required_below(&mut self, origin: PlaceOrigin<'d, 't>, steps: &[PointerStep], name: &str) {
        let each = steps.iter().position(|step| *step == PointerStep::Every);
        let (way, rest) = steps.split_at(each.unwrap_or(steps.len()));
        let found = match origin.below(way) {
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
                items = origin.below(&[PointerStep::Every]).unwrap_or_default();
            }
            if items.is_empty() && rest.is_empty() {
                self.report(&EMPTY, list, name);
            }
            for item in items {
                let name = format!("{}{}", item.pointer(), pattern(rest));
                self.required_below(PlaceOrigin::Value(item), rest, &name);
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

    /// A place that must hold something.
    fn filled(&mut self, place: &Place) {
        let name = place.as_str();
        let Some(found) = self.find(place) else {
            return;
        };
        let Some(first) = found.first() else {
            let at = place.path().nearest_to(self.taken.document);
            return self.report(&MISSING, at, name);
        };
        let none = &self.taken.profile.none;
        if found.iter().all(|it| it.is_nothing(none)) {
            return self.report(&EMPTY, first.at, name);
        }
        for it in &found {
            if let Some(text) = it.text() {
                self.own_words(name, text, it.at);
            }
        }
    }

    /// A text must be the agent's own, and say something.
    fn own_words(&mut self, name: &str, text: &str, at: Value<'d, 't>) {
        if self.looked_at.insert(at.id()) && !self.is_example() {
            worthless::check(self.collector, name, text, || at.pointer());
            self.unfilled(name, text, at);
        }
    }

    /// Whether the message is the example of the standard, word for word.
    fn is_example(&self) -> bool {
        let example = self.taken.profile.example.as_deref();
        example.is_some_and(|example| example.trim() == self.context.input.text.trim())
    }

    /// Reports a return that is its own template: the example of the standard, or several texts that are no
    /// answers. One alone may be a remark.
    fn template(&mut self) {
        if self.is_example() {
            let line = self.context.input.text.trim().lines().next();
            let values = values![
                name = Placeholder::Text("return"),
                found = line.unwrap_or_default()
            ];
            let start = Location::Bytes(Span::default(), None);
            self.collector.report(&worthless::ECHO, start, &values);
        }
        let unfilled = std::mem::take(&mut self.unfilled);
        for (name, text, at) in unfilled.iter().filter(|_| unfilled.len() > 1) {
            let values = values![name = &**name, found = &**text];
            self.collector.report(&worthless::FILLER, *at, &values);
        }
    }

    /// A place that must hold nothing.
    fn empty(&mut self, place: &Place, status: &str) {
        let Some(found) = self.find(place) else {
            return;
        };
        let none = &self.taken.profile.none;
        let filled = found.iter().find(|it| !it.counts_nothing(none));
        let path = place.path();
        if let Some(filled) =
            filled.filter(|it| !path.is_of_label(self.taken.document, it.at, none))
        {
            let values = values![status = status, name = place.as_str()];
            self.collector.report(&NOT_EMPTY, filled.at, &values);
        }
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

pub(crate) static AMBIGUOUS: Rule = Rule {
    id: "value-ambiguous",
    message: "Ambiguous value: {name} ({why})",
    help: "Fix {agent} subagent to write it once",
    advice_to_agent: "Write it once, with one value",
    ..Rule::of_own_profile(Step::Fields)
};

impl<'d, 't> Places<'_, 'd, '_, 't> {
    /// Where the steps of a place begin. None if it is not known: that is reported.
    pub(super) fn origin(&mut self, place: &PlacePath) -> Option<PlaceOrigin<'d, 't>> {
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
        found
            .map_err(|twice| self.twice(place.as_str(), twice))
            .ok()
    }

    pub(super) fn report(&mut self, rule: &'static Rule, at: Value<'_, '_>, name: &str) {
        let key = (rule.id, name.to_owned());
        if self.collector.count_if_full(rule) || self.seen.contains(&key) {
            return;
        }
        let message = self.context.input.text;
        if rule.id == EMPTY.id && self.taken.may_stand_below(at, message) {
            return;
        }
        let values = values![field = Placeholder::Text("field"), name = name];
        let is_missing = rule.id == MISSING.id;
        let write = to_write(self.taken, self.context.profile, name, is_missing);
        let is_hidden = is_missing && self.taken.profile.form == Form::Text;
        let diagnostic = Diagnostic::new(rule, at, &values);
        let suggestion = match write.as_deref().map(Suggestion::Write) {
            _ if is_hidden && is_fenced(self.context) => Some(Suggestion::FixOrExtract(UNFENCE)),
            suggestion => suggestion,
        };
        self.collector.add(diagnostic.suggestion(suggestion));
        self.seen.insert(key);
    }

    pub(super) fn twice(&mut self, name: &str, Twice([one, other]): Twice<'_, '_>) {
        let why = format!("it is there twice, again at {}", self.position(other));
        let first = one.span().unwrap_or_default();
        let location = Location::Bytes(first, Some(one.pointer()));
        self.ambiguous(name, location, &why);
    }

    /// The line and column of a value.
    fn position(&self, value: Value<'_, '_>) -> String {
        let input = &self.context.input;
        let mut positions = Positions::new(input.bytes, input.base);
        let start = value.span().unwrap_or_default().start;
        let at = positions.of(input.start + start);
        format!("{}:{}", at.line, at.column)
    }

    pub(super) fn ambiguous(&mut self, name: &str, location: Location<'_>, why: &str) {
        let key = (AMBIGUOUS.id, name.to_owned());
        if self.seen.contains(&key) {
            return;
        }
        let values = values![name = name, why = why];
        self.collector.report(&AMBIGUOUS, location, &values);
        self.seen.insert(key);
    }
}

/// What to write under a name, and how a text has a name that is missing. None for any value that is no
/// status.
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
    let line = if is_label_name(name) {
        format!("add a line `{}:`", escape::full(name))
    } else {
        format!("add a heading `## {}`", escape::full(name))
    };
    match (is_name, status) {
        (false, None) => None,
        (false, Some(_)) => Some(format!("write one of {words}")),
        (true, None) => Some(line),
        (true, Some(_)) => Some(format!("{line} with one of {words}")),
    }
}
