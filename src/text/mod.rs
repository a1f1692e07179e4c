//! Positions in a text, and functions for untrusted text.

pub(crate) mod escape;
mod invisible;
pub(crate) mod markup;
mod names;
pub(crate) mod sentences;
pub(crate) mod suggest;

pub(crate) use invisible::{is_blank, is_ignorable, is_invisible};
pub use names::NameError;
pub(crate) use names::{Named, names, read_name};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub(crate) fn new(start: usize, length: usize) -> Self {
        Self { start, end: start + length }
    }
}

/// A position in a file, as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1. Only a line feed ends a line.
    pub line: usize,
    /// The column, from 1, in Unicode scalar values.
    pub column: usize,
    /// The offset in the file, in bytes from 0.
    pub offset: usize,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1, offset: 0 };
}

/// Where the checked bytes begin in their file, if they are one line of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Base {
    /// The line of the first byte, from 1.
    pub line: usize,
    /// The first byte's offset in the file, from 0.
    pub offset: usize,
}

impl Default for Base {
    fn default() -> Self {
        Self { line: 1, offset: 0 }
    }
}

/// Returns a number and what it counts. `name` is in the singular; its plural is formed with an `s`.
pub(crate) fn count(number: usize, name: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {name}{plural}")
}

/// Returns at least `least` backticks, more than the text has in a row.
pub(crate) fn backticks(text: &str, least: usize) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    "`".repeat(least.max(runs.max().unwrap_or(0) + 1))
}

/// Returns the first `characters` Unicode scalar values of a text.
pub(crate) fn cut(text: &str, characters: usize) -> &str {
    if text.len() <= characters {
        return text;
    }
    let end = text.char_indices().nth(characters);
    end.map_or(text, |(end, _)| &text[..end])
}

/// Converts ascending byte offsets to positions in one pass over the bytes.
pub(crate) struct Positions<'b> {
    bytes: &'b [u8],
    base: Base,
    at: usize,
    line: usize,
    column: usize,
}

impl<'b> Positions<'b> {
    pub(crate) fn new(bytes: &'b [u8], base: Base) -> Self {
        Self { bytes, base, at: 0, line: base.line, column: 1 }
    }

    /// The position of a byte, which must not be before that of the previous call.
    pub(crate) fn of(&mut self, offset: usize) -> Position {
        let to = offset.min(self.bytes.len()).max(self.at);
        let mut passed = &self.bytes[self.at..to];
        if let Some(last) = memchr::memrchr(b'\n', passed) {
            self.line += memchr::memchr_iter(b'\n', passed).count();
            self.column = 1;
            passed = &passed[last + 1..];
        }
        self.column += characters(passed);
        self.at = to;
        Position { line: self.line, column: self.column, offset: self.base.offset + to }
    }
}

/// Counts Unicode scalar values, which are the bytes that do not continue a UTF-8 sequence.
fn characters(bytes: &[u8]) -> usize {
    let begins = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    bytes.iter().filter(begins).count()
}

#[cfg(test)]
pub(crate) mod variants {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str, offset: usize) -> (usize, usize) {
        let found = Positions::new(text.as_bytes(), Base::default()).of(offset);
        (found.line, found.column)
    }

    #[test]
    fn lines_and_columns_count_from_one_in_scalar_values() {
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("ab\ncd", 1), (1, 2));
        assert_eq!(position("ab\ncd", 3), (2, 1));
        assert_eq!(position("é𝄞x", 6), (1, 3));
        assert_eq!(position("a\r\nb", 3), (2, 1));
        let long = format!("{}\n{}", "é".repeat(500), "aé".repeat(500));
        assert_eq!(position(&long, long.len()), (2, 1001));
    }

    #[test]
    fn text_is_cut_between_characters() {
        let text = "é𝄞x";
        assert_eq!([0, 1, 2].map(|most| cut(text, most)), ["", "é", "é𝄞"]);
        assert_eq!((cut(text, 3), cut(text, 99)), (text, text));
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        assert_eq!(position("ab", 99), (1, 3));
    }

    #[test]
    fn positions_continue_from_the_previous_one() {
        let mut positions = Positions::new(b"a\nbc\nd", Base { line: 7, offset: 100 });
        assert_eq!(positions.of(3), Position { line: 8, column: 2, offset: 103 });
        assert_eq!(positions.of(3), Position { line: 8, column: 2, offset: 103 });
        assert_eq!(positions.of(5), Position { line: 9, column: 1, offset: 105 });
    }
}
