//! The bytes in a JSON string that are not the text itself.

/// Bytes that are looked at in words, before many are looked at together. Most strings end in them.
const NEAR: usize = 64;

/// A byte of 1, and one of 128, at each place of a word.
const ONES: u64 = u64::MAX / 0xff;
const TOPS: u64 = ONES << 7;

/// Where the first quote, backslash or control character of ASCII is, from `at` on: what ends a
/// string, begins an escape, or cannot stand there.
#[inline]
pub(crate) fn special(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let far = at + NEAR;
        while at < far {
            let rest = bytes.get(at..)?;
            let Some(word) = rest.first_chunk() else {
                let found = rest.iter().position(|byte| is_special(*byte));
                return found.map(|found| at + found);
            };
            let marks = marks(u64::from_le_bytes(*word));
            if marks != 0 {
                return Some(at + marks.trailing_zeros() as usize / 8);
            }
            at += size_of::<u64>();
        }
        at += plain(&bytes[at..]);
    }
}

#[allow(
    clippy::needless_bitwise_bool,
    reason = "without a way out in between, many bytes are looked at together"
)]
fn is_special(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < b' ')
}

/// The top bit of each place of `word` that holds a special byte. Places above the first one can be
/// marked wrongly, by a borrow.
#[inline]
fn marks(word: u64) -> u64 {
    // With this bit turned over, a quote is a space and comes next to the control characters.
    let low = word ^ (ONES * 2);
    let is_low = low.wrapping_sub(ONES * 0x21) & !low;
    let differs = word ^ (ONES * u64::from(b'\\'));
    let is_backslash = differs.wrapping_sub(ONES) & !differs;
    (is_low | is_backslash) & TOPS
}

/// How many bytes come before the first chunk with a special one.
fn plain(bytes: &[u8]) -> usize {
    const CHUNK: usize = 32;
    let (chunks, _) = bytes.as_chunks::<CHUNK>();
    let has_special =
        |chunk: &[u8; CHUNK]| chunk.iter().fold(false, |is, byte| is | is_special(*byte));
    let count = chunks.iter().position(has_special);
    count.unwrap_or(chunks.len()) * CHUNK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_found_wherever_it_is() {
        for filler in [
            b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa0, 0xa2, 0xdc, 0xff,
        ] {
            for length in 0..170 {
                let mut bytes = vec![filler; length];
                assert_eq!(special(&bytes, 0), None);
                assert_eq!(special(&bytes, length + 1), None);
                for at in (0..length).rev() {
                    for mark in *b"\"\\\0\x1f\n" {
                        bytes[at] = mark;
                        assert_eq!(special(&bytes, 0), Some(at), "{filler} {length}");
                        assert_eq!(special(&bytes, at), Some(at), "{filler} {length}");
                    }
                }
            }
        }
    }
}
