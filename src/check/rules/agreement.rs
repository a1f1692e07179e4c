//! Step 2: the values of a document are those that the profile allows, and agree with each other where it compares
//! them.

use std::path::Path;

use crate::check::rules::claimed_paths::PathTarget;
use crate::check::rules::places::{Places, UNKNOWN};
use crate::check::{Diagnostic, Placeholder, Suggestion, compared, differ, values};
use crate::document::tree::{Content, Value};
use crate::document::{Form, in_item};
use crate::evidence::Assessment;
use crate::profile::place::{PlaceValue, is_nothing};
use crate::profile::role::line_above;
use crate::profile::words::{Said, exact, is_boolean, spoken};
use crate::profile::{
    AllowedWords, CountRule, CountedThings, PathGlob, Place, PlacePath, WantedText,
};
use crate::rule::{Claimed, Rule, Step};
use crate::text::is_blank;
use crate::text::suggest::nearest;

pub(crate) static DIFFERENT: Rule = Rule::of_own_profile(Step::Fields, "value-different")
    .claims(Claimed::Within, "the fields have the same value")
    .says("{name} differs from {what}")
    .advises("Write the same value in both fields");

pub(crate) static SUM: Rule = Rule::of_own_profile(Step::Fields, "sum-wrong")
    .claims(Claimed::Within, "the total is the sum of its parts")
    .says("Sum is wrong: {name} is {found}, but the parts add up to {expected}")
    .advises("Add up your numbers again");

pub(crate) static COUNT: Rule = Rule::of_own_profile(Step::Fields, "count-wrong")
    .claims(Claimed::Within, "the number is that of what it counts")
    .says("Count is wrong: {name} is {found}, there are {expected}")
    .advises("Count the list again");

impl<'d, 't> Places<'_, 'd, '_, 't> {
    pub(super) fn values(&mut self) {
        let claims = &self.taken.profile.claims;
        let word = self.context.status.map_or("", |status| &*status.word);
        let with_word = claims.values_if.iter();
        let with_word = with_word.filter(|(words, _)| words.iter().any(|it| it == word));
        let with_word = with_word.flat_map(|(_, values)| values);
        let allowed = claims.values.iter().chain(with_word);
        allowed.for_each(|it| self.allowed(it));
        claims.same.iter().for_each(|places| self.same(places));
        let sums = claims.sums.iter();
        sums.for_each(|(total, parts)| self.sum(total, parts));
        claims.counts.iter().for_each(|count| self.count(count));
    }

    /// Holds the text at a place, or those of its items, to words.
    fn allowed(&mut self, allowed: &AllowedWords) {
        let words: Vec<&str> = allowed.words.iter().map(String::as_str).collect();
        for found in self.find(&allowed.place).unwrap_or_default() {
            let items = found.at.items().map(PlaceValue::whole);
            let whole = Some(found.clone()).filter(|it| !it.at.is_list());
            for value in items.chain(whole) {
                let form = self.taken.profile.form;
                let text = match value.scalar() {
                    Some(text) => text,
                    None if form == Form::Text || value.is_null() => continue,
                    None => serde_json::to_string(&value).unwrap_or_default().into(),
                };
                let said = match form {
                    Form::Text => spoken(&text, &words),
                    Form::Json | Form::Yaml => exact(&text, value.text().is_some(), &words),
                };
                if !matches!(said, Said::Word(_)) {
                    self.seen.insert((UNKNOWN.id, value.at.pointer().to_string()));
                    let (name, types) = (allowed.place.as_str(), Placeholder::list(&words));
                    let values = values![name = name, found = &text, types = types];
                    let similar = nearest(&text, words.iter().copied());
                    let diagnostic = Diagnostic::new(&UNKNOWN, value.at, &values);
                    let suggestion = similar.map(Suggestion::did_you_mean);
                    self.collector.add(diagnostic.suggestion(suggestion));
                }
            }
        }
    }

    fn same(&mut self, places: &[Place]) {
        let mut all = Vec::new();
        for place in places {
            let found = self.find(place).unwrap_or_default().into_iter();
            all.extend(found.filter(|it| !it.is_null()).map(|found| (place, found)));
        }
        let Some(((known, one), others)) = all.split_first() else {
            return;
        };
        if others.is_empty() {
            let unknown = Assessment::unknown("the value is there only once");
            self.collector.claim(&DIFFERENT, one.at.into(), &unknown);
        }
        for (place, found) in others {
            let is_same = is_same(self.taken.profile.form, one, found);
            let assessment = if is_same {
                Assessment::shown("the values are the same")
            } else {
                Assessment::contradicted("the values differ")
            };
            self.collector.claim(&DIFFERENT, found.at.into(), &assessment);
            if !is_same {
                let values = values![name = place.as_str(), what = known.as_str()];
                let notes = compared(&shown(one), &shown(found));
                let diagnostic = Diagnostic::new(&DIFFERENT, found.at, &values);
                self.collector.add(diagnostic.notes(notes));
            }
        }
    }

    fn sum(&mut self, total: &Place, parts: &[Place]) {
        let Some(found) = self.first(total) else {
            return;
        };
        let number = found.quantity();
        let assessment = match number.map(|it| (it.number, self.add_up(parts, it.unit))) {
            None => Assessment::unknown("it is not a number"),
            Some((_, None)) => Assessment::unknown("a part is missing or no number"),
            Some((number, Some(sum))) if differ(number, sum) => {
                let values = values![
                    name = total.as_str(),
                    found = Placeholder::amount(number),
                    expected = Placeholder::amount(sum),
                ];
                self.collector.report(&SUM, found.at, &values);
                Assessment::contradicted("the parts add up to another number")
            }
            _ => Assessment::shown("the parts add up to it"),
        };
        self.collector.claim(&SUM, found.at.into(), &assessment);
    }

    /// The sum of the numbers at places. None if a place has none, no number, or one of something else.
    fn add_up(&mut self, parts: &[Place], unit: &str) -> Option<f64> {
        let (mut sum, mut unit) = (0.0, unit.to_owned());
        for part in parts {
            let found = self.find(part).filter(|found| !found.is_empty())?;
            for it in found {
                let amount = it.quantity().filter(|it| it.is_like(&unit))?;
                sum += amount.number;
                if unit.is_empty() {
                    amount.unit.clone_into(&mut unit);
                }
            }
        }
        Some(sum)
    }

    /// Compares a number with that of the things that it counts, which can be counted in two ways.
    fn count(&mut self, count: &CountRule) {
        let Some(found) = self.first(&count.number) else {
            return;
        };
        let (counted, is_open) = match &count.counted {
            CountedThings::Items { place, members } => {
                let found = self.find(place).unwrap_or_default();
                (self.items(place, &found, members), self.is_open(&found))
            }
            CountedThings::Files { folder, glob } => {
                let folder = self.first(folder).and_then(|it| it.scalar());
                (folder.and_then(|it| self.files(&it, glob)), false)
            }
        };
        let number = found.quantity().map(|it| it.number);
        #[allow(clippy::cast_precision_loss, reason = "no return has 2^52 items")]
        let is_right = |number: f64| move |counted: usize| !differ(number, counted as f64);
        let assessment = match (number, counted) {
            (None, _) => Assessment::unknown("it is not a number"),
            (_, None) => Assessment::unknown("what it counts is not there"),
            (Some(number), Some(counted)) if counted.into_iter().any(is_right(number)) => {
                Assessment::shown("there are as many")
            }
            _ if is_open => Assessment::unknown("there may be more than what is counted"),
            (Some(number), Some([_, counted])) => {
                let values = values![
                    name = count.number.as_str(),
                    found = Placeholder::amount(number),
                    expected = counted,
                ];
                self.collector.report(&COUNT, found.at, &values);
                Assessment::contradicted(format!("there are {counted}"))
            }
        };
        self.collector.claim(&COUNT, found.at.into(), &assessment);
    }

    /// The number of items at a place, twice: where all of them say that there is nothing, none may be meant. None
    /// if the place is not there, or has a text or a number, which may stand for any number of things.
    fn items(
        &self,
        place: &Place,
        found: &[PlaceValue<'d, 't>],
        members: &[(PlacePath, WantedText)],
    ) -> Option<[usize; 2]> {
        let none = &self.taken.profile.none;
        let is_counted = |value: &Value<'_, '_>| {
            members.iter().all(|(member, wanted)| {
                let found = member.find(*value).unwrap_or_default();
                found.into_iter().any(|it| self.is_wanted(it, wanted))
            })
        };
        let mut items = Vec::new();
        for it in found {
            match it.content() {
                Content::List => items.extend(it.at.items()),
                _ if place.is_of_each() => items.push(it.at),
                Content::Object => items.extend(it.at.members()),
                _ if it.is_nothing(none) => {}
                _ => return None,
            }
        }
        let count = items.iter().filter(|it| is_counted(it)).count();
        // One item of a text is one thing, or says that there is none.
        let is_text = self.taken.profile.form == Form::Text;
        let counts = match items[..] {
            [_, ..] if items.iter().all(|it| is_nothing(*it, none)) => [count, 0],
            [only] if is_text && only.text().is_some() => [0, count],
            _ => [count, count],
        };
        (!found.is_empty()).then_some(counts)
    }

    fn is_wanted(&self, found: Value<'_, '_>, wanted: &WantedText) -> bool {
        let Some(text) = found.scalar() else {
            return false;
        };
        let is_typed = self.taken.profile.form != Form::Text && is_boolean(&text);
        let is_other = is_typed && found.text().is_some() != wanted.is_text;
        let are_numbers = matches!(found.content(), Content::Number(_)) && !wanted.is_text;
        !is_other && text == wanted.text || are_numbers && are_equal(&text, &wanted.text)
    }

    /// The number of files in a folder, and with those in folders below it. None if it is not there.
    fn files(&self, folder: &str, glob: &PathGlob) -> Option<[usize; 2]> {
        let root = self.context.root;
        let PathTarget::Below(relative) = PathTarget::of(folder, root) else {
            return None;
        };
        let files = root.files_below(Path::new(&*relative), &[])?;
        let is_match = |path: &&String| {
            let name = path.rsplit('/').next();
            glob.is_match(path) || name.is_some_and(|name| glob.is_match(name))
        };
        let files = files.iter().filter(is_match);
        let in_folder = files.clone().filter(|path| !path.contains('/'));
        Some([in_folder.count(), files.count()])
    }

    fn first(&mut self, place: &Place) -> Option<PlaceValue<'d, 't>> {
        self.find(place)?.into_iter().next()
    }

    /// Whether what is counted may be more or less than the items of a list in a text: a line between them begins
    /// another list, or one of them says that there are more, has items of its own, was struck out, or is the
    /// total of a table.
    fn is_open(&self, found: &[PlaceValue<'d, 't>]) -> bool {
        let message = self.context.input.text;
        let own = |at: Value<'d, 't>| (!at.is_list()).then_some(at);
        let items = found.iter().flat_map(|it| it.at.items().chain(own(it.at)));
        let items: Vec<_> = items.collect();
        let span = |item: Value<'_, '_>| item.source().unwrap_or_default();
        let is_split = |pair: &[Value<'_, '_>]| {
            line_above(message, span(pair[0]).end, span(pair[1]).start).is_some()
        };
        let is_other = |item: &Value<'_, '_>| match item.content() {
            Content::Object if item.is_alike() => {
                let first = item.members().next().and_then(Value::text);
                first.is_none_or(|it| is_blank(it) || it.to_lowercase().starts_with("total"))
            }
            Content::Text(text) => {
                let span = span(*item);
                let source = message.get(span.start..span.end).unwrap_or_default();
                let mut below = source.lines().skip(1);
                text.starts_with("...")
                    || text.starts_with(['…', '+'])
                    || text.starts_with("and ") && text.contains(" more")
                    || source.starts_with("~~")
                    || below.any(|line| in_item(line) != line.trim())
            }
            _ => false,
        };
        items.windows(2).any(is_split) || items.iter().any(is_other)
    }
}

/// Whether two values are equal: as text if they are scalars, and whatever the order of their members is.
fn is_same(form: Form, one: &PlaceValue<'_, '_>, other: &PlaceValue<'_, '_>) -> bool {
    let (Some(left), Some(right)) = (one.scalar(), other.scalar()) else {
        return serde_json::to_value(one).ok() == serde_json::to_value(other).ok();
    };
    match (one.content(), other.content()) {
        (Content::Number(_), Content::Number(_)) => left == right || are_equal(&left, &right),
        (Content::Bool(_), Content::Text(_)) | (Content::Text(_), Content::Bool(_)) => {
            form == Form::Text && left.trim() == right.trim()
        }
        _ => left.trim() == right.trim(),
    }
}

/// Whether two numbers are equal that are written in other ways, such as 1 and 1.0.
fn are_equal(left: &str, right: &str) -> bool {
    let is_whole = |it: &str| it.parse::<i128>().is_ok();
    let number = |it: &str| it.parse::<f64>().ok();
    !(is_whole(left) && is_whole(right)) && number(left).is_some() && number(left) == number(right)
}

fn shown(value: &PlaceValue<'_, '_>) -> String {
    let json = || serde_json::to_string(value).unwrap_or_default();
    let text = value.scalar();
    text.map_or_else(json, |text| text.trim().to_owned())
}
