//! Suggestions for misspelt words.

/// The most similar of `words`, ignoring case and separators; `None` if none is similar enough.
pub fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    /// The least Jaro-Winkler similarity, from 0 to 1. Less similar suggestions are misleading more
    /// often than helpful.
    const ALIKE: f64 = 0.8;
    /// The most bytes of a word; no real one is longer. The comparison takes quadratic time.
    const LENGTH_AT_MOST: usize = 100;
    if word.len() > LENGTH_AT_MOST {
        return None;
    }
    let plain: String = letters(word).collect();
    let mut other_plain = String::with_capacity(plain.len());
    let mut likeness = |other: &str| {
        other_plain.clear();
        other_plain.extend(letters(other));
        strsim::jaro_winkler(&plain, &other_plain)
    };
    let alike = words.into_iter().map(|other| (likeness(other), other));
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// Whether two words differ in nothing but case and separators.
pub(crate) fn is_alike(word: &str, other: &str) -> bool {
    letters(word).eq(letters(other))
}

/// A word without case and separators.
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
    fn case_and_separators_make_no_difference() {
        assert!(is_alike("In-Progress", "in_progress") && is_alike("ÉTÉ", "été"));
        assert!(!is_alike("in_progress", "in_progres") && !is_alike("plan", "planned"));
    }
}
