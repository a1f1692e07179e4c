//! Appends the pieces of a line one by one. This is done for each finding, and the formatting macros
//! would take more time than everything else that is done for it.

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
        itoa::Buffer::new().format(*self).push_to(line);
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

/// Appends bytes. With musl, a call that copies any number of bytes takes more time than the few bytes of
/// most pieces. A copy whose length is known at compile time needs no call, so a short piece is appended in
/// two copies of a fixed length, which may overlap.
fn push_bytes(line: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        0 => {}
        1 => line.push(bytes[0]),
        2..4 => push_ends::<2>(line, bytes),
        4..8 => push_ends::<4>(line, bytes),
        8..16 => push_ends::<8>(line, bytes),
        16..32 => push_ends::<16>(line, bytes),
        32..=64 => push_ends::<32>(line, bytes),
        _ => line.extend_from_slice(bytes),
    }
}

/// Appends the first `N` bytes and then the last `N`, which may overlap.
fn push_ends<const N: usize>(line: &mut Vec<u8>, bytes: &[u8]) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
        let end = line.len() + bytes.len();
        line.extend_from_slice(first);
        line.truncate(end - N);
        line.extend_from_slice(last);
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

#[cfg(test)]
mod tests {
    use super::push_bytes;

    #[test]
    fn bytes_of_every_length_are_appended_whole() {
        let bytes: Vec<u8> = (0..130).collect();
        for length in 0..bytes.len() {
            let mut line = b"before ".to_vec();
            push_bytes(&mut line, &bytes[..length]);
            assert_eq!(line, [b"before ", &bytes[..length]].concat());
        }
    }
}
