//! The commits that a piece of text names.

/// Words before an id that say no more than that it is one.
const LABELS: &str = "commit commits committed sha hash id as in";

/// Words at the start of a text that say that there is no commit.
const NONE: [&str; 6] = ["no", "none", "not", "n/a", "nothing", "without"];

/// A commit that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedCommit<'t> {
    /// The id or its first digits.
    pub(crate) digits: &'t str,
    /// Whether the text says no more of it: no words before it, as in "based on 1a2b3c4", no remark in brackets
    /// behind it, and no other id.
    pub(crate) is_plain: bool,
}

/// The commits in a text: in each part between commas, the first word of 7 to 40 hexadecimal digits with a
/// digit and a letter.
pub(crate) fn named(text: &str) -> impl Iterator<Item = NamedCommit<'_>> {
    let first = words(text).next().unwrap_or_default().to_ascii_lowercase();
    let text = if NONE.contains(&&*first) { "" } else { text };
    text.split([',', ';', '\n', '、']).filter_map(of_part)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |it: char| it.is_whitespace() || ",;()[]<>`\"'*".contains(it);
    let is_mark = |it: char| matches!(it, '.' | ':' | '-' | '—' | '–' | '#' | '_');
    let words = text.split(is_around).map(move |word| word.trim_matches(is_mark));
    words.filter(|word| !word.is_empty())
}

fn of_part(part: &str) -> Option<NamedCommit<'_>> {
    let mut is_plain = true;
    for word in words(part) {
        let lower = word.to_ascii_lowercase();
        if may_be_id(word) {
            let digits = word;
            // A number or a word may be the id all the same: what follows is then no other one.
            let behind = part.split_once(digits).map_or("", |(_, behind)| behind);
            let has_remark = behind.trim_start_matches(['`', '*', ' ']).starts_with('(');
            is_plain &= !has_remark && !words(behind).any(|it| may_be_id(it) && is_id(it));
            return is_id(word).then_some(NamedCommit { digits, is_plain });
        }
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        is_plain &= is_number || LABELS.split(' ').any(|it| it == lower);
    }
    None
}

fn may_be_id(word: &str) -> bool {
    (7..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether what may be an id is no number and no word.
fn is_id(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_a_word_of_hexadecimal_digits() {
        for (text, digits) in [
            ("1a2b3c4", &["1a2b3c4"][..]),
            ("`1a2b3c4` Add tides", &["1a2b3c4"]),
            ("commit 1a2b3c4: add tides", &["1a2b3c4"]),
            ("[1a2b3c4](https://x.test/commit/1a2b3c4d)", &["1a2b3c4"]),
            ("1a2b3c4, 5d6e7f8", &["1a2b3c4", "5d6e7f8"]),
            ("1a2b3c4 (was 5d6e7f8)", &["1a2b3c4"]),
            ("1a2b3c4..5d6e7f8", &[]),
            ("none (1a2b3c4 was there before)", &[]),
            ("None; the last commit is 1a2b3c4", &[]),
            ("1234567, abcdefa, 1a2b3c, tides-1a2b3c4", &[]),
            ("1234567 Name the color deadbeef1", &[]),
        ] {
            let found: Vec<_> = named(text).map(|it| it.digits).collect();
            assert_eq!(found, digits, "{text}");
        }
    }

    #[test]
    fn other_words_may_say_that_it_is_older_or_gone() {
        let is_plain = |text| named(text).last().map(|it| it.is_plain);
        for text in ["1. commit 1a2b3c4", "`1a2b3c4` Add tides", "5d6e7f8, 1a2b3c4"] {
            assert_eq!(is_plain(text), Some(true), "{text}");
        }
        for text in [
            "based on 1a2b3c4",
            "1a2b3c4 → 5d6e7f8",
            "1a2b3c4 (base)",
            "5d6e7f8, was 1a2b3c4 before the rebase",
            "cherry-picked 1a2b3c4 as 5d6e7f8",
            "image 1a2b3c4d9e",
        ] {
            assert_eq!(is_plain(text), Some(false), "{text}");
        }
    }
}
