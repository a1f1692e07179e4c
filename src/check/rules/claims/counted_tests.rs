//! Step 6: the numbers of tests that a return claims agree with each other.

use std::fmt::Write as _;

use crate::check::Collector;
use crate::check::returned::PassedTests;
use crate::check::rules::work::AssessedClaim;
use crate::document::pointer::{Pointer, Segment};
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

/// Tests that a return claims, as one text.
struct ClaimedNumbers {
    pointer: Pointer<'static>,
    text: String,
}

/// Compares the numbers with each other.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    claims: &[ClaimedTexts<'_, '_>],
) {
    for claim in numbers(claims) {
        if let Some(assessed) = Tally::read(&claim.text).check() {
            AssessedClaim::new(&INCONSISTENT, &claim.pointer)
                .found(&claim.text)
                .collect(collector, &assessed);
        }
    }
}

/// The tests that are claimed to have passed. None if there are none.
pub(in crate::check::rules) fn passed(claims: &[ClaimedTexts<'_, '_>]) -> Option<PassedTests> {
    let numbers = numbers(claims);
    let tallies = numbers
        .iter()
        .map(|claim| (claim, Tally::read(&claim.text)));
    let has_failed = tallies.clone().any(|(_, tally)| tally.claims_failed());
    let mut passed = tallies.filter_map(|(claim, tally)| Some((claim, tally.claims_passed()?)));
    let (first, all_passed) = passed.next()?;
    Some(PassedTests {
        pointer: first.pointer.clone(),
        all_passed: all_passed && !has_failed && passed.all(|(_, all_passed)| all_passed),
    })
}

/// The texts of all claims. Numbers that are members of one object, or items of one list, are one text.
fn numbers(claims: &[ClaimedTexts<'_, '_>]) -> Vec<ClaimedNumbers> {
    let mut all: Vec<ClaimedNumbers> = Vec::new();
    let mut object: Option<Pointer<'static>> = None;
    for piece in claims
        .iter()
        .filter_map(|claim| claim.get(RoleMember::Whole))
    {
        let Some((parent, name, number)) = member(piece) else {
            object = None;
            all.push(ClaimedNumbers {
                pointer: piece.at.pointer(),
                text: piece.text.clone().into_owned(),
            });
            continue;
        };
        match all.last_mut().filter(|_| object.as_ref() == Some(&parent)) {
            Some(last) => {
                let _ = write!(last.text, ", {name}: {number}");
            }
            None => all.push(ClaimedNumbers {
                pointer: parent.clone(),
                text: format!("{name}: {number}"),
            }),
        }
        object = Some(parent);
    }
    all
}

/// The object or list, the name and the number of a member that is one.
fn member<'p>(piece: &'p Piece<'_, '_>) -> Option<(Pointer<'static>, String, &'p str)> {
    let pointer = piece.at.pointer();
    let (last, above) = pointer.steps().split_last()?;
    let (name, number) = match (last, piece.text.split_once(':')) {
        (Segment::Key(name), Some((_, number))) => (&**name, number),
        (Segment::Key(name), None) => (&**name, &*piece.text),
        (Segment::Index(_), named) => named?,
    };
    let number = number.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let parent = above.iter().cloned().fold(Pointer::root(), Pointer::step);
    is_number.then(|| (parent, name.to_owned(), number))
}
