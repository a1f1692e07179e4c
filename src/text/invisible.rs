//! Characters that are not visible. A text of such characters counts as blank.

/// Whether a text is empty or has no visible character. Reads the text only up to the first visible one.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    let starts_visibly = text
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_graphic());
    !starts_visibly && text.chars().all(is_invisible)
}

/// Whether a character is white space, ignored in display, or NUL.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    character.is_whitespace() || character == '\0' || is_ignorable(character)
}

/// `Default_Ignorable_Code_Point` of Unicode 17.0, from `DerivedCoreProperties.txt` of the Unicode
/// Character Database. `tests/check/invisible.rs` compares it with the tables of another project.
pub(crate) fn is_ignorable(character: char) -> bool {
    // This is the lowest of them. Most characters are below it.
    character >= '\u{ad}'
        && matches!(character,
            '\u{ad}' // soft hyphen
            | '\u{34f}' // grapheme joiner
            | '\u{61c}' // Arabic letter mark
            | '\u{115f}'..='\u{1160}' // Hangul fillers
            | '\u{17b4}'..='\u{17b5}' // Khmer vowels
            | '\u{180b}'..='\u{180f}' // Mongolian variation selectors
            | '\u{200b}'..='\u{200f}' // zero width, direction marks
            | '\u{202a}'..='\u{202e}' // bidirectional embeddings
            | '\u{2060}'..='\u{206f}' // joiners, invisible operators, bidirectional isolates
            | '\u{3164}' // Hangul filler
            | '\u{fe00}'..='\u{fe0f}' // variation selectors
            | '\u{feff}' // byte-order mark
            | '\u{ffa0}' // half-width Hangul filler
            | '\u{fff0}'..='\u{fff8}' // unassigned
            | '\u{1bca0}'..='\u{1bca3}' // shorthand controls
            | '\u{1d173}'..='\u{1d17a}' // musical controls
            | '\u{e0000}'..='\u{e0fff}' // tags, variation selectors
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_blank_if_nothing_in_it_can_be_seen() {
        for blank in [
            "",
            " ",
            "\t\r\n",
            "\u{a0}\u{3000}",
            "\u{feff}",
            "\0\u{200b}",
        ] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for text in [
            "a",
            " a",
            "\n a ",
            "é",
            "\u{a0}é",
            ".",
            "\u{200b}x",
            "\u{1b}",
        ] {
            assert!(!is_blank(text), "{text:?}");
        }
    }
}
