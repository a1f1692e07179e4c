//! Checks that several objects of a return share: recommended members, words from a list, and the length
//! of a text.

use std::borrow::Cow;

use crate::check::{Collector, Diagnostic, Suggestion, Value, values};
use crate::json::field::{Field, Node, State};
use crate::json::pointer::Pointer;
use crate::rule::Rule;
use crate::text::suggest::nearest;

type TextField<'t> = Field<Cow<'t, str>>;

/// The state of a member that is not a field of the object's record type.
pub(super) fn state_of_unknown(object: &dyn Node, name: &str) -> State {
    let unknown = object.unknown().iter().rfind(|unknown| unknown.key == name);
    unknown.map_or(State::Missing, |unknown| unknown.state)
}

/// Reports each of the `recommended` members that an object lacks.
pub(super) fn recommended(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    object: &dyn Node,
    recommended: &[&str],
    at: impl Fn() -> Pointer<'static>,
) {
    for member in recommended {
        let state = match object.member(member) {
            Some(member) => member.state(),
            None => state_of_unknown(object, member),
        };
        if matches!(state, State::Missing | State::Null | State::Blank) {
            let at = at();
            let name = at.dotted().into_owned();
            collector.report(rule, at, &values![what = *member, name = &name]);
        }
    }
}

/// Reports a word that is not in `allowed`. An empty list allows every word.
pub(super) fn one_of(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    word: &TextField<'_>,
    allowed: &[Cow<'_, str>],
    at: impl FnOnce() -> Pointer<'static>,
) {
    let Some(found) = word.present().filter(|_| !word.is_unfilled()) else {
        return;
    };
    if allowed.is_empty() || allowed.contains(found) {
        return;
    }
    let values = values![kind = found, types = Value::List(allowed)];
    let similar = nearest(found, allowed.iter().map(AsRef::as_ref));
    let diagnostic = Diagnostic::new(rule, at(), &values);
    collector.add(diagnostic.suggestion(similar.map(Suggestion::DidYouMean)));
}

/// Reports a text with more than `most` characters. None means no limit.
pub(super) fn at_most(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    text: &TextField<'_>,
    most: Option<usize>,
    at: impl FnOnce() -> Pointer<'static>,
) {
    let Some(most) = most else { return };
    let length = text.present().map_or(0, |text| text.chars().count());
    if length > most {
        let values = values![length = Value::Count(length, "character"), most = most];
        collector.report(rule, at(), &values);
    }
}
