//! Lines that are put together from pieces. Formatting would cost more than all else that is done
//! for a finding.

use crate::text::escape::Untrusted;

/// A part of a line.
pub(super) trait LinePiece {
    fn push_to(&self, line: &mut Vec<u8>);
}

impl LinePiece for str {
    #[inline]
    fn push_to(&self, line: &mut Vec<u8>) {
        line.extend_from_slice(self.as_bytes());
    }
}

impl LinePiece for String {
    fn push_to(&self, line: &mut Vec<u8>) {
        self.as_str().push_to(line);
    }
}

impl<T: LinePiece + ?Sized> LinePiece for &T {
    #[inline]
    fn push_to(&self, line: &mut Vec<u8>) {
        (*self).push_to(line);
    }
}

impl LinePiece for usize {
    fn push_to(&self, line: &mut Vec<u8>) {
        itoa::Buffer::new().format(*self).push_to(line);
    }
}

impl LinePiece for u64 {
    fn push_to(&self, line: &mut Vec<u8>) {
        itoa::Buffer::new().format(*self).push_to(line);
    }
}

impl LinePiece for Untrusted<'_> {
    fn push_to(&self, line: &mut Vec<u8>) {
        self.shown().as_ref().push_to(line);
    }
}

/// Appends pieces. A macro, because a fixed text whose length is known where it is appended costs
/// no call.
macro_rules! push {
    ($line:expr, $($piece:expr),+ $(,)?) => {{
        let line: &mut Vec<u8> = $line;
        $($crate::format::pieces::LinePiece::push_to(&$piece, line);)+
    }};
}

/// Appends a line of pieces.
macro_rules! push_line {
    ($line:expr, $($piece:expr),+ $(,)?) => {
        $crate::format::pieces::push!($line, $($piece,)+ "\n")
    };
}

pub(super) use {push, push_line};
