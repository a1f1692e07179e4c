//! Step 2: what the standard requires is there, once, and what it forbids is not.

use std::collections::HashSet;

use crate::check::rules::members::{EMPTY, MISSING};
use crate::check::rules::own::{OwnDocument, Taken, pieces, place, status};
use crate::check::rules::worthless;
use crate::check::{Collector, Context, Location, Placeholder, Ran, values};
use crate::document::Form;
use crate::document::lookup::{PointerStep, find_below};
use crate::document::tree::Value;
use crate::profile::standard::place::{PlaceOrigin, counts_nothing, is_empty, is_nothing};
use crate::profile::standard::words::Said;
use crate::profile::standard::{Condition, ValuePlace};
use crate::rule::{Rule, Step};
use crate::text::{Span, is_blank};

pub(crate) static NOT_EMPTY: Rule = Rule {
    id: "field-not-empty",
    message: "Field must be empty with status {status}: {name}",
    help: "Fix {agent} subagent to leave it empty, or to return another status",
    advice_to_agent: "Remove what is there, or return another status",
    ..Rule::of_standard(Step::Fields)
};

pub(super) fn check<'t>(own: &OwnDocument<'_, 't>, collector: &mut Collector<'_, 't>) -> Ran {
    let context = collector.context;
    let mut fields = Fields {
        own,
        context,
        collector,
        seen: HashSet::new(),
        looked_at: HashSet::new(),
        unfilled: Vec::new(),
    };
    fields.roles();
    let standard = own.standard;
    for place in &standard.required {
        fields.required(place);
    }
    let word = context.status.map(|status| &*status.word);
    let has_word =
        |it: &&Condition| word.is_some_and(|word| it.words.iter().any(|own| own == word));
    for condition in standard.required_if.iter().filter(has_word) {
        for place in &condition.places {
            fields.filled(place);
        }
    }
    for condition in standard.empty_if.iter().filter(has_word) {
        for place in &condition.places {
            fields.empty(place, word.unwrap_or_default());
        }
    }
    fields.values();
    fields.schema();
    fields.template();
    Ran::Checked
}

pub(super) struct Fields<'f, 'd, 'k, 't> {
    pub(super) own: &'f OwnDocument<'d, 't>,
    pub(super) context: &'f Context<'f, 't>,
    pub(super) collector: &'f mut Collector<'k, 't>,
    /// What was reported, by rule and name: one fault is reported once.
    pub(super) seen: HashSet<(&'static str, String)>,
    /// The texts whose words were looked at.
    looked_at: HashSet<u32>,
    /// The texts that a template may have in place of answers, with their names.
    unfilled: Vec<(String, String, Value<'d, 't>)>,
}

impl<'d, 't> Fields<'_, 'd, '_, 't> {
    fn roles(&mut self) {
        let (own, expected) = (self.own, &self.context.expected);
        let needed = [
            (&own.status, true),
            (&own.session, expected.session.is_some()),
            (&own.agent, expected.agent.is_some()),
            (&own.summary, false),
            (&own.artifacts, false),
            (&own.files, false),
        ];
        let given = own.given.iter().map(|(name, taken)| {
            let mut given = expected.given.iter();
            (taken, given.any(|(known, _)| known == name))
        });
        for (taken, is_needed) in needed.into_iter().chain(given) {
            self.role(taken, is_needed);
        }
        self.status_words();
        for taken in [&own.artifacts, &own.files] {
            if let Some((role, Ok(pieces))) = taken {
                for piece in pieces {
                    self.unfilled(place::name(role), &piece.text, piece.at);
                }
            }
        }
        for (name, taken) in [("summary", &own.summary), ("session_id", &own.session)] {
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
            Err(twice) => return self.twice(place::name(role), *twice),
            Ok(pieces) if is_needed && !role.is_optional => pieces,
            Ok(_) => return,
        };
        if pieces.iter().all(|piece| is_blank(&piece.text)) {
            let at = place::of(self.own.document, (role, found));
            let broken = if pieces.is_empty() { &MISSING } else { &EMPTY };
            self.report(broken, at, place::name(role));
        }
    }

    /// A role of one value has several, or a status says two words.
    fn status_words(&mut self) {
        let own = self.own;
        for taken in [&own.status, &own.session, &own.agent] {
            if let Some((role, Ok(pieces))) = taken
                && let [one, other, ..] = &pieces[..]
            {
                let second = match own.standard.form {
                    Form::Text => self.position(other.at),
                    Form::Json | Form::Yaml => other.at.pointer().to_string(),
                };
                let why = format!("{} values, the second at {second}", pieces.len());
                self.ambiguous(place::name(role), one.at.into(), &why);
            }
        }
        if let Some((role, Ok(pieces))) = &own.status
            && let [piece] = &pieces[..]
            && let Said::Two(one, other) = status::said(
                own,
                self.context.profile,
                self.context.acting_agent(),
                piece,
            )
        {
            let why = format!("it says both {one} and {other}");
            self.ambiguous(place::name(role), piece.at.into(), &why);
        }
    }

    /// A place that must hold a value, be it an empty list.
    fn required(&mut self, place: &ValuePlace) {
        let Some(origin) = self.origin(place) else {
            return;
        };
        self.required_below(origin, place.steps(), place.as_str());
    }

    fn required_below(&mut self, origin: PlaceOrigin<'d, 't>, steps: &[PointerStep], name: &str) {
        let each = steps.iter().position(|step| *step == PointerStep::Every);
        let (way, rest) = steps.split_at(each.unwrap_or(steps.len()));
        let found = match origin.below(way) {
            Ok(found) => found,
            Err(twice) => return self.twice(name, twice),
        };
        // "Findings: none" is a list without items, however the steps go on.
        if found.is_empty() && !rest.is_empty() && origin.says_none(&self.own.standard.none) {
            return;
        }
        if found.is_empty() {
            let at = origin.nearest_to(way).unwrap_or(self.own.document);
            return self.report(&MISSING, at, name);
        }
        let Some((_, rest)) = rest.split_first() else {
            return found.iter().for_each(|it| self.filled_value(*it, name));
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
    fn filled_value(&mut self, found: Value<'d, 't>, name: &str) {
        if found.is_null() {
            self.report(&MISSING, found, name);
        } else if is_empty(found) {
            self.report(&EMPTY, found, name);
        } else if let Some(text) = found.text() {
            self.own_words(name, text, found);
        }
    }

    /// A place that must hold something.
    fn filled(&mut self, place: &ValuePlace) {
        let name = place.as_str();
        let Some(found) = self.find(place) else {
            return;
        };
        let Some(first) = found.first() else {
            let at = place.nearest_to(self.own.document);
            return self.report(&MISSING, at, name);
        };
        let none = &self.own.standard.none;
        if found.iter().all(|it| is_nothing(*it, none)) {
            return self.report(&EMPTY, *first, name);
        }
        for it in &found {
            if let Some(text) = it.text() {
                self.own_words(name, text, *it);
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
        let example = self.own.standard.example.as_deref();
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
    fn empty(&mut self, place: &ValuePlace, status: &str) {
        let Some(found) = self.find(place) else {
            return;
        };
        let none = &self.own.standard.none;
        let filled = found.iter().find(|it| !counts_nothing(**it, none));
        if let Some(filled) = filled.filter(|it| !place.is_of_label(self.own.document, **it, none))
        {
            let values = values![status = status, name = place.as_str()];
            self.collector.report(&NOT_EMPTY, *filled, &values);
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
