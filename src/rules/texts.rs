//! What several objects of a return are held to alike: a word from a list, a text of some length.

use std::borrow::Cow;
use std::fmt::Display;

use crate::checker::context::{At, Case, Found};
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::rule::Rule;
use crate::text::escape;
use crate::text::suggest::nearest;

type TextField<'t> = Field<Cow<'t, str>>;

/// Reports a word that is not one of `words`; an empty list allows any.
pub(super) fn one_of(
    case: &mut Case<'_, '_>,
    rule: &'static Rule,
    (word, words): (&TextField<'_>, &[Cow<'_, str>]),
    at: impl FnOnce() -> Pointer,
) {
    let Some(found) = word.present().filter(|_| !word.is_unfilled()) else {
        return;
    };
    if words.is_empty() || words.contains(found) {
        return;
    }
    let advice = nearest(found, words.iter().map(AsRef::as_ref))
        .map(|meant| format!("did it mean {}?", escape::truncated(meant)));
    let named: &[(&str, &dyn Display)] = &[
        ("kind", &escape::truncated(found)),
        ("types", &escape::list(words)),
    ];
    case.find(Found {
        advice,
        ..Found::new(rule, At::Value(at()), named)
    });
}

/// Reports a text of more characters than `most`, if there is such a limit.
pub(super) fn at_most(
    case: &mut Case<'_, '_>,
    rule: &'static Rule,
    (text, most): (&TextField<'_>, Option<usize>),
    at: impl FnOnce() -> Pointer,
) {
    let Some(most) = most else { return };
    let length = text.present().map_or(0, |text| text.chars().count());
    if length > most {
        case.find(Found::new(
            rule,
            At::Value(at()),
            &[("length", &length), ("most", &most)],
        ));
    }
}
