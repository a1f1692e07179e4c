//! Which of the words of a standard a value says.

use crate::form::name::is_emoji;
use crate::text::is_invisible;

/// The word that stands for every other one.
pub(crate) const ANY: &str = "*";

/// What a value says of the words that are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said<'w> {
    /// This word.
    Word(&'w str),
    /// These two, so that it cannot be known which one is meant.
    Two(&'w str, &'w str),
    /// None of them.
    Nothing,
}

/// The word that is exactly the value, as in JSON and YAML.
pub(crate) fn exact<'w>(value: &str, words: &[&'w str]) -> Said<'w> {
    let word = words.iter().copied().find(|word| *word == value);
    word.or_else(|| any(words))
        .map_or(Said::Nothing, Said::Word)
}

/// The word that a text is or begins with. Marks, emoji and a full stop around it do not count. More may
/// follow after white space or punctuation, but no other of the words.
pub(crate) fn spoken<'w>(value: &str, words: &[&'w str]) -> Said<'w> {
    // A Markdown writer may escape what could be a mark.
    let unescaped = value.replace("\\_", "_");
    let plain = plain(&unescaped);
    let begins = |word: &&str| {
        let rest = plain.strip_prefix(*word);
        rest.is_some_and(|rest| rest.chars().next().is_none_or(may_follow))
    };
    let known = || {
        let words = words.iter().copied();
        words.filter(|word| *word != ANY && !word.is_empty())
    };
    let is_struck = value.trim_start().starts_with("~~");
    let is_whole = |word: &&str| *word == value.trim() || *word == plain && !is_struck;
    if let Some(word) = known().find(is_whole) {
        return Said::Word(word);
    }
    let Some(word) = known().filter(begins).max_by_key(|word| word.len()) else {
        return any(words).map_or(Said::Nothing, Said::Word);
    };
    let rest = &plain[word.len()..];
    if is_struck || takes_back(rest) {
        return Said::Nothing;
    }
    match known().find(|other| *other != word && holds(rest, other)) {
        Some(other) => Said::Two(word, other),
        None => Said::Word(word),
    }
}

/// Whether a value begins by saying that there is nothing, as "No issues found" and "There are none" do. It
/// may go on and say something all the same.
pub(crate) fn begins_with_none(value: &str, own: &[String]) -> bool {
    const BEFORE: [&str; 16] = [
        "there", "are", "is", "were", "was", "have", "has", "had", "i", "we", "found", "find",
        "see", "saw", "did", "all",
    ];
    const NOTHING: [&str; 3] = ["0", "fixed", "resolved"];
    const NOT: [&str; 3] = ["applicable", "find", "see"];
    let value = bare(value);
    let mut words = value.split(|it: char| !it.is_alphanumeric() && it != '/');
    let is = |words: &[&str], word: &str| words.iter().any(|it| it.eq_ignore_ascii_case(word));
    let first = words.find(|word| !is(&BEFORE, word)).unwrap_or_default();
    is(&["empty"], value)
        || !first.is_empty() && (is_none(first, own) || is(&NOTHING, first))
        || is(&["not"], first) && words.next().is_some_and(|word| is(&NOT, word))
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

fn any<'w>(words: &[&'w str]) -> Option<&'w str> {
    words.iter().copied().find(|word| *word == ANY)
}

/// A plain text without one pair of brackets around it.
fn bare(text: &str) -> &str {
    let text = plain(text);
    let pairs = [('(', ')'), ('[', ']'), ('{', '}')].into_iter();
    let mut inside = pairs.filter_map(|(start, end)| text.strip_prefix(start)?.strip_suffix(end));
    inside.next().map_or(text, plain)
}

/// A text without marks, emoji and white space around it, and without a full stop at its end.
fn plain(text: &str) -> &str {
    let text = text.trim_matches(is_around);
    let text = text.strip_suffix('.').unwrap_or(text);
    text.trim_end_matches(is_around)
}

fn is_around(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '*' | '`' | '_' | '~' | '"')
        || is_invisible(character)
        || is_emoji(character)
}

fn may_follow(character: char) -> bool {
    character.is_whitespace() || matches!(character, '.' | ',' | ';' | ':' | '(' | '—' | '–')
}

/// Whether what follows a word says that it does not hold, or not yet.
fn takes_back(rest: &str) -> bool {
    const UNTIL: [&str; 4] = ["if", "once", "unless", "when"];
    let is_free = rest.trim_start_matches([' ', ':', '=', '(']);
    let answer = is_free.trim_end_matches(is_around);
    let next = rest.split_whitespace().next().unwrap_or_default();
    let percent = next.strip_suffix('%').and_then(|it| it.parse::<f64>().ok());
    ["false", "no", "not yet"]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(answer))
        || rest.starts_with(' ') && UNTIL.contains(&next)
        || percent.is_some_and(|it| it < 100.0)
}

/// Whether a text has a word that is no part of a longer one.
fn holds(text: &str, word: &str) -> bool {
    let is_inside = |character: Option<char>| {
        character.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '-'))
    };
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !is_inside(before) && !is_inside(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 5] = ["DONE", "DONE_WITH_CONCERNS", "PASS", "FAIL", "NEEDS WORK"];

    fn said(value: &str) -> Said<'static> {
        spoken(value, &WORDS)
    }

    #[test]
    fn a_text_says_the_word_that_it_begins_with() {
        for (value, word) in [
            ("DONE", "DONE"),
            ("**DONE**", "DONE"),
            ("`DONE`.", "DONE"),
            ("✅ DONE", "DONE"),
            ("PASS ✅.", "PASS"),
            ("DONE_WITH_CONCERNS", "DONE_WITH_CONCERNS"),
            ("DONE — all tests run", "DONE"),
            ("DONE (see below)", "DONE"),
            ("FAIL: three tests", "FAIL"),
            ("NEEDS WORK, a lot", "NEEDS WORK"),
            ("PASS with PASSING tests", "PASS"),
            ("DONE\\_WITH\\_CONCERNS", "DONE_WITH_CONCERNS"),
            ("DONE: no issues", "DONE"),
            ("DONE 100%", "DONE"),
        ] {
            assert_eq!(said(value), Said::Word(word), "{value}");
        }
    }

    #[test]
    fn a_text_that_says_two_words_or_another_says_none() {
        for value in [
            "",
            "done",
            "DONE!",
            "DONEISH",
            "I am DONE",
            "NEEDS",
            "PASS/FAIL",
            "~~DONE~~",
            "DONE: false",
            "DONE = no",
            "DONE 50%",
            "DONE once the tests pass",
        ] {
            assert_eq!(said(value), Said::Nothing, "{value}");
        }
        assert_eq!(said("PASS | FAIL"), Said::Two("PASS", "FAIL"));
        assert_eq!(said("DONE: PASS"), Said::Two("DONE", "PASS"));
    }

    #[test]
    fn any_other_word_can_be_allowed() {
        let words = ["DONE", ANY];
        assert_eq!(spoken("later", &words), Said::Word(ANY));
        assert_eq!(spoken("DONE", &words), Said::Word("DONE"));
        assert_eq!(exact("later", &words), Said::Word(ANY));
        assert_eq!(exact("DONE.", &["DONE"]), Said::Nothing);
    }

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
