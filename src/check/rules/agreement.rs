//! Step 2: the values of a document are those that the profile allows, and agree with each other where it compares
//! them.

use std::borrow::Cow;
use std::path::Path;

use crate::check::rules::claimed_paths::PathTarget;
use crate::check::rules::places::Places;
use crate::check::{Diagnostic, DiagnosticNote, Placeholder, Suggestion, values};
use crate::document::tree::{Content, Value};
use crate::document::{Form, in_item};
use crate::evidence::EvidenceValue;
use crate::evidence::claims::compared;
use crate::profile::place::{PlaceValue, is_nothing};
use crate::profile::role::line_above;
use crate::profile::words::{Said, exact, spoken};
use crate::profile::{AllowedWords, CountRule, CountedThings, PathGlob, Place, PlacePath};
use crate::rule::{Claimed, Rule, Step, ToAgent};
use crate::text::is_blank;
use crate::text::suggest::nearest;

pub(crate) static UNKNOWN: Rule = Rule {
    id: "value-unknown",
    message: "Unknown value of {name}: {found}",
    advice_to_agent: "Use one of {types}",
    ..Rule::of_own_profile(Step::Fields)
};

impl Places<'_, '_, '_, '_> {
    pub(super) fn values(&mut self) {
        let claims = &self.taken.profile.claims;
        let word = self.context.status.map(|status| &*status.word);
        let with_word =
            |words: &[String]| word.is_some_and(|word| words.iter().any(|it| it == word));
        let conditional = claims
            .values_if
            .iter()
            .filter(|(words, _)| with_word(words));
        let all = claims
            .values
            .iter()
            .chain(conditional.flat_map(|(_, values)| values));
        all.for_each(|allowed| self.allowed(allowed));
        claims.same.iter().for_each(|places| self.same(places));
        claims
            .sums
            .iter()
            .for_each(|(total, parts)| self.sum(total, parts));
        claims.counts.iter().for_each(|count| self.count(count));
    }

    fn allowed(&mut self, allowed: &AllowedWords) {
        let words: Vec<&str> = allowed.words.iter().map(String::as_str).collect();
        for found in self.find(&allowed.place).unwrap_or_default() {
            // Its own text, or those of its items.
            let items = found.at.items().map(PlaceValue::whole);
            for value in items.chain([found.clone()]) {
                if let Some(text) = value.scalar() {
                    self.word(allowed, &words, value.at, &text);
                }
            }
        }
    }

    fn word(&mut self, allowed: &AllowedWords, words: &[&str], at: Value<'_, '_>, text: &str) {
        let said = match self.taken.profile.form {
            Form::Text => spoken(text, words),
            Form::Json | Form::Yaml => exact(text, words),
        };
        if matches!(said, Said::Word(_)) {
            return;
        }
        let types: Vec<_> = words.iter().map(|word| Cow::Borrowed(*word)).collect();
        let name = allowed.place.as_str();
        let values = values![name = name, found = text, types = Placeholder::List(&types)];
        self.seen.insert((UNKNOWN.id, at.pointer().to_string()));
        let diagnostic = Diagnostic::new(&UNKNOWN, at, &values);
        let similar = nearest(text, words.iter().copied());
        self.collector
            .add(diagnostic.suggestion(similar.map(Suggestion::DidYouMean)));
    }
}

pub(crate) static DIFFERENT: Rule = Rule {
    id: "value-different",
    claim: Some((Claimed::Within, "the places have the same value")),
    message: "{name} differs from {what}",
    advice_to_agent: "Write the same value in both places",
    ..Rule::of_own_profile(Step::Fields)
};

pub(crate) static SUM: Rule = Rule {
    id: "sum-wrong",
    claim: Some((Claimed::Within, "the total is the sum of its parts")),
    message: "Sum is wrong: {name} is {found}, but the parts add up to {expected}",
    help: "Fix {agent} subagent to add up its own numbers",
    message_to_agent: ToAgent::Yours,
    advice_to_agent: "Add up your numbers again",
    ..Rule::of_own_profile(Step::Fields)
};

pub(crate) static COUNT: Rule = Rule {
    id: "count-wrong",
    claim: Some((Claimed::Within, "the number is that of what it counts")),
    message: "Count is wrong: {name} is {found}, there are {expected}",
    help: "Fix {agent} subagent to count what it lists",
    message_to_agent: ToAgent::Yours,
    advice_to_agent: "Count what you list again",
    ..Rule::of_own_profile(Step::Fields)
};

impl<'d, 't> Places<'_, 'd, '_, 't> {
    pub(super) fn same(&mut self, places: &[Place]) {
        let mut all = Vec::new();
        for place in places {
            let found = self.find(place).unwrap_or_default();
            let found = found.into_iter().map(|found| (place, found));
            all.extend(found.filter(|(_, it)| !it.is_null()));
        }
        let Some(((known, one), others)) = all.split_first() else {
            return;
        };
        if others.is_empty() {
            let assessment = compared::same(None);
            self.collector
                .claim(&DIFFERENT, &one.at.pointer(), None, &assessment);
        }
        for (place, found) in others {
            let is_same = is_same(one, found);
            let assessment = compared::same(Some(is_same));
            self.collector
                .claim(&DIFFERENT, &found.at.pointer(), None, &assessment);
            if !is_same {
                let [expected, got] = [one, found].map(shown);
                let notes = DiagnosticNote::compared(&expected, &got);
                let values = values![name = place.as_str(), what = known.as_str()];
                let diagnostic = Diagnostic::new(&DIFFERENT, found.at, &values);
                self.collector.add(diagnostic.notes(&notes));
            }
        }
    }

    pub(super) fn sum(&mut self, total: &Place, parts: &[Place]) {
        let Some(found) = self.number(total) else {
            return;
        };
        let (at, number) = (found.at, found.quantity());
        let sum = number.and_then(|total| self.add_up(parts, total.unit));
        let number = number.map(|it| it.number);
        let assessment = compared::sum(number, sum);
        self.collector.claim(&SUM, &at.pointer(), None, &assessment);
        if let (Some(number), Some(sum)) = (number, sum)
            && assessment.value == EvidenceValue::Contradicted
        {
            let values = values![
                name = total.as_str(),
                found = Placeholder::Amount(number),
                expected = Placeholder::Amount(sum),
            ];
            self.collector.report(&SUM, at, &values);
        }
    }

    /// The sum of the numbers at places. None if a place has none, a value that is no number, or one of
    /// something else.
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

    pub(super) fn count(&mut self, count: &CountRule) {
        let Some(found) = self.number(&count.number) else {
            return;
        };
        let (at, number) = (found.at, found.quantity());
        let counted = match &count.counted {
            CountedThings::Items { place, members } => self.items(place, members),
            CountedThings::Files { folder, glob } => {
                let found = self.find(folder).unwrap_or_default();
                let folder = found.first().and_then(PlaceValue::scalar);
                folder.and_then(|folder| self.files(&folder, glob))
            }
        };
        let number = number.map(|it| it.number);
        let mut assessment = compared::count(number, counted);
        if assessment.value == EvidenceValue::Contradicted && self.is_open(&count.counted) {
            assessment = compared::open();
        }
        self.collector
            .claim(&COUNT, &at.pointer(), None, &assessment);
        if let (Some(number), Some([_, counted])) = (number, counted)
            && assessment.value == EvidenceValue::Contradicted
        {
            let values = values![
                name = count.number.as_str(),
                found = Placeholder::Amount(number),
                expected = counted,
            ];
            self.collector.report(&COUNT, at, &values);
        }
    }

    /// The number of items at a place, twice: where all of them say that there is nothing, none may be
    /// meant. None if the place is not there, or has a text or a number, which may stand for any number of
    /// things.
    fn items(&mut self, place: &Place, members: &[(PlacePath, String)]) -> Option<[usize; 2]> {
        let found = self.find(place)?;
        let none = &self.taken.profile.none;
        let has_members = |value: Value<'_, '_>| {
            members.iter().all(|(member, wanted)| {
                let found = member.find(value).unwrap_or_default();
                let mut texts = found.iter().filter_map(|it| it.scalar());
                texts.any(|text| text == *wanted)
            })
        };
        let is_each = place.is_of_each();
        let mut items = Vec::new();
        for it in &found {
            match it.content() {
                Content::List => items.extend(it.at.items()),
                _ if is_each => items.push(it.at),
                Content::Object => items.extend(it.at.members()),
                _ if it.is_nothing(none) => {}
                _ => return None,
            }
        }
        let count = items.iter().filter(|it| has_members(**it)).count();
        if !items.is_empty() && items.iter().all(|it| is_nothing(*it, none)) {
            return Some([count, 0]);
        }
        // One item of a text is one thing, or says that there is none.
        let is_text = self.taken.profile.form == Form::Text;
        let is_open = is_text && matches!(items[..], [only] if only.text().is_some());
        let fewest = if is_open { 0 } else { count };
        (!found.is_empty()).then_some([fewest, count])
    }

    /// Whether what is counted may be more or less than the items of a list in a text.
    fn is_open(&mut self, counted: &CountedThings) -> bool {
        let CountedThings::Items { place, .. } = counted else {
            return false;
        };
        let found = self.find(place).unwrap_or_default();
        let items = found.into_iter().flat_map(|PlaceValue { at: it, .. }| {
            let own = (!it.is_list()).then_some(it);
            it.items().chain(own)
        });
        is_open(&items.collect::<Vec<_>>(), self.context.input.text)
    }

    /// The number of files in a folder below the root, and with those in folders below it: either may be
    /// meant. None if there is no such folder.
    fn files(&self, folder: &str, glob: &PathGlob) -> Option<[usize; 2]> {
        let root = self.context.root;
        let PathTarget::Below(relative) = PathTarget::of(folder, root) else {
            return None;
        };
        let files = root.files_below(Path::new(&*relative))?;
        let name = |path: &str| {
            path.rsplit('/')
                .next()
                .is_some_and(|name| glob.is_match(name))
        };
        let files = files
            .iter()
            .filter(|path| glob.is_match(path) || name(path));
        let in_folder = files.clone().filter(|path| !path.contains('/'));
        Some([in_folder.count(), files.count()])
    }

    /// The value that should be a number.
    fn number(&mut self, place: &Place) -> Option<PlaceValue<'d, 't>> {
        self.find(place)?.into_iter().next()
    }
}

/// Whether the items of a text may not be what is counted: a line between them begins another list, or one
/// of them says that there are more, has items of its own, was struck out, or is the total of a table.
fn is_open(items: &[Value<'_, '_>], message: &str) -> bool {
    let span = |item: Value<'_, '_>| item.source().unwrap_or_default();
    let is_split = |pair: &[Value<'_, '_>]| {
        line_above(message, span(pair[0]).end, span(pair[1]).start).is_some()
    };
    let is_other = |item: Value<'_, '_>| match item.content() {
        Content::Object if item.is_alike() => {
            let first = item.members().next().and_then(Value::text);
            first.is_none_or(|it| is_blank(it) || it.to_lowercase().starts_with("total"))
        }
        Content::Text(text) => {
            let span = span(item);
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
    items.windows(2).any(is_split) || items.iter().any(|item| is_other(*item))
}

/// Whether two values are equal: as text if they are scalars, and whatever the order of their members is.
fn is_same(one: &PlaceValue<'_, '_>, other: &PlaceValue<'_, '_>) -> bool {
    match (one.scalar(), other.scalar()) {
        (Some(one), Some(other)) => one.trim() == other.trim(),
        _ => serde_json::to_value(one).ok() == serde_json::to_value(other).ok(),
    }
}

fn shown(value: &PlaceValue<'_, '_>) -> String {
    value.scalar().map_or_else(
        || serde_json::to_string(value).unwrap_or_default(),
        |text| text.trim().to_owned(),
    )
}
