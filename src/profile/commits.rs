//! The commits that a piece of text names.

/// Words at the start of a text that say that there is no commit.
const NONE: [&str; 6] = ["no", "none", "not", "n/a", "nothing", "without"];

/// A commit that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedCommit<'t> {
    /// The id or its first digits.
    pub(crate) digits: &'t str,
    /// Whether the text begins with it, or with the word "commit" before it, and has no remark in brackets behind it
    /// and no other id.
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
    let (at, digits) = words(part).enumerate().find(|(_, word)| may_be_id(word))?;
    let first = words(part).next().unwrap_or_default();
    let is_first = at == 0 || at == 1 && first.eq_ignore_ascii_case("commit");
    // A number or a word may be the id all the same: what follows is then no other one.
    let (_, behind) = part.split_once(digits)?;
    let has_remark = behind.trim_start_matches(['`', '*', ' ']).starts_with('(');
    let is_plain = is_first && !has_remark && !words(behind).any(|it| may_be_id(it) && is_id(it));
    is_id(digits).then_some(NamedCommit { digits, is_plain })
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
        for text in ["Commit: 1a2b3c4", "`1a2b3c4` Add tides", "5d6e7f8, 1a2b3c4"] {
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
