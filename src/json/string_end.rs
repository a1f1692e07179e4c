//! The end of a string in a JSON text.

/// The bytes of a string that are looked at in words. Keys and most short values end within them,
/// and a call of `memchr` costs more than they do.
const NEAR: usize = 24;

/// A byte of 1, and one of 128, at each place of a word.
const ONES: u64 = u64::MAX / 0xff;
const TOPS: u64 = ONES << 7;

/// How many bytes come before the first quote or backslash.
#[inline]
pub(crate) fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    let Some((near, far)) = bytes.split_first_chunk::<NEAR>() else {
        return memchr::memchr2(b'"', b'\\', bytes);
    };
    let (words, _) = near.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = marks(word, b'"') | marks(word, b'\\');
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    memchr::memchr2(b'"', b'\\', far).map(|found| NEAR + found)
}

/// The top bit of each place of `word` that holds `byte`. Places above the first one can be marked
/// wrongly, by a borrow.
#[inline]
fn marks(word: u64, byte: u8) -> u64 {
    let differs = word ^ (ONES * u64::from(byte));
    differs.wrapping_sub(ONES) & !differs & TOPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mark_is_found_wherever_it_is() {
        // Neighbours of both marks in value, so that a borrow would show, and the ends of a byte.
        for filler in [b'!', b'#', b'[', b']', 0, 1, 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
            for length in 0..60 {
                let mut bytes = vec![filler; length];
                assert_eq!(quote_or_backslash(&bytes), None);
                for at in (0..length).rev() {
                    for mark in *b"\"\\" {
                        bytes[at] = mark;
                        assert_eq!(quote_or_backslash(&bytes), Some(at), "{filler} {length}");
                    }
                }
            }
        }
    }
}
