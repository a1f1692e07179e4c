//! Variants of a text, for tests of readers.

/// Calls `check` with a text, with each of its beginnings, and with every variant that has one of the pieces
/// inserted at a position or in place of a character.
pub(crate) fn each(text: &str, pieces: &[&str], mut check: impl FnMut(&str)) {
    check(text);
    for (at, character) in text.char_indices() {
        let (before, after) = text.split_at(at);
        check(before);
        for piece in pieces {
            check(&format!("{before}{piece}{after}"));
            let rest = &after[character.len_utf8()..];
            check(&format!("{before}{piece}{rest}"));
        }
    }
}
