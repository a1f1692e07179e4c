//! What a value says: which of the words of a standard, that there is nothing, or a number.

use crate::document::name::is_emoji;
use crate::document::tree::{Content, Value};
use crate::profile::paths::before_remark;
use crate::text::is_invisible;

/// The word that stands for every other one.
pub(crate) const ANY: &str = "*";

/// What a value says of the words that are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said<'w> {
    Word(&'w str),
    /// These two, so that it cannot be known which one is meant.
    Two(&'w str, &'w str),
    Nothing,
}

/// The word that is exactly the value, as in JSON and YAML. A text is no boolean.
pub(crate) fn exact<'w>(value: &str, is_text: bool, words: &[&'w str]) -> Said<'w> {
    let is_other = is_text && is_boolean(value);
    let mut known = words.iter().copied().filter(|_| !is_other);
    let word = known.find(|word| *word == value).or_else(|| any(words));
    word.map_or(Said::Nothing, Said::Word)
}

pub(crate) fn is_boolean(text: &str) -> bool {
    matches!(text, "true" | "false")
}

/// The word that a text is or begins with. Marks, emoji, brackets and a full stop around it do not count.
/// More may follow after white space or punctuation, but no other of the words in place of an answer, and no
/// word that is the start of a longer one: `DONE WITH CONCERNS` is not `DONE`.
pub(crate) fn spoken<'w>(value: &str, words: &[&'w str]) -> Said<'w> {
    // A Markdown writer may escape what could be a mark.
    let unescaped = value.replace("\\_", "_");
    let whole = unescaped.trim();
    let plain = plain(plain(whole).trim_start_matches('['));
    let is_word = |word: &&str| *word != ANY && !word.is_empty();
    let known = || words.iter().copied().filter(is_word);
    let is_struck = whole.starts_with("~~");
    let is_whole = |word: &&str| *word == value.trim() || *word == plain && !is_struck;
    if let Some(word) = known().find(is_whole) {
        return Said::Word(word);
    }
    // A word may be an emoji.
    let behind = |word: &'w str| {
        let ends = |rest: &&str| rest.chars().next().is_none_or(may_follow);
        let mut rests = [plain, whole].into_iter().filter_map(|it| it.strip_prefix(word));
        Some((word, rests.find(ends)?))
    };
    let Some((word, rest)) = known().filter_map(behind).max_by_key(|it| it.0.len()) else {
        return any(words).map_or(Said::Nothing, Said::Word);
    };
    let is_start = known().any(|other| other.len() > word.len() && begins_alike(plain, other));
    if is_struck || is_start {
        return Said::Nothing;
    }
    let is_template = is_template(rest, |part| known().any(|word| word == part));
    let is_other = |other: &&str| {
        *other != word && (answers(rest, other) || is_template && holds(rest, other))
    };
    match known().find(is_other) {
        Some(other) => Said::Two(word, other),
        None => Said::Word(word),
    }
}

/// Whether a text is the value that was given, or begins with it. A remark may follow white space.
pub(crate) fn is_given(text: &str, value: &str) -> bool {
    let text = plain(text).trim_start_matches('#');
    let Some(rest) = text.strip_prefix(value.trim_start_matches('#')) else {
        return false;
    };
    let remark = rest.trim_start_matches(['.', ',', ';', ':']);
    let is_value = |it: char| it.is_ascii_digit() || "→!=".contains(it);
    let word = remark.split_whitespace().next().unwrap_or_default();
    remark.is_empty()
        || remark.starts_with(|it: char| it.is_whitespace() || it == '（')
            && !word.starts_with(is_value)
            && !["or", "and", "to"].contains(&word)
}

fn any<'w>(words: &[&'w str]) -> Option<&'w str> {
    words.iter().copied().find(|word| *word == ANY)
}

fn plain(text: &str) -> &str {
    let text = text.trim_matches(is_around);
    let text = text.strip_suffix(['.', '!', '。', '！']).unwrap_or(text);
    text.trim_end_matches(is_around)
}

fn is_around(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '*' | '`' | '_' | '~' | '"')
        || is_invisible(character)
        || is_emoji(character)
}

fn may_follow(character: char) -> bool {
    character.is_whitespace() || character == ']' || ends_answer(character)
}

/// Whether a character ends the answer: a remark may follow.
fn ends_answer(character: char) -> bool {
    ".,;:(!—–\n。，、；：（！".contains(character)
}

/// Whether a text begins with a word, however its parts are separated and in any case.
fn begins_alike(text: &str, word: &str) -> bool {
    let is_between = |it: char| matches!(it, ' ' | '_' | '-');
    let mut rest = text;
    for letter in word.chars().filter(|it| !is_between(*it)) {
        let mut own = rest.trim_start_matches(is_between).chars();
        let is_same = |it: char| it.to_lowercase().eq(letter.to_lowercase());
        if !own.next().is_some_and(is_same) {
            return false;
        }
        rest = own.as_str();
    }
    !rest.starts_with(char::is_alphanumeric)
}

/// Whether what follows a word has another one where the answer stands. A remark may hold common words:
/// `success, error handling added`.
fn answers(rest: &str, other: &str) -> bool {
    let ends = [rest.find(ends_answer), rest.find(" - ")];
    let end = ends.into_iter().flatten().min().unwrap_or(rest.len());
    let (answer, remark) = rest.split_at(end);
    let is_common = other.contains(char::is_lowercase);
    let remark = remark.trim_start_matches(|it: char| !it.is_alphanumeric());
    let behind = remark.strip_prefix(other).filter(|_| !is_common);
    // A line below may be another answer, behind a label.
    let below = rest.lines().skip(1);
    let mut below = below.filter_map(|line| line.rsplit(':').next());
    holds(answer, other)
        || below.any(|it| plain(it) == other)
        || behind.is_some_and(|it| it.chars().next().is_none_or(may_follow))
}

/// Whether what follows a word is nothing but words, as in `PASS | FAIL`.
fn is_template(rest: &str, is_word: impl Fn(&str) -> bool) -> bool {
    let is_between = |it: char| ends_answer(it) || matches!(it, '|' | '/' | '-' | ')' | ']');
    rest.replace(" or ", "|").split(is_between).all(|part| {
        let part = part.trim();
        part.is_empty() || is_word(part.strip_prefix("or ").unwrap_or(part))
    })
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

/// Whether a value is a word for nothing, such as "none", in any case.
pub(crate) fn is_none(value: &str, own: &[String]) -> bool {
    const NONE: [&str; 8] = ["none", "n/a", "nothing", "no", "-", "–", "—", "empty"];
    let value = bare(value);
    let is = |word: &str| word.eq_ignore_ascii_case(value);
    value.is_empty() || NONE.iter().copied().any(is) || own.iter().any(|word| is(word))
}

/// Whether a value, behind its label or before its remark, is such a word or 0.
pub(crate) fn counts_none(value: &str, own: &[String]) -> bool {
    let rest = value.rsplit_once(": ").map_or(value, |(_, rest)| rest);
    let is_zero = |it: &str| it == "0" || it.eq_ignore_ascii_case("zero");
    let mut parts = [rest, before_remark(value)].into_iter();
    parts.any(|it| is_zero(plain(it)) || is_none(it, own))
}

/// A plain text without one pair of brackets around it.
fn bare(text: &str) -> &str {
    let text = plain(text);
    let pairs = [('(', ')'), ('[', ']'), ('{', '}')].into_iter();
    let mut inside = pairs.filter_map(|(start, end)| text.strip_prefix(start)?.strip_suffix(end));
    inside.next().map_or(text, plain)
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quantity<'v> {
    pub(crate) number: f64,
    /// The word behind the number, such as `min`. May be empty.
    pub(crate) unit: &'v str,
}

impl Quantity<'_> {
    /// Whether both are of the same, as far as they tell.
    pub(crate) fn is_like(&self, unit: &str) -> bool {
        let one = |unit: &str| unit.strip_suffix('s').unwrap_or(unit).to_lowercase();
        [self.unit, unit].contains(&"") || one(self.unit) == one(unit)
    }
}

/// The number that a value is. In a text, words may follow it: `12 tests`. One with a comma before digits is
/// none, as it may be `1,234` or a list, and one of several is none: `1 high, 2 low`. "none" is 0.
pub(crate) fn quantity<'v>(value: Value<'v, '_>) -> Option<Quantity<'v>> {
    match value.content() {
        // The largest one stands for all that are too large.
        Content::Number(_) => {
            Some(Quantity { number: value.number().filter(|it| it.abs() < f64::MAX)?, unit: "" })
        }
        Content::Text(text) => in_text(text),
        _ => None,
    }
}

pub(crate) fn in_text(text: &str) -> Option<Quantity<'_>> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("none") || text.eq_ignore_ascii_case("zero") {
        let (number, unit) = (0.0, "");
        return Some(Quantity { number, unit });
    }
    let end = text.find(|it: char| !(it.is_ascii_digit() || matches!(it, '.' | '-' | '+')));
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    let follows = rest.chars().next();
    let is_alone = !rest.contains(|it: char| it.is_ascii_digit())
        && follows.is_none_or(|it| it.is_whitespace() || matches!(it, ',' | ';' | '('));
    let number = number.strip_suffix('.').unwrap_or(number);
    let mut words = rest.trim_start().split(|it: char| !it.is_alphabetic());
    let unit = words.next();
    Some(Quantity {
        number: number.parse().ok().filter(|_| is_alone)?,
        unit: unit.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Form, ReadOptions, read};

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
            ("DONE!", "DONE"),
            ("DONE with concernsless code", "DONE"),
            ("[DONE] all of it", "DONE"),
            ("DONE。", "DONE"),
            ("DONE（已完成）", "DONE"),
            ("PASS (12 PASS, 0 FAIL)", "PASS"),
            ("PASS — 0 FAIL", "PASS"),
        ] {
            assert_eq!(said(value), Said::Word(word), "{value}");
        }
    }

    #[test]
    fn a_text_that_says_two_words_or_another_says_none() {
        for value in [
            "",
            "done",
            "DONEISH",
            "I am DONE",
            "NEEDS",
            "PASS/FAIL",
            "~~DONE~~",
            "DONE WITH CONCERNS",
            "DONE-with-concerns",
        ] {
            assert_eq!(said(value), Said::Nothing, "{value}");
        }
        for value in
            ["PASS | FAIL", "PASS or FAIL", "PASS, FAIL", "PASS (FAIL)", "PASS: FAIL, mostly"]
        {
            assert_eq!(said(value), Said::Two("PASS", "FAIL"), "{value}");
        }
        assert_eq!(said("DONE: PASS"), Said::Two("DONE", "PASS"));
        assert_eq!(said("DONE but FAIL"), Said::Two("DONE", "FAIL"));
    }

    #[test]
    fn a_remark_may_hold_common_words() {
        let words = ["success", "partial", "error", "✅", "❌"];
        for value in [
            "success — error handling added",
            "success - error handling added",
            "success, 0 error(s)",
            "success. The error mode is documented.",
        ] {
            assert_eq!(spoken(value, &words), Said::Word("success"), "{value}");
        }
        for value in ["success, error", "success / partial / error", "success, partial or error"] {
            assert!(matches!(spoken(value, &words), Said::Two("success", _)), "{value}");
        }
        assert_eq!(spoken("✅ all good", &words), Said::Word("✅"));
    }

    #[test]
    fn what_was_given_is_not_a_part_of_another_value() {
        for text in
            ["1.2", "`1.2`.", "#1.2", "1.2 (yours)", "1.2: tides", "1.2（你的）", "1.2 as given"]
        {
            assert!(is_given(text, "1.2"), "{text}");
        }
        for text in [
            "1.2.3",
            "1.2:3",
            "1.2,1.3",
            "1.2, 1.3",
            "1.2 or 1.3",
            "1.2 → 1.3",
            "1.2 != 1.3",
            "1.2-rc1",
            "1.2(3)",
        ] {
            assert!(!is_given(text, "1.2"), "{text}");
        }
    }

    #[test]
    fn any_other_word_can_be_allowed() {
        let words = ["DONE", ANY];
        assert_eq!(spoken("later", &words), Said::Word(ANY));
        assert_eq!(spoken("DONE", &words), Said::Word("DONE"));
        assert_eq!(exact("later", true, &words), Said::Word(ANY));
        assert_eq!(exact("DONE.", true, &["DONE"]), Said::Nothing);
        assert_eq!(exact("true", false, &["true"]), Said::Word("true"));
        assert_eq!(exact("true", true, &["true"]), Said::Nothing);
    }

    #[test]
    fn words_for_nothing_are_known_in_any_case() {
        for value in [
            "None", "N/A", "nothing.", " – ", "", "**none**", "(none)", "[None]", "[]", "{}", "无",
            "(empty)",
        ] {
            assert!(is_none(value, &["无".to_owned()]), "{value}");
        }
        for value in ["none of the tests", "No issues found.", "I found none", "0"] {
            assert!(!is_none(value, &[]), "{value}");
        }
        for value in ["none", "High: none", "Zero.", "High: 0", "None — all is well"] {
            assert!(counts_none(value, &[]), "{value}");
        }
        assert!(!counts_none("High: the key", &[]));
    }

    #[test]
    fn a_number_that_is_too_large_is_none() {
        let number = |text| {
            let value = read(Form::Json, text, &ReadOptions::default()).expect("JSON");
            quantity(value.root()).map(|it| it.number)
        };
        assert_eq!(number("1e300"), Some(1e300));
        assert_eq!(number("1e400"), None);
    }

    #[test]
    fn a_number_begins_a_text() {
        for (text, number) in
            [("12", 12.0), ("12 tests", 12.0), ("3.", 3.0), ("-1.5 (x)", -1.5), ("None", 0.0)]
        {
            assert_eq!(in_text(text).map(|it| it.number), Some(number), "{text}");
        }
        for text in [
            "",
            "1,234",
            "12/14",
            "v12",
            "1.2.3",
            "12:30",
            "twelve",
            "1 high, 2 low",
            "2 + 1 minor",
            "1 critical / 2 minor",
            "2 of 3 shown",
        ] {
            assert_eq!(in_text(text), None, "{text}");
        }
    }
}
