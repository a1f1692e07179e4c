//! Step 2: the values of a document are those that the standard allows.

use std::borrow::Cow;

use crate::check::rules::own::fields::Fields;
use crate::check::{Diagnostic, Suggestion, Value, values};
use crate::form::Form;
use crate::form::lookup::FoundValue;
use crate::json::pointer::Pointer;
use crate::profile::standard::AllowedWords;
use crate::profile::standard::place::scalar;
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
            for (pointer, text) in texts(&found) {
                let said = match self.own.standard.form {
                    Form::Text => spoken(&text, &words),
                    Form::Json | Form::Yaml => exact(&text, &words),
                };
                if matches!(said, Said::Word(_)) {
                    continue;
                }
                let types: Vec<_> = words.iter().map(|word| Cow::Borrowed(*word)).collect();
                let name = allowed.place.as_str();
                let values = values![name = name, found = &text, types = Value::List(&types)];
                self.seen.insert((UNKNOWN.id, pointer.to_string()));
                let diagnostic = Diagnostic::new(&UNKNOWN, pointer, &values);
                let similar = nearest(&text, words.iter().copied());
                self.collector
                    .add(diagnostic.suggestion(similar.map(Suggestion::DidYouMean)));
            }
        }
    }
}

/// The texts of a value: its own, or those of its items.
fn texts<'v, 't>(found: &FoundValue<'v, 't>) -> Vec<(Pointer<'v>, Cow<'t, str>)> {
    let items = found.value.list().unwrap_or_default().iter().enumerate();
    let items =
        items.filter_map(|(index, item)| Some((found.pointer.clone().index(index), scalar(item)?)));
    let own = scalar(found.value).map(|text| (found.pointer.clone(), text));
    own.into_iter().chain(items).collect()
}
