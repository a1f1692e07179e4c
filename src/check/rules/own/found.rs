//! What a place leads to, and what is reported where it leads to nothing or to two values.

use crate::check::rules::members::{EMPTY, MISSING};
use crate::check::rules::own::fields::Fields;
use crate::check::rules::own::read::{UNFENCE, is_fenced};
use crate::check::rules::own::{OwnDocument, place};
use crate::check::{Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::tree::Value;
use crate::document::{Form, is_label_name};
use crate::profile::Profile;
use crate::profile::standard::place::{PlaceOrigin, Twice};
use crate::profile::standard::{ValuePlace, words};
use crate::rule::{Rule, Step};
use crate::text::{Positions, escape};

pub(crate) static AMBIGUOUS: Rule = Rule {
    id: "value-ambiguous",
    message: "Ambiguous value: {name} ({why})",
    help: "Fix {agent} subagent to write it once",
    advice_to_agent: "Write it once, with one value",
    ..Rule::of_standard(Step::Fields)
};

impl<'d, 't> Fields<'_, 'd, '_, 't> {
    /// Where the steps of a place begin. None if it is not known: that is reported.
    pub(super) fn origin(&mut self, place: &ValuePlace) -> Option<PlaceOrigin<'d, 't>> {
        match place.origin(self.own.document) {
            Ok(Some(origin)) => return Some(origin),
            Ok(None) => self.report(&MISSING, self.own.document, place.as_str()),
            Err(twice) => self.twice(place.as_str(), twice),
        }
        None
    }

    /// What a place leads to. None if it is ambiguous: that is reported.
    pub(super) fn find(&mut self, place: &ValuePlace) -> Option<Vec<Value<'d, 't>>> {
        let found = place.find(self.own.document);
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
        if rule.id == EMPTY.id && self.own.may_stand_below(at, message) {
            return;
        }
        let values = values![field = Placeholder::Text("field"), name = name];
        let is_missing = rule.id == MISSING.id;
        let write = to_write(self.own, self.context.profile, name, is_missing);
        let is_hidden = is_missing && self.own.standard.form == Form::Text;
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
    pub(super) fn position(&self, value: Value<'_, '_>) -> String {
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
    own: &OwnDocument<'_, '_>,
    profile: &Profile,
    name: &str,
    is_missing: bool,
) -> Option<String> {
    let is_name = is_missing && own.standard.form == Form::Text && !name.contains('/');
    let role = own.standard.roles.status.as_ref();
    let status = role.filter(|role| place::name(role) == name);
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
