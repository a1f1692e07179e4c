//! Suggestions for misspelt words.

use crate::text::escape;

/// The word that is most similar, ignoring case and separators, if one is similar enough.
pub(crate) fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    /// The least Jaro-Winkler similarity, from 0 to 1. Less similar suggestions mislead more often than they help.
    const ALIKE: f64 = 0.8;
    /// In bytes; the comparison takes quadratic time, and no real word is longer.
    const LENGTH_AT_MOST: usize = 100;
    if word.len() > LENGTH_AT_MOST {
        return None;
    }
    let plain: Vec<_> = letters(word).collect();
    let alike = words.into_iter().map(|other| {
        let letters: Vec<_> = letters(other).collect();
        (strsim::generic_jaro_winkler(&plain, &letters), other)
    });
    let alike = alike.filter(|(likeness, _)| *likeness >= ALIKE);
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, word)| word)
}

/// The word that is the same but for its case, its separators, or a letter of every three.
pub(crate) fn misspelled<'w>(
    word: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    let near = nearest(word, words)?;
    let [plain, other] = [word, near].map(|it| letters(it).collect::<String>());
    (strsim::osa_distance(&plain, &other) * 3 <= plain.chars().count()).then_some(near)
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
