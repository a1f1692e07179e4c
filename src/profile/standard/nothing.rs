//! Whether a text says that there is nothing.

use crate::profile::standard::words::plain;

/// Whether a value begins by saying that there is nothing, as "No issues found" and "There are none" do. It
/// may go on and say something all the same.
pub(crate) fn begins_with_none(value: &str, own: &[String]) -> bool {
    const BEFORE: [&str; 16] = [
        "there", "are", "is", "were", "was", "have", "has", "had", "i", "we", "found", "find",
        "see", "saw", "did", "all",
    ];
    const NOTHING: [&str; 4] = ["0", "zero", "fixed", "resolved"];
    const NOT: [&str; 3] = ["applicable", "find", "see"];
    let value = bare(value);
    let mut words = value.split(|it: char| !it.is_alphanumeric() && it != '/');
    let is = |words: &[&str], word: &str| words.iter().any(|it| it.eq_ignore_ascii_case(word));
    let first = words.find(|word| !is(&BEFORE, word)).unwrap_or_default();
    is(&["empty"], value)
        || !first.is_empty() && (is_none(first, own) || is(&NOTHING, first))
        || is(&["not"], first) && words.next().is_some_and(|word| is(&NOT, word))
}

/// Whether a sentence denies what its place is called, as "The review found no blocking issues" does under
/// "Blocking issues", or says that all of it was fixed.
pub(crate) fn denies(text: &str, name: &str) -> bool {
    const NEGATIONS: [&str; 5] = ["no", "zero", "neither", "nor", "without"];
    const DONE: [&str; 2] = ["fixed", "resolved"];
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|it: char| !it.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (said, name) = (words(plain(text)), words(name));
    let is = |known: &[&str], word: &String| known.contains(&&**word);
    let mut behind = said
        .iter()
        .enumerate()
        .filter(|(_, word)| is(&NEGATIONS, word))
        .flat_map(|(at, _)| said[at + 1..].iter().take(3));
    let is_all = said.first().is_some_and(|it| it == "all");
    let is_one = !plain(text).contains(['\n', '.', ';']);
    is_one
        && (name
            .last()
            .is_some_and(|last| behind.any(|word| word == last))
            || is_all && said.last().is_some_and(|word| is(&DONE, word)))
}

/// Whether a value, behind its label, says that there is nothing, or that it was resolved.
pub(crate) fn ends_with_none(value: &str, own: &[String]) -> bool {
    let rest = value.rsplit_once(": ").map_or(value, |(_, rest)| rest);
    let is_done = ["(fixed)", "(resolved)"]
        .iter()
        .any(|it| plain(value).ends_with(it));
    is_done || plain(rest) == "0" || is_none(rest, own)
}

/// Whether a value says that there is nothing: a word such as "none", in any case.
pub(crate) fn is_none(value: &str, own: &[String]) -> bool {
    const NONE: [&str; 7] = ["none", "n/a", "nothing", "no", "-", "–", "—"];
    let value = bare(value);
    let is = |word: &str| word.eq_ignore_ascii_case(value);
    value.is_empty() || NONE.iter().copied().any(is) || own.iter().any(|word| is(word))
}

/// A plain text without one pair of brackets around it.
fn bare(text: &str) -> &str {
    let text = plain(text);
    let pairs = [('(', ')'), ('[', ']'), ('{', '}')].into_iter();
    let mut inside = pairs.filter_map(|(start, end)| text.strip_prefix(start)?.strip_suffix(end));
    inside.next().map_or(text, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_known_in_any_case() {
        for value in [
            "None", "N/A", "nothing.", " – ", "", "**none**", "(none)", "[None]", "[]", "{}", "无",
        ] {
            assert!(is_none(value, &["无".to_owned()]), "{value}");
        }
        assert!(!is_none("none of the tests", &[]));
        for value in [
            "none of the tests",
            "No issues found.",
            "(No issues found)",
            "**N/A** (docs)",
            "Nothing to report",
            "There are no issues.",
            "I found none",
            "0 issues",
            "Not applicable",
            "All resolved",
            "(empty)",
        ] {
            assert!(begins_with_none(value, &[]), "{value}");
        }
        for value in [
            "",
            "Note that",
            "The parser has no tests",
            "nothings",
            "Empty catch",
            "Not tested",
        ] {
            assert!(!begins_with_none(value, &[]), "{value}");
        }
    }
}
