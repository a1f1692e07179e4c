//! The end of a string in a JSON text.

use wide::u8x16;

/// How many bytes are compared at once. They fit into a register of any processor.
const BLOCK: usize = 16;

/// How many bytes come before the first quote or backslash. None if there is neither.
#[inline]
pub(crate) fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    first(bytes, quotes_and_backslashes)
}

/// How many bytes come before the first one that is not plain, which a string cannot have unescaped: a
/// quote, a backslash or a control character. None if all are plain.
#[inline]
pub(crate) fn end_of_plain(bytes: &[u8]) -> Option<usize> {
    first(bytes, not_plain)
}

#[inline]
fn not_plain(block: u8x16) -> u8x16 {
    let controls = block.min(u8x16::splat(b' ' - 1)).simd_eq(block);
    quotes_and_backslashes(block) | controls
}

#[inline]
fn quotes_and_backslashes(block: u8x16) -> u8x16 {
    block.simd_eq(u8x16::splat(b'"')) | block.simd_eq(u8x16::splat(b'\\'))
}

/// The offset of the first byte that `marks` finds. It gets one block at a time.
#[inline]
fn first(bytes: &[u8], marks: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    first_in_blocks(bytes, &marks).or_else(|| first_in_rest(bytes, marks))
}

/// The same in the bytes after the last whole block.
#[cold]
fn first_in_rest(bytes: &[u8], marks: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    // The block is filled up with a byte that is found. A result in this part is dropped.
    let mut last = [b'"'; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let found = first_in_blocks(&last, marks).filter(|found| *found < rest.len());
    found.map(|found| blocks.len() * BLOCK + found)
}

#[inline]
fn first_in_blocks(bytes: &[u8], marks: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    let mut rest = bytes;
    while let Some((block, later)) = rest.split_first_chunk() {
        let places = marks(u8x16::new(*block)).to_bitmask();
        if places != 0 {
            return Some(bytes.len() - rest.len() + places.trailing_zeros() as usize);
        }
        rest = later;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mark_is_found_wherever_it_is() {
        // Bytes whose values are next to those of the marks, or near the limits of ASCII and of a byte.
        for filler in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
            for length in 0..60 {
                let mut bytes = vec![filler; length];
                assert_eq!(end_of_plain(&bytes), None);
                for at in (0..length).rev() {
                    for mark in *b"\"\\" {
                        bytes[at] = mark;
                        assert_eq!(quote_or_backslash(&bytes), Some(at), "{filler} {length}");
                        assert_eq!(end_of_plain(&bytes), Some(at), "{filler} {length}");
                    }
                }
            }
        }
    }

    #[test]
    fn control_characters_end_only_what_is_plain() {
        for at in 0..40 {
            let mut bytes = [b'a'; 40];
            for control in 0..b' ' {
                bytes[at] = control;
                assert_eq!(end_of_plain(&bytes), Some(at));
                assert_eq!(quote_or_backslash(&bytes), None);
            }
        }
    }
}
