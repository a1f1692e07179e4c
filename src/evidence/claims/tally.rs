//! The numbers of tests that a return claims, and whether they agree with each other.

use crate::clients::run::{CountLabel, clauses, counted, label_of};
use crate::evidence::value::Assessment;
use crate::profile::standard::outcome::ClaimedOutcome;

/// Most bytes of a text that is read as numbers of tests.
const TEXT_AT_MOST: usize = 400;

/// Numbers of tests. Those that are not claimed, or more than once, are None.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Tally {
    total: Option<u64>,
    passed: Option<u64>,
    failed: Option<u64>,
    skipped: Option<u64>,
    /// Whether the text says more than these, such as that other tests were flaky.
    has_others: bool,
    /// The share of passed tests, in percent, and how far it may be rounded.
    percent: Option<(f64, f64)>,
    /// What words say where there are no numbers.
    outcome: Option<ClaimedOutcome>,
}

impl Tally {
    /// Reads numbers of tests: `14/14`, `12 passed, 1 failed`, `total: 13, passed: 12`.
    pub(crate) fn read(text: &str) -> Self {
        let text = shortened(text)
            .to_ascii_lowercase()
            .replace(" out of ", "/")
            .replace(" of ", "/")
            .replace(" %", "%");
        let mut tally = Self::default();
        if has_groups(&text) {
            return tally;
        }
        let mut seen = Vec::new();
        for count in counted(&text) {
            let member = match count.label {
                CountLabel::Ran if count.is_total => &mut tally.total,
                CountLabel::Ran => continue,
                CountLabel::Passed => &mut tally.passed,
                CountLabel::Failed => &mut tally.failed,
                CountLabel::Skipped => &mut tally.skipped,
                CountLabel::Error => {
                    tally.has_others |= count.number > 0;
                    continue;
                }
            };
            *member = (!seen.contains(&count.label)).then_some(count.number);
            seen.push(count.label);
            if let Some(total) = count.of {
                tally.total = (!seen.contains(&CountLabel::Ran)).then_some(total);
                seen.push(CountLabel::Ran);
            }
        }
        if seen.is_empty()
            && let Some((passed, total)) = fraction(&text)
        {
            (tally.passed, tally.total) = (Some(passed), Some(total));
        }
        let is_around = |it: char| !it.is_alphanumeric() && !"./%".contains(it);
        tally.has_others |= !text
            .split(is_around)
            .all(|it| is_of_tests(it.trim_matches('.')));
        tally.percent = percent(&text);
        tally.outcome = ClaimedOutcome::read(&text);
        tally
    }

    /// Whether passing tests are claimed. The other one tells whether all of them passed.
    pub(crate) fn claims_passed(&self) -> Option<bool> {
        let all_passed = self.failed.is_none_or(|failed| failed == 0) && !self.is_partly_passed();
        match self.passed {
            Some(passed) => (passed > 0).then_some(all_passed),
            None => (self.outcome == Some(ClaimedOutcome::Passed)).then_some(all_passed),
        }
    }

    pub(crate) fn claims_failed(&self) -> bool {
        self.failed.is_some_and(|failed| failed > 0)
    }

    fn is_partly_passed(&self) -> bool {
        let both = self.passed.zip(self.total);
        let skipped = self.skipped.unwrap_or_default();
        both.is_some_and(|(passed, total)| passed.saturating_add(skipped) < total)
    }

    /// Whether the numbers agree. None if there are not enough to tell.
    pub(crate) fn check(&self) -> Option<Assessment> {
        Some(match self.compare()? {
            Ok(()) => Assessment::shown("its numbers agree"),
            Err(why) => Assessment::contradicted(why),
        })
    }

    /// An error says why they do not agree.
    fn compare(&self) -> Option<Result<(), String>> {
        let total = self.total?;
        let parts = [self.passed, self.failed, self.skipped];
        if let Some(part) = parts.into_iter().flatten().find(|part| *part > total) {
            return Some(Err(format!("{part} of {total}")));
        }
        let known = parts.into_iter().flatten();
        let sum = known.fold(0, u64::saturating_add);
        let ran = self.passed?.saturating_add(self.failed.unwrap_or_default());
        // Some totals count skipped tests, others do not.
        let is_sum = sum == total || ran == total;
        let are_all = self.failed.is_some() && self.skipped.is_some();
        if !self.has_others && (ran > total || are_all && !is_sum) {
            let why = format!("the parts add up to {sum}, the total is {total}");
            return Some(Err(why));
        }
        let passed = self.passed?;
        if let Some((percent, rounding)) = self.percent {
            let without_skipped = total.saturating_sub(self.skipped.unwrap_or_default());
            let ran = self.failed.map_or(total, |_| ran);
            let shares = [total, ran, without_skipped];
            let is_near = |of: u64| {
                #[allow(clippy::cast_precision_loss, reason = "no one has 2^52 tests")]
                let share = 100.0 * passed as f64 / of as f64;
                (share - percent).abs() <= rounding
            };
            return Some(match total {
                0 => Ok(()),
                _ if shares.into_iter().any(is_near) => Ok(()),
                _ => Err(format!("{passed} of {total} are another percentage")),
            });
        }
        is_sum.then_some(Ok(()))
    }
}

/// The beginning of a text that is too long, up to a space.
fn shortened(text: &str) -> &str {
    let start = &text[..text.floor_char_boundary(TEXT_AT_MOST)];
    match start.rsplit_once(char::is_whitespace) {
        Some((whole, _)) if start.len() < text.len() => whole,
        _ => start,
    }
}

/// Whether a word is a number, or says no more of one than that it counts tests.
fn is_of_tests(word: &str) -> bool {
    let is_number = word.starts_with(|it: char| it.is_ascii_digit());
    is_number || label_of(word).is_some() || ["", "/", "all", "in", "rate"].contains(&word)
}

/// Whether digits may be written in groups, as in `1 234`, or behind a comma, as in `92,3`: what such a
/// number means is not guessed.
fn has_groups(text: &str) -> bool {
    let is_digit = |it: &char| it.is_ascii_digit();
    let mut commas = text.match_indices(',');
    if commas.any(|(at, _)| {
        let (before, after) = (
            text[..at].chars().next_back(),
            text[at + 1..].chars().next(),
        );
        before.is_some_and(|it| is_digit(&it)) && after.is_some_and(|it| is_digit(&it))
    }) {
        return true;
    }
    let mut parts = text.split(['.', '\'', ' ', '\u{a0}', '\u{202f}']);
    let mut before = parts.next().unwrap_or_default();
    parts.any(|part| {
        let ends_in_digit = before.ends_with(|it| is_digit(&it));
        before = part;
        let digits = part.chars().take_while(is_digit).count();
        let follows = part.chars().nth(3);
        ends_in_digit && digits == 3 && !follows.is_some_and(|it| it.is_alphabetic() || it == '%')
    })
}

/// The only number with a slash, if nothing but a label says what it is of: `14/14`, `unit: 14/14 pass`.
fn fraction(text: &str) -> Option<(u64, u64)> {
    let text = text.replace(": ", "; ").replace(['*', '`'], " ");
    let fractions = clauses(&text).filter_map(|words| {
        let (part, total) = words.iter().find_map(|word| word.split_once('/'))?;
        let (part, total) = (part.parse().ok()?, total.parse().ok()?);
        Some((part, total, words.into_iter().all(is_of_tests)))
    });
    match fractions.collect::<Vec<_>>()[..] {
        [(part, total, true)] => Some((part, total)),
        _ => None,
    }
}

/// The share in percent that a text claims of passed tests, and of nothing else, such as lines.
fn percent(text: &str) -> Option<(f64, f64)> {
    let is_share = |words: &Vec<&str>| {
        let is_known = |word: &&str| {
            let is_other = matches!(
                label_of(word),
                Some(CountLabel::Failed | CountLabel::Error | CountLabel::Skipped)
            );
            is_of_tests(word) && !is_other
        };
        words.iter().any(|word| word.ends_with('%')) && words.iter().all(is_known)
    };
    let mut shares = clauses(text).filter(is_share);
    let words = shares.next().filter(|_| shares.next().is_none())?;
    let number = words.iter().find_map(|word| word.strip_suffix('%'))?;
    let decimals = number
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let rounding = 10_f64.powi(-i32::try_from(decimals).ok()?);
    Some((number.parse().ok()?, rounding))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(text: &str) -> Option<Result<(), String>> {
        Tally::read(text).compare()
    }

    #[test]
    fn digits_in_groups_are_no_numbers() {
        for text in [
            "1,234/1,234",
            "1 234/1 234",
            "1.234 passed, 2 failed, total 1.236",
            "1\u{a0}234 of 1\u{a0}234 pass",
        ] {
            assert_eq!(Tally::read(text), Tally::default(), "{text}");
        }
        for text in ["12/14, 100%", "12/14 in 3.125s", "12/14 (2 s)"] {
            assert_eq!(Tally::read(text).total, Some(14), "{text}");
        }
    }

    #[test]
    fn numbers_that_agree_are_never_accused() {
        for text in [
            "14/14",
            "14/14 passed",
            "14 of 14 tests pass",
            "13 passed, 1 failed, 14 total",
            "total: 14, passed: 12, failed: 1, skipped: 1",
            "total: 13, passed: 12, failed: 1, skipped: 1",
            "12/13 (92%)",
            "12/13 (92.3 %)",
            "14/14, coverage 92%",
            "14/14 (100%)",
        ] {
            assert_eq!(compared(text), Some(Ok(())), "{text}");
        }
        for text in [
            "12 passed, 1 failed",
            "12/14",
            "total: 14, passed: 12, failed: 1",
            "total: 14, passed: 12, failed: 0, skipped: 1, xfailed: 1",
            "5 tests in a, 3 tests in b, 8 passed",
            "all pass",
            "2026/11/24",
            "5 test files, 42 passed",
            "3 tests added; 42 passed",
            "12 passed (2 tests added)",
            "Added 2 tests. 12 passed.",
            "12 passed in 2 runs",
            "12 passed, 1 test updated",
            "14/14 (cov 87%)",
            "14/14, statements: 87%",
            "14 passed, 14 total, flakiness 2%",
            "92% passed, 14 total",
            "12/13 (92,3%)",
            "24/7 soak test pass",
            "pass at 1920/1080",
            "ran on 25/11",
            "12/10 planned tests written",
            "13 passed, 1 failed, 0 skipped, 15 total (1 aborted)",
            "13 passed, 1 failed, 0 skipped, 15 total, 1 expected failure",
            "14 passed, 2 failed at first, 14 total",
            "cargo test",
            "",
        ] {
            let found = compared(text);
            assert!(matches!(found, None | Some(Ok(()))), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_between_numbers() {
        for before in TEXT_AT_MOST - 40..=TEXT_AT_MOST {
            for numbers in [
                "14/14",
                "passed: 130, failed: 10, total: 140",
                "130 of 140 (92.86%)",
            ] {
                let text = format!("{}: {numbers}", "x".repeat(before));
                let found = compared(&text);
                assert!(matches!(found, None | Some(Ok(()))), "{text}: {found:?}");
            }
        }
    }

    #[test]
    fn numbers_that_contradict_each_other_are_found() {
        for text in [
            "14/12",
            "14/12 passed",
            "15 of 14 tests pass",
            "unit: 14/12",
            "total: 14, passed: 15",
            "tests run: 14, passed: 15",
            "15 passed, 14 tests total",
            "total: 14, passed: 14, failed: 1",
            "total: 15, passed: 12, failed: 1, skipped: 1",
            "total: 14, passed: 12, failed: 0, skipped: 1",
            "12/13 (80%)",
            "13/14 (100%)",
        ] {
            let found = compared(text);
            assert!(!matches!(found, None | Some(Ok(()))), "{text}: {found:?}");
        }
    }

    #[test]
    fn passing_tests_are_claimed_by_numbers_or_words() {
        let claims = |text| Tally::read(text).claims_passed();
        for text in [
            "14/14",
            "14 passed",
            "pass",
            "✅ all pass",
            "12 passed, 2 skipped",
        ] {
            assert_eq!(claims(text), Some(true), "{text}");
        }
        for text in ["12/14", "13 passed, 1 failed"] {
            assert_eq!(claims(text), Some(false), "{text}");
        }
        for text in ["not run", "0/14", "failed", "none"] {
            assert_eq!(claims(text), None, "{text}");
        }
    }
}
