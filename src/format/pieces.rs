//! Lines that are put together from pieces. Formatting would cost more than all else that is done
//! for a finding.

use crate::text::escape::Untrusted;
use crate::text::push_number;

/// A part of a line.
pub(super) trait LinePiece {
    fn push_to(&self, line: &mut String);
}

impl LinePiece for &str {
    fn push_to(&self, line: &mut String) {
        line.push_str(self);
    }
}

impl LinePiece for String {
    fn push_to(&self, line: &mut String) {
        line.push_str(self);
    }
}

impl LinePiece for usize {
    fn push_to(&self, line: &mut String) {
        push_number(line, *self);
    }
}

impl LinePiece for u64 {
    fn push_to(&self, line: &mut String) {
        match usize::try_from(*self) {
            Ok(number) => push_number(line, number),
            Err(_) => line.push_str(&self.to_string()),
        }
    }
}

impl LinePiece for Untrusted<'_> {
    fn push_to(&self, line: &mut String) {
        Untrusted::push_to(self, line);
    }
}

/// Appends pieces.
pub(super) fn push(text: &mut String, pieces: &[&dyn LinePiece]) {
    for piece in pieces {
        piece.push_to(text);
    }
}

/// Appends a line of pieces.
pub(super) fn push_line(text: &mut String, pieces: &[&dyn LinePiece]) {
    push(text, pieces);
    text.push('\n');
}
