//! Counts sentences.

/// Sentences of a text. A full stop inside a number, a file name or an abbreviation ends none: the
/// next sentence begins with white space and anything but a small letter.
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
    while let Some((found, end)) = next_end(text, at, is_ascii) {
        let after = text[found + end.len_utf8()..].trim_start_matches(belongs_to_end);
        at = text.len() - after.len();
        let next = after.trim_start();
        let is_apart = next.len() < after.len() || !end.is_ascii();
        if next.is_empty() || (is_apart && !next.starts_with(char::is_lowercase)) {
            return next;
        }
    }
    ""
}

fn belongs_to_end(next: char) -> bool {
    matches!(
        next,
        '.' | '!' | '?' | '"' | '\'' | '”' | '’' | ')' | ']' | '»'
    )
}

/// The next character from `at` on that may end a sentence.
fn next_end(text: &str, at: usize, is_ascii: bool) -> Option<(usize, char)> {
    let rest = &text[at..];
    let found = if is_ascii {
        memchr::memchr3(b'.', b'!', b'?', rest.as_bytes())?
    } else {
        rest.find(['.', '!', '?', '。', '！', '？'])?
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
        ] {
            assert_eq!(sentences(text), count, "{text}");
        }
    }
}
