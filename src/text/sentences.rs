//! Counts sentences.

const ABBREVIATIONS: [&str; 10] =
    ["e.g", "i.e", "cf", "vs", "approx", "incl", "Dr", "Mr", "Mrs", "Fig"];

const OTHER_MARKS: [char; 7] = ['。', '！', '？', '؟', '۔', '।', '።'];

/// The number of sentences in a text, in time linear in its length.
///
/// A full stop, a question mark or an exclamation mark ends one if white space and then anything but a small
/// letter follow. Those of other scripts need no white space.
pub(crate) fn sentences(text: &str) -> usize {
    let mut count = 0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        count += 1;
        rest = after_sentence(rest);
    }
    count
}

fn after_sentence(text: &str) -> &str {
    let is_mark =
        |it: char| matches!(it, '.' | '!' | '?') || !it.is_ascii() && OTHER_MARKS.contains(&it);
    let belongs_to_end = |it: char| is_mark(it) || "\"')]}*_`»’”」』）".contains(it);
    let mut at = 0;
    while let Some(found) = text[at..].find(is_mark) {
        let (before, behind) = text.split_at(at + found);
        let after = behind.trim_start_matches(belongs_to_end);
        at = text.len() - after.len();
        let next = after.trim_start();
        let Some(first) = next.chars().next() else {
            return "";
        };
        let is_spaced = next.len() < after.len() && !first.is_lowercase();
        if behind.starts_with(OTHER_MARKS)
            || is_spaced && !(behind.starts_with('.') && is_abbreviation(before))
        {
            return next;
        }
    }
    ""
}

/// Whether a full stop behind this belongs to an abbreviation, to an initial, or to the number of an item.
fn is_abbreviation(before: &str) -> bool {
    let is_number = |it: &str| it.len() <= 3 && it.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = before.rsplit(|it: char| it.is_whitespace() || "([\"".contains(it));
    let word = words.next().unwrap_or_default();
    let is_capital = word.len() == 1 && word.bytes().all(|it| it.is_ascii_uppercase());
    let is_initial = is_capital && word.len() < before.len();
    ABBREVIATIONS.contains(&word) || is_initial || is_number(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_counted_as_people_do() {
        for (text, count) in [
            ("", 0),
            ("Done", 1),
            ("Done.", 1),
            ("One. Two.", 2),
            ("Wrote plan-001.md and v1.2 of src/a.rs.", 1),
            ("Some, e.g. These, i.e. Two. Done!", 2),
            ("Really?! Yes. (No.) So", 4),
            ("He said \"stop.\" Then left.", 2),
            ("Ran 3 tests. 2 passed.", 2),
            ("1. Read the stations. 2. Wrote the tables.", 2),
            ("  Done. Über. ", 2),
            ("完成。全部。", 2),
            ("完成！！次", 2),
            ("（完了。）次。", 2),
            ("Naïve? No! Done", 3),
            ("**Done.** Next part. `cargo test`.", 3),
            ("Wrote `a.rs.` Then `b.rs`.", 2),
            ("Is `a ?.b` in https://x.org/?q=1 Done", 1),
            ("Done, etc., And more", 1),
            ("Asked Dr. Smith. He agrees.", 2),
            ("Готово. Тесты проходят.", 2),
        ] {
            assert_eq!(sentences(text), count, "{text}");
        }
    }
}
