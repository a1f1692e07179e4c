//! Appends short texts. A call that copies any number of bytes costs more than copying the few bytes of
//! a word, above all with musl. A copy whose length is known at compile time needs no call, so a short
//! text is appended in two copies of a fixed length, which may overlap.

/// The most bytes that are appended without a call.
const SHORT: usize = 64;

pub(crate) fn push_str(out: &mut String, text: &str) {
    let is_appended = match text.len() {
        0 => true,
        1 => push_ends::<1>(out, text),
        2..4 => push_ends::<2>(out, text),
        4..8 => push_ends::<4>(out, text),
        8..16 => push_ends::<8>(out, text),
        16..32 => push_ends::<16>(out, text),
        32..=SHORT => push_ends::<32>(out, text),
        _ => false,
    };
    if !is_appended {
        out.push_str(text);
    }
}

/// Appends the first `N` bytes and then the last `N`, which may overlap. Returns false and appends
/// nothing if that would split a character.
fn push_ends<const N: usize>(out: &mut String, text: &str) -> bool {
    let start = text.len() - N;
    let (Some(first), Some(last)) = (text.get(..N), text.get(start..)) else {
        return false;
    };
    let end = out.len() + start;
    out.push_str(first);
    out.truncate(end);
    out.push_str(last);
    true
}

pub(crate) fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        0 => {}
        1 => out.push(bytes[0]),
        2..4 => push_byte_ends::<2>(out, bytes),
        4..8 => push_byte_ends::<4>(out, bytes),
        8..16 => push_byte_ends::<8>(out, bytes),
        16..32 => push_byte_ends::<16>(out, bytes),
        32..=SHORT => push_byte_ends::<32>(out, bytes),
        _ => out.extend_from_slice(bytes),
    }
}

/// Appends the first `N` bytes and then the last `N`, which may overlap.
fn push_byte_ends<const N: usize>(out: &mut Vec<u8>, bytes: &[u8]) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
        let end = out.len() + bytes.len();
        out.extend_from_slice(first);
        out.truncate(end - N);
        out.extend_from_slice(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns texts of every length up to twice the limit, in ASCII and in other characters.
    fn texts() -> impl Iterator<Item = String> {
        let ascii = (0..2 * SHORT).map(|length| "abcdefghijklm".repeat(10)[..length].to_owned());
        let around = |length| {
            let plain = "xyz".repeat(length);
            [format!("{plain}é表✅"), format!("é表✅{plain}")]
        };
        ascii.chain((0..SHORT).flat_map(around))
    }

    #[test]
    fn texts_of_every_length_are_appended_whole() {
        for text in texts() {
            let mut out = "before ".to_owned();
            push_str(&mut out, &text);
            assert_eq!(out, format!("before {text}"));
        }
    }

    #[test]
    fn bytes_of_every_length_are_appended_whole() {
        for text in texts() {
            for before in ["", "before "] {
                let mut out = before.as_bytes().to_vec();
                push_bytes(&mut out, text.as_bytes());
                assert_eq!(out, format!("{before}{text}").into_bytes());
            }
        }
    }
}
