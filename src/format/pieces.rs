//! Appends the pieces of a line one by one. This is done for each finding, and the formatting macros
//! would take more time than everything else that is done for it.

use crate::text::append::push_bytes;
use crate::text::escape::Untrusted;

/// A part of a line.
pub(super) trait LinePiece {
    fn push_to(&self, line: &mut Vec<u8>);
}

impl LinePiece for str {
    fn push_to(&self, line: &mut Vec<u8>) {
        push_bytes(line, self.as_bytes());
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
        match u8::try_from(*self) {
            Ok(digit @ 0..10) => line.push(b'0' + digit),
            _ => itoa::Buffer::new().format(*self).push_to(line),
        }
    }
}

/// A number and what it counts: the singular of a noun. The plural is formed with an `s`.
pub(super) struct CountPiece(pub(super) usize, pub(super) &'static str);

impl LinePiece for CountPiece {
    fn push_to(&self, line: &mut Vec<u8>) {
        let Self(number, name) = self;
        number.push_to(line);
        line.push(b' ');
        name.push_to(line);
        if *number != 1 {
            line.push(b's');
        }
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

/// Appends pieces. It is a macro so that a literal, whose length is known at compile time, is appended
/// without a call.
macro_rules! push {
    ($line:expr, $($pieces:tt)+) => {{
        let line: &mut Vec<u8> = $line;
        $crate::format::pieces::push_each!(line, $($pieces)+);
    }};
}

/// Appends the first piece, then the others.
macro_rules! push_each {
    ($line:ident, $(,)?) => {};
    ($line:ident, $text:literal $(, $($rest:tt)*)?) => {
        $line.extend_from_slice($text.as_bytes());
        $($crate::format::pieces::push_each!($line, $($rest)*);)?
    };
    ($line:ident, $piece:expr $(, $($rest:tt)*)?) => {
        $crate::format::pieces::LinePiece::push_to(&$piece, $line);
        $($crate::format::pieces::push_each!($line, $($rest)*);)?
    };
}

/// Appends a line of pieces.
macro_rules! push_line {
    ($line:expr, $($piece:tt)+) => {{
        let line: &mut Vec<u8> = $line;
        $crate::format::pieces::push_each!(line, $($piece)+);
        line.push(b'\n');
    }};
}

pub(super) use {push, push_each, push_line};
