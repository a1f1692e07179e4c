//! The numbers of tests that a return claims, and whether they agree with each other.

use crate::evidence::assessment::Assessment;

/// Most bytes of a text that is read as numbers of tests.
const TEXT_AT_MOST: usize = 400;

/// Numbers of tests. Those that are not claimed, or more than once, are None.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Tally {
    /// Those of [`LABELS`].
    numbers: [Option<u64>; 4],
    /// Whether the text says more than these, such as that other tests were flaky.
    has_others: bool,
    /// Whether the text says nothing but that the tests passed.
    is_pass: bool,
}

/// The words for all tests, and for those that passed, failed and were skipped.
const LABELS: [&[&str]; 4] = [
    &["total", "tests run"],
    &["passed", "pass", "passing", "tests passed", "tests pass"],
    &["failed", "failing", "failures", "tests failed"],
    &["skipped", "ignored", "tests skipped"],
];
const TOTAL: usize = 0;
const PASSED: usize = 1;

/// Words of which texts are made that say that the tests passed.
const PASS: &str = "pass passed passing passes ok green success";

/// Whether a text says that the tests passed, and no more.
fn is_pass(text: &str) -> bool {
    let words = text.strip_prefix("all ").unwrap_or(text);
    let words = words.strip_prefix("tests ").unwrap_or(words);
    PASS.split(' ').any(|it| it == words)
}

impl Tally {
    /// Reads numbers of tests: `14/14`, `12 passed, 1 failed`, `total: 13, passed: 12`. Nothing else is read.
    pub(crate) fn read(text: &str) -> Self {
        let mut tally = Self::default();
        if text.len() > TEXT_AT_MOST || has_groups(text) {
            return tally;
        }
        let text = text.to_lowercase().replace(['*', '`'], "");
        let is_around = |it: char| !it.is_alphanumeric();
        tally.is_pass = is_pass(text.trim_matches(is_around)) || text.trim() == "✅";
        let mut seen = Vec::new();
        for part in text.split([',', ';', '\n', '(', ')']) {
            let part = part.trim_matches(|it: char| is_around(it) && it != '/');
            let numbers = numbers(part);
            tally.has_others |= !part.is_empty() && numbers.is_empty();
            for (label, number) in numbers {
                tally.numbers[label] = (!seen.contains(&label)).then_some(number);
                seen.push(label);
            }
        }
        tally
    }

    /// Whether passing tests are claimed. The other one tells whether all of them passed.
    pub(crate) fn claims_passed(&self) -> Option<bool> {
        let [total, passed, _, skipped] = self.numbers;
        let counted = passed.map(|passed| passed.saturating_add(skipped.unwrap_or_default()));
        let both = counted.zip(total);
        let is_partly = both.is_some_and(|(counted, total)| counted < total);
        let is_claimed = passed.map_or(self.is_pass, |passed| passed > 0);
        is_claimed.then_some(!self.claims_failed() && !is_partly)
    }

    pub(crate) fn claims_failed(&self) -> bool {
        let [.., failed, _] = self.numbers;
        failed.is_some_and(|failed| failed > 0)
    }

    pub(crate) fn check(&self) -> Option<Assessment> {
        Some(match self.compare()? {
            Ok(()) => Assessment::shown("its numbers agree"),
            Err(why) => Assessment::contradicted(why),
        })
    }

    /// An error says why they do not agree.
    fn compare(&self) -> Option<Result<(), String>> {
        let [total, parts @ ..] = self.numbers;
        let (total, [passed, failed, skipped]) = (total?, parts);
        if let Some(part) = parts.into_iter().flatten().find(|part| *part > total) {
            return Some(Err(format!("{part} of {total}")));
        }
        let sum = parts.into_iter().flatten().fold(0, u64::saturating_add);
        let ran = passed?.saturating_add(failed.unwrap_or_default());
        // Some totals count skipped tests, others do not.
        let is_sum = sum == total || ran == total;
        let are_all = failed.is_some() && skipped.is_some();
        if !self.has_others && (ran > total || are_all && !is_sum) {
            let why = format!("the parts add up to {sum}, the total is {total}");
            return Some(Err(why));
        }
        is_sum.then_some(Ok(()))
    }
}

fn label(word: &str) -> Option<usize> {
    LABELS.iter().position(|words| words.contains(&word))
}

/// The numbers of one part of a text: `12 passed`, `passed: 12`, `12/14`, `12/14 passed`.
fn numbers(part: &str) -> Vec<(usize, u64)> {
    let (first, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
    let rest = rest.trim();
    if let Some((passed, total)) = first.split_once('/')
        && let (Ok(passed), Ok(total)) = (passed.parse(), total.parse())
        && (rest.is_empty() || label(rest) == Some(PASSED))
    {
        return vec![(PASSED, passed), (TOTAL, total)];
    }
    let named = part.split_once(':');
    let named = named.map(|(name, number)| (number.trim(), name.trim()));
    let found = [Some((first, rest)), named].into_iter().flatten();
    let found = found.filter_map(|(number, name)| Some((label(name)?, number.parse().ok()?)));
    found.take(1).collect()
}

/// Whether digits may be written in groups, as in `1,234`: what such a number means is not guessed.
fn has_groups(text: &str) -> bool {
    let is_digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
    text.match_indices(',').any(|(at, _)| {
        is_digit(text[..at].chars().next_back()) && is_digit(text[at + 1..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(text: &str) -> Option<Result<(), String>> {
        Tally::read(text).compare()
    }

    #[test]
    fn numbers_that_agree_are_never_accused() {
        for text in [
            "14/14",
            "14/14 passed",
            "**14/14** tests pass",
            "13 passed, 1 failed, 14 total",
            "total: 14, passed: 12, failed: 1, skipped: 1",
            "total: 13, passed: 12, failed: 1, skipped: 1",
            "14/14 (100%)",
        ] {
            assert_eq!(compared(text), Some(Ok(())), "{text}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_not_read() {
        for text in [
            "1,234/1,234",
            "1 234/1 234",
            "1.234 passed, 2 failed, total 1.236",
            "14 of 12 tests pass",
            "5 test files, 42 passed",
            "12 passed (2 tests added)",
            "Added 2 tests. 12 passed.",
            "24/7 soak test pass",
            "pass at 1920/1080",
            "12/10 planned tests written",
            "2026/11/24",
            "13 passed, 1 failed, 0 skipped, 15 total (1 aborted)",
            "cargo test",
            "",
        ] {
            let found = compared(text);
            assert!(matches!(found, None | Some(Ok(()))), "{text}: {found:?}");
        }
    }

    #[test]
    fn numbers_that_contradict_each_other_are_found() {
        for text in [
            "14/12",
            "14/12 passed",
            "14/12 (unit)",
            "total: 14, passed: 15",
            "15 passed, 14 total",
            "total: 14, passed: 14, failed: 1",
            "total: 15, passed: 12, failed: 1, skipped: 1",
            "total: 14, passed: 12, failed: 0, skipped: 1",
        ] {
            assert!(matches!(compared(text), Some(Err(_))), "{text}");
        }
    }

    #[test]
    fn passing_tests_are_claimed_by_numbers_or_words() {
        let claims = |text| Tally::read(text).claims_passed();
        for text in ["14/14", "14 passed", "pass", "✅ all pass", "12 passed, 2 skipped"] {
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
