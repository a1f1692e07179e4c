//! How something ended, by the words of a return.

/// How a return says that a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimedOutcome {
    Passed,
    Failed,
    /// With this exit status.
    Status(i64),
}

const PASSED: [&str; 12] = [
    "pass",
    "passed",
    "passes",
    "passing",
    "ok",
    "success",
    "succeeded",
    "successful",
    "green",
    "✅",
    "✔",
    "✓",
];

const FAILED: [&str; 8] = [
    "fail", "failed", "fails", "failing", "failure", "error", "❌", "✗",
];

/// Words that may turn an outcome into another one.
const LIMITS: [&str; 11] = [
    "not", "no", "but", "except", "apart", "aside", "without", "only", "before", "then", "fixed",
];

impl ClaimedOutcome {
    /// The outcome that a text begins with. None if it says none of the known words, or both kinds, or if a
    /// sentence goes on: `passes except for one`, `failing test added`. A number that is neither an exit
    /// status nor one of tests or a time may be of what failed: `ok (3 known problems)`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_around = |it: char| {
            !it.is_alphanumeric()
                && !matches!(it, '-' | '✅' | '✔' | '✓' | '❌' | '✗' | '.' | '/' | '%')
        };
        let text = text.to_lowercase();
        let words: Vec<&str> = text
            .split(is_around)
            .map(|word| word.trim_matches('.'))
            .filter(|word| !word.is_empty())
            .collect();
        let is_exit = |word: &&str| matches!(*word, "exit" | "code" | "status");
        let is_label =
            |word: &&&str| is_exit(word) || matches!(**word, "all" | "test" | "tests" | "yes");
        let first = *words.iter().find(|word| !is_label(word))?;
        let says = |known: &[&str]| words.iter().any(|word| known.contains(word));
        if let Ok(status) = first.parse() {
            let is_alone = words.iter().all(|word| is_exit(word) || *word == first);
            return (is_alone && words.len() > 1).then_some(Self::Status(status));
        }
        let behind = text.split_once(first).map_or("", |(_, behind)| behind);
        let goes_on = behind.trim_start().starts_with(char::is_alphabetic);
        let has_other_number = words.iter().enumerate().any(|(at, word)| {
            let of_tests = [
                "test", "tests", "s", "ms", "sec", "seconds", "min", "minutes",
            ];
            let unit = word.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.');
            let unit = if unit.is_empty() {
                words.get(at + 1).copied()
            } else {
                Some(unit)
            };
            word.starts_with(|it: char| it.is_ascii_digit())
                && !unit.is_some_and(|unit| of_tests.contains(&unit))
        });
        if goes_on && first.starts_with(char::is_alphabetic) || has_other_number || says(&LIMITS) {
            return None;
        }
        match (PASSED.contains(&first), FAILED.contains(&first)) {
            (true, _) if !says(&FAILED) => Some(Self::Passed),
            (_, true) if !says(&PASSED) => Some(Self::Failed),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_from_its_first_word() {
        for (text, outcome) in [
            ("pass", Some(ClaimedOutcome::Passed)),
            ("✅ passed", Some(ClaimedOutcome::Passed)),
            ("PASS (12 tests)", Some(ClaimedOutcome::Passed)),
            ("❌", Some(ClaimedOutcome::Failed)),
            ("failed: 3 tests", Some(ClaimedOutcome::Failed)),
            ("exit 0", Some(ClaimedOutcome::Status(0))),
            ("0", None),
            ("200", None),
            ("✅ exits with 2", None),
            ("ok (3 pre-existing errors)", None),
            ("pass (0 new)", None),
            ("OK, apart from test_x", None),
            ("✅ 11/12", None),
            ("tests pass", Some(ClaimedOutcome::Passed)),
            ("all tests pass", Some(ClaimedOutcome::Passed)),
            ("All green", Some(ClaimedOutcome::Passed)),
            ("yes, passed", Some(ClaimedOutcome::Passed)),
            ("✓", Some(ClaimedOutcome::Passed)),
            ("ok (0.3s)", Some(ClaimedOutcome::Passed)),
            ("exit code 101", Some(ClaimedOutcome::Status(101))),
            ("12 passed, 1 failed", None),
            ("failed before, passed now", None),
            ("passed, none failed", None),
            ("skipped", None),
            ("passes except for one", None),
            ("pass, except the slow one", None),
            ("pass rate 90%", None),
            ("fails without the fix", None),
            ("error messages improved", None),
            ("all pass.", Some(ClaimedOutcome::Passed)),
            ("ok – 3 s", Some(ClaimedOutcome::Passed)),
            ("did not run", None),
            ("", None),
        ] {
            assert_eq!(ClaimedOutcome::read(text), outcome, "{text}");
        }
    }
}
