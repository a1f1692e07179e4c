//! How something ended, by the words of a return.

/// How a return says that a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimedOutcome {
    Passed,
    Failed,
    /// With this exit status.
    Status(i64),
}

const PASSED: [&str; 10] = [
    "pass",
    "passed",
    "passes",
    "passing",
    "ok",
    "success",
    "succeeded",
    "successful",
    "✅",
    "✔",
];

const FAILED: [&str; 8] = [
    "fail", "failed", "fails", "failing", "failure", "error", "❌", "✗",
];

/// Words that may turn an outcome into another one.
const LIMITS: [&str; 9] = [
    "not", "no", "but", "except", "without", "only", "before", "then", "fixed",
];

impl ClaimedOutcome {
    /// The outcome that a text begins with. None if it says none of the known words, or both kinds, or if a
    /// sentence goes on: `passes except for one`, `failing test added`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_around =
            |it: char| !it.is_alphanumeric() && !matches!(it, '-' | '✅' | '✔' | '❌' | '✗');
        let text = text.to_lowercase();
        let words: Vec<&str> = text
            .split(is_around)
            .filter(|word| !word.is_empty())
            .collect();
        let is_label = |word: &&&str| matches!(**word, "exit" | "code" | "status" | "all");
        let first = *words.iter().find(|word| !is_label(word))?;
        let says = |known: &[&str]| words.iter().any(|word| known.contains(word));
        if let Ok(status) = first.parse() {
            let is_alone = words.iter().all(|word| is_label(&word) || *word == first);
            return is_alone.then_some(Self::Status(status));
        }
        let behind = text.split_once(first).map_or("", |(_, behind)| behind);
        let goes_on = behind.trim_start().starts_with(char::is_alphabetic);
        if goes_on && first.starts_with(char::is_alphabetic) || says(&LIMITS) {
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
            ("0", Some(ClaimedOutcome::Status(0))),
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
