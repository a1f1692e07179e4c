//! The characters that end a sentence, in any script.

/// `Sentence_Terminal` of Unicode 16.0 beyond ASCII, from `PropList.txt` of the Unicode Character
/// Database: the first and the last character of each range, in turn. A test compares it with the tables
/// of another project.
const TERMINALS: [u32; 170] = [
    0x589, 0x589, 0x61d, 0x61f, 0x6d4, 0x6d4, 0x700, 0x702, 0x7f9, 0x7f9, 0x837, 0x837, 0x839,
    0x839, 0x83d, 0x83e, 0x964, 0x965, 0x104a, 0x104b, 0x1362, 0x1362, 0x1367, 0x1368, 0x166e,
    0x166e, 0x1735, 0x1736, 0x17d4, 0x17d5, 0x1803, 0x1803, 0x1809, 0x1809, 0x1944, 0x1945, 0x1aa8,
    0x1aab, 0x1b4e, 0x1b4f, 0x1b5a, 0x1b5b, 0x1b5e, 0x1b5f, 0x1b7d, 0x1b7f, 0x1c3b, 0x1c3c, 0x1c7e,
    0x1c7f, 0x2024, 0x2024, 0x203c, 0x203d, 0x2047, 0x2049, 0x2cf9, 0x2cfb, 0x2e2e, 0x2e2e, 0x2e3c,
    0x2e3c, 0x2e53, 0x2e54, 0x3002, 0x3002, 0xa4ff, 0xa4ff, 0xa60e, 0xa60f, 0xa6f3, 0xa6f3, 0xa6f7,
    0xa6f7, 0xa876, 0xa877, 0xa8ce, 0xa8cf, 0xa92f, 0xa92f, 0xa9c8, 0xa9c9, 0xaa5d, 0xaa5f, 0xaaf0,
    0xaaf1, 0xabeb, 0xabeb, 0xfe12, 0xfe12, 0xfe15, 0xfe16, 0xfe52, 0xfe52, 0xfe56, 0xfe57, 0xff01,
    0xff01, 0xff0e, 0xff0e, 0xff1f, 0xff1f, 0xff61, 0xff61, 0x1_0a56, 0x1_0a57, 0x1_0f55, 0x1_0f59,
    0x1_0f86, 0x1_0f89, 0x1_1047, 0x1_1048, 0x1_10be, 0x1_10c1, 0x1_1141, 0x1_1143, 0x1_11c5,
    0x1_11c6, 0x1_11cd, 0x1_11cd, 0x1_11de, 0x1_11df, 0x1_1238, 0x1_1239, 0x1_123b, 0x1_123c,
    0x1_12a9, 0x1_12a9, 0x1_13d4, 0x1_13d5, 0x1_144b, 0x1_144c, 0x1_15c2, 0x1_15c3, 0x1_15c9,
    0x1_15d7, 0x1_1641, 0x1_1642, 0x1_173c, 0x1_173e, 0x1_1944, 0x1_1944, 0x1_1946, 0x1_1946,
    0x1_1a42, 0x1_1a43, 0x1_1a9b, 0x1_1a9c, 0x1_1c41, 0x1_1c42, 0x1_1ef7, 0x1_1ef8, 0x1_1f43,
    0x1_1f44, 0x1_6a6e, 0x1_6a6f, 0x1_6af5, 0x1_6af5, 0x1_6b37, 0x1_6b38, 0x1_6b44, 0x1_6b44,
    0x1_6d6e, 0x1_6d6f, 0x1_6e98, 0x1_6e98, 0x1_bc9f, 0x1_bc9f, 0x1_da88, 0x1_da88,
];

pub(super) fn is_terminal(character: char) -> bool {
    if character < '\u{589}' {
        return matches!(character, '.' | '!' | '?');
    }
    let code = u32::from(character);
    let before = TERMINALS.partition_point(|edge| *edge < code);
    before % 2 == 1 || TERMINALS.get(before) == Some(&code)
}

/// Whether a terminal ends a sentence only before white space. Latin text has such characters inside
/// names, numbers and code, too.
pub(super) fn needs_space(terminal: char) -> bool {
    terminal.is_ascii() || matches!(terminal, '\u{2000}'..='\u{2e7f}')
}

/// Whether this is a wide full stop of East Asian text, which is also the decimal point of wide digits.
pub(super) fn is_wide_stop(terminal: char) -> bool {
    matches!(terminal, '\u{fe52}' | '\u{ff0e}')
}

/// Whether a character after a terminal still belongs to the same sentence: another terminal, a closing
/// quote or bracket, or the end of emphasis or code in Markdown.
pub(super) fn belongs_to_end(next: char) -> bool {
    match next {
        '.' | '!' | '?' | '"' | '\'' | ')' | ']' | '}' | '*' | '_' | '`' => true,
        next if next.is_ascii() => false,
        '«' | '»' | '‘' | '’' | '“' | '”' | '‹' | '›' | '〉' | '》' | '」' | '』' | '】' | '〕'
        | '）' | '］' | '＂' | '＇' | '｣' => true,
        next => is_terminal(next),
    }
}

/// Whether a character continues the sentence after a terminal, as in `etc., and`.
pub(super) fn continues(next: char) -> bool {
    matches!(
        next,
        ',' | ':' | ';' | '،' | '、' | '，' | '：' | '；' | '､'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex_syntax::hir::{Class, HirKind};

    #[test]
    fn the_terminals_are_those_of_unicode() {
        let hir = regex_syntax::parse(r"\p{Sentence_Terminal}").expect("a class");
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
            panic!("no class of characters: {hir:?}");
        };
        let is_listed = |character| {
            let mut ranges = class.ranges().iter();
            ranges.any(|range| (range.start()..=range.end()).contains(&character))
        };
        for character in '\0'..=char::MAX {
            assert_eq!(
                is_terminal(character),
                is_listed(character),
                "{character:?}"
            );
        }
    }
}
