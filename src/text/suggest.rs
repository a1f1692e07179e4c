//! Suggestions for misspelt words.

use crate::text::escape;

/// Returns the word in `words` that is most similar to `word`, ignoring case and separators. None if
/// none is similar enough.
pub(crate) fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    /// The least Jaro-Winkler similarity, from 0 to 1. Less similar suggestions mislead more often than
    /// they help.
    const ALIKE: f64 = 0.8;
    /// The longest word in bytes for which suggestions are made, because the comparison takes quadratic
    /// time. No real word is longer.
    const LENGTH_AT_MOST: usize = 100;
    if word.len() > LENGTH_AT_MOST {
        return None;
    }
    let plain = PlainWord::of(word);
    let alike = words.into_iter().filter_map(|other| {
        let other_plain = PlainWord::of(other);
        let likeness = (plain.may_be_like(&other_plain)).then(|| plain.likeness(&other_plain));
        Some((likeness.filter(|likeness| *likeness >= ALIKE)?, other))
    });
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, word)| word)
}

/// The message about an unknown name, with the nearest known one, or all if they are few.
pub(crate) fn unknown_name<'w>(
    what: &str,
    word: &str,
    known: impl Iterator<Item = &'w str> + Clone,
) -> String {
    /// Longer lists of names are not shown in an error.
    const LISTED: usize = 12;
    let message = format!("unknown {what} `{}`", escape::truncated(word));
    if let Some(meant) = nearest(word, known.clone()) {
        format!("{message}; did you mean `{meant}`?")
    } else if known.clone().nth(LISTED).is_none() {
        let known: Vec<_> = known.collect();
        format!("{message}; expected one of `{}`", known.join("`, `"))
    } else {
        message
    }
}

/// A word without case and separators.
struct PlainWord {
    letters: Vec<char>,
    /// How often the word has each letter. Different letters may share a counter.
    tally: [u8; 32],
}

impl PlainWord {
    fn of(word: &str) -> Self {
        let letters: Vec<_> = letters(word).collect();
        let mut tally = [0_u8; 32];
        for letter in &letters {
            let count = &mut tally[*letter as usize % 32];
            *count = count.saturating_add(1);
        }
        Self { letters, tally }
    }

    /// Whether two words have enough letters in common to be similar. This takes less time than their
    /// exact similarity. The Jaro similarity is at most the mean of 1 and of the shares of letters that
    /// each word has in common with the other. A common start adds at most 0.4 times the difference to
    /// 1. For a similarity of 0.8, the two shares must therefore add up to 1 or more.
    fn may_be_like(&self, other: &Self) -> bool {
        let both = self.tally.iter().zip(&other.tally);
        let shared: usize = both.map(|(one, other)| usize::from(*one.min(other))).sum();
        let (own, others) = (self.letters.len(), other.letters.len());
        shared * (own + others) >= own * others
    }

    fn likeness(&self, other: &Self) -> f64 {
        strsim::generic_jaro_winkler(&self.letters, &other.letters)
    }
}

pub(crate) fn eq_ignoring_case_and_separators(word: &str, other: &str) -> bool {
    letters(word).eq(letters(other))
}

fn letters(word: &str) -> impl Iterator<Item = char> {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_get_suggestions_and_other_words_do_not() {
        let words = ["completed", "partial", "failed", "blocked"];
        assert_eq!(nearest("Complete", words), Some("completed"));
        assert_eq!(nearest("COMPLETED", words), Some("completed"));
        assert_eq!(nearest("faild", words), Some("failed"));
        assert_eq!(nearest("banana", words), None);
        assert_eq!(nearest(&"completed".repeat(1_000), words), None);
        assert_eq!(nearest("in progress", ["in_progress"]), Some("in_progress"));
    }

    #[test]
    fn similar_words_have_enough_letters_in_common() {
        let ids = crate::check::rules::RULES.iter().map(|rule| rule.id);
        let words: Vec<_> = ids
            .chain(["", "a", "ab", "ba", "été", "ete", "Дa"])
            .collect();
        let pairs = words
            .iter()
            .flat_map(|one| words.iter().map(move |other| (one, other)));
        let mut passed_over = 0;
        for (one, other) in pairs {
            let [one, other] = [one, other].map(|word| PlainWord::of(word));
            let (may_be, likeness) = (one.may_be_like(&other), one.likeness(&other));
            let (one, other) = (&one.letters, &other.letters);
            assert!(may_be || likeness < 0.8, "{one:?} {other:?}");
            passed_over += usize::from(!may_be);
        }
        assert!(passed_over > words.len(), "{passed_over}");
    }

    #[test]
    fn case_and_separators_make_no_difference() {
        assert!(
            eq_ignoring_case_and_separators("In-Progress", "in_progress")
                && eq_ignoring_case_and_separators("ÉTÉ", "été")
        );
        assert!(
            !eq_ignoring_case_and_separators("in_progress", "in_progres")
                && !eq_ignoring_case_and_separators("plan", "planned")
        );
    }
}
