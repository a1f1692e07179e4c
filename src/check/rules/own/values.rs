//! Step 2: the values of a document are those that the standard allows.

use std::borrow::Cow;

use crate::check::rules::own::fields::Fields;
use crate::check::{Diagnostic, Placeholder, Suggestion, values};
use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::standard::AllowedWords;
use crate::profile::standard::place::PlaceValue;
use crate::profile::standard::words::{Said, exact, spoken};
use crate::rule::{Rule, Step};
use crate::text::suggest::nearest;

pub(crate) static UNKNOWN: Rule = Rule {
    id: "value-unknown",
    message: "Unknown value of {name}: {found}",
    advice_to_agent: "Use one of {types}",
    ..Rule::of_standard(Step::Fields)
};

impl Fields<'_, '_, '_, '_> {
    pub(super) fn values(&mut self) {
        let claims = &self.own.standard.claims;
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
        let said = match self.own.standard.form {
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
