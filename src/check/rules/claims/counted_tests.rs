//! Step 6: the numbers of tests that a return claims agree with each other.

use std::fmt::Write as _;

use crate::check::Collector;
use crate::check::returned::PassedTests;
use crate::document::tree::Value;
use crate::evidence::claims::tally::Tally;
use crate::profile::RoleMember;
use crate::profile::role::{ClaimedTexts, Piece};
use crate::rule::{Claimed, Rule, Step, ToAgent};

pub(crate) static INCONSISTENT: Rule = Rule {
    id: "tests-inconsistent",
    claim: Some((Claimed::Within, "the numbers of tests agree")),
    message: "Numbers of tests contradict each other: {found} ({why})",
    message_to_agent: ToAgent::Yours,
    advice_to_agent: "Return the numbers that the test runner prints",
    ..Rule::of_own_profile(Step::Artifacts)
};

/// Whether a return has numbers of tests, or says that they passed.
pub(in crate::check::rules) fn are_named(claims: &[ClaimedTexts<'_, '_>]) -> bool {
    let mut numbers = numbers(claims).into_iter();
    numbers.any(|(_, text)| {
        let has_number = text.contains(|it: char| it.is_ascii_digit());
        has_number || Tally::read(&text).claims_passed().is_some()
    })
}

/// Compares the numbers with each other.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    claims: &[ClaimedTexts<'_, '_>],
) {
    for (at, text) in numbers(claims) {
        if let Some(assessed) = Tally::read(&text).check() {
            collector.assess(&INCONSISTENT, at.into(), (None, &*text), &assessed);
        }
    }
}

/// The tests that are claimed to have passed. None if there are none.
pub(in crate::check::rules) fn passed<'v, 't>(
    claims: &[ClaimedTexts<'v, 't>],
) -> Option<PassedTests<'v, 't>> {
    let numbers = numbers(claims);
    let tallies = numbers.iter().map(|(at, text)| (*at, Tally::read(text)));
    let has_failed = tallies.clone().any(|(_, tally)| tally.claims_failed());
    let mut passed = tallies.filter_map(|(at, tally)| Some((at, tally.claims_passed()?)));
    let (at, all_passed) = passed.next()?;
    Some(PassedTests {
        at,
        all_passed: all_passed && !has_failed && passed.all(|(_, all_passed)| all_passed),
    })
}

/// The texts of all claims, and where each stands. Numbers that are members of one object, or items of one
/// list, are one text.
fn numbers<'v, 't>(claims: &[ClaimedTexts<'v, 't>]) -> Vec<(Value<'v, 't>, String)> {
    let mut all: Vec<(Value<'v, 't>, String)> = Vec::new();
    let mut object = None;
    let pieces = claims.iter();
    for piece in pieces.filter_map(|claim| claim.get(RoleMember::Whole)) {
        let counted = counted(piece);
        match (&counted, all.last_mut()) {
            (Some((parent, named)), Some((_, last))) if object == Some(*parent) => {
                let _ = write!(last, ", {named}");
            }
            (Some((parent, named)), _) => all.push((*parent, named.clone())),
            (None, _) => all.push((piece.at, piece.text.clone().into_owned())),
        }
        object = counted.map(|(parent, _)| parent);
    }
    all
}

/// The object or list of a member that is a number, and the name and the number.
fn counted<'v, 't>(piece: &Piece<'v, 't>) -> Option<(Value<'v, 't>, String)> {
    let parent = piece.at.parent()?;
    let (name, number) = match piece.text.split_once(':') {
        Some((_, number)) if parent.is_object() => (piece.at.key(), number),
        Some(named) => named,
        None => (
            Some(piece.at.key()).filter(|_| parent.is_object())?,
            &*piece.text,
        ),
    };
    let number = number.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (parent, format!("{name}: {number}")))
}
