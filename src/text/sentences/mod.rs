//! Counts sentences.
//!
//! The default rules of Unicode's text segmentation (UAX 29) are not used. They join two sentences if
//! the second begins with a digit ("Ran the tests. 2 passed."), end one at each `?` in code and URLs,
//! and know no abbreviations.

mod abbreviations;
mod terminal;

use abbreviations::is_abbreviation;
use terminal::{belongs_to_end, continues, is_terminal, is_wide_stop, needs_space};

/// Returns the number of sentences in a text, in time linear in its length.
///
/// A full stop, a question mark or an exclamation mark ends a sentence if white space follows and then
/// anything but a small letter. A full stop inside a number, a version or a file name therefore ends
/// none, and neither does one in an abbreviation. The terminals of other scripts need no white space
/// after them.
pub(crate) fn sentences(text: &str) -> usize {
    let is_ascii = text.is_ascii();
    let mut count = 0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        count += 1;
        rest = after_sentence(rest, is_ascii);
    }
    count
}

fn after_sentence(text: &str, is_ascii: bool) -> &str {
    let mut at = 0;
    while let Some((found, terminal)) = next_terminal(text, at, is_ascii) {
        let after = text[found + terminal.len_utf8()..].trim_start_matches(belongs_to_end);
        at = text.len() - after.len();
        let next = after.trim_start();
        let is_spaced = next.len() < after.len();
        let Some(first) = next.chars().next() else {
            return "";
        };
        let ends = if needs_space(terminal) {
            is_spaced
                && !first.is_lowercase()
                && !(terminal == '.' && is_abbreviation(&text[..found], next))
        } else {
            is_spaced || !(is_wide_stop(terminal) && first.is_numeric())
        };
        if ends && !continues(first) {
            return next;
        }
    }
    ""
}

/// Returns the next character from `at` on that may end a sentence, with its offset.
fn next_terminal(text: &str, at: usize, is_ascii: bool) -> Option<(usize, char)> {
    let rest = &text[at..];
    let found = if is_ascii {
        memchr::memchr3(b'.', b'!', b'?', rest.as_bytes())?
    } else {
        rest.find(is_terminal)?
    };
    Some((at + found, rest[found..].chars().next()?))
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
            ("Some, e.g. these, i.e. two. Done!", 2),
            ("Really?! Yes. (No.) So", 4),
            ("He said \"stop.\" Then left.", 2),
            ("完成。全部。", 2),
            ("Ran 3 tests. 2 passed.", 2),
            ("  Done. Über. ", 2),
            ("完成。And more", 2),
            ("Wrote naïve.rs and über.md.", 1),
            ("Naïve? No! Done", 3),
            ("Ends. (In brackets.) after", 2),
            ("Done...  Really", 2),
            ("**Done.** Next part. `cargo test`.", 3),
            ("Wrote `a.rs.` Then `b.rs`.", 2),
            ("Is `a ?.b` in https://x.org/?q=1 Done", 1),
            ("Done, etc., And more", 1),
        ] {
            assert_eq!(sentences(text), count, "{text}");
        }
    }

    #[test]
    fn abbreviations_end_no_sentence() {
        for (text, count) in [
            ("Dr. Smith asked Prof. Lee and Mrs. Kim.", 1),
            (
                "Shown in Fig. 2 and Eq. 3, Vol. 12, No. 5, App. B of v. 2.",
                1,
            ),
            (
                "See (cf. Knuth), i.e. This, e.g. That, approx. 5 hours vs. Ten.",
                1,
            ),
            ("Found by J. Smith, J. R. R. Tolkien and Dr. A. Miller.", 1),
            ("J. Smith and Donald E. Knuth wrote it.", 1),
            ("Sent by J.K. Rowling on Jan. 5.", 1),
            ("Wrote v1.2.3 of 3.14 in 1.5 s.", 1),
            ("1. Read the stations. 2. Wrote the tables.", 2),
            // The same words, where a sentence ends.
            ("Drew the Fig. Then the text.", 2),
            ("Is it done? No. A test failed.", 3),
            ("Finished phase B. Tests pass.", 2),
            ("Finished the Phase B. Tests pass.", 2),
            ("Chose C. Tests pass.", 2),
            ("So do I. Then tests.", 2),
            ("A. B. C. D. E. F.", 6),
            ("See Fig. B. Then the text.", 2),
            ("Bought it in the U.S. Then sold it.", 2),
            ("Used version 2. Tests pass.", 2),
            ("Asked Dr. Smith. He agrees.", 2),
            ("Asked Dr", 1),
            ("No. 2 pencils. Two.", 2),
        ] {
            assert_eq!(sentences(text), count, "{text}");
        }
    }

    #[test]
    fn the_terminals_of_every_script_count() {
        for (text, count) in [
            ("完成。全部。", 2),
            ("完成！！次", 2),
            ("「行く？」、と言った。", 1),
            ("（完了。）次。", 2),
            ("３．５を書いた．次。", 2),
            ("完成。and more", 2),
            ("انتهى العمل؟ نعم۔ بدأنا", 3),
            ("काम हुआ। अब परीक्षण।", 2),
            ("Ավարտված է։ Հետո", 2),
            ("ተጠናቀቀ። ቀጣይ", 2),
            ("Really⁈ Yes‼", 2),
            ("Really⁈ he said", 1),
            ("Готово. Тесты проходят.", 2),
            ("写了 v1.2.3 和 Fig. 2。Dr. Smith 同意。", 2),
            ("É. Dupont l’a vu.", 1),
        ] {
            assert_eq!(sentences(text), count, "{text}");
        }
    }
}
