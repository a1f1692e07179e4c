//! Appending of short texts. A call that copies any number of bytes costs more than the copy of the
//! few bytes of a word, above all in programs with musl. Copies whose length is known when the
//! program is compiled need no call, so short texts are copied in such pieces.

/// The most bytes that are copied in pieces.
const SHORT: usize = 64;

/// Appends a text.
pub(crate) fn push_str(out: &mut String, text: &str) {
    let mut rest = text;
    if rest.len() <= SHORT {
        // No piece ends inside a character. What is left is appended as it is.
        while let Some((piece, later)) = rest.split_at_checked(16) {
            out.push_str(piece);
            rest = later;
        }
        if let Some((piece, later)) = rest.split_at_checked(8) {
            out.push_str(piece);
            rest = later;
        }
        if let Some((piece, later)) = rest.split_at_checked(4) {
            out.push_str(piece);
            rest = later;
        }
        if let Some((piece, later)) = rest.split_at_checked(2) {
            out.push_str(piece);
            rest = later;
        }
        if let Some((piece, later)) = rest.split_at_checked(1) {
            out.push_str(piece);
            rest = later;
        }
    }
    if !rest.is_empty() {
        out.push_str(rest);
    }
}

/// Appends bytes.
pub(crate) fn push_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        0 => {}
        1 => out.push(bytes[0]),
        2..4 => push_ends::<2>(out, bytes),
        4..8 => push_ends::<4>(out, bytes),
        8..16 => push_ends::<8>(out, bytes),
        16..32 => push_ends::<16>(out, bytes),
        32..=SHORT => push_ends::<32>(out, bytes),
        _ => out.extend_from_slice(bytes),
    }
}

/// Appends the first `N` bytes and the last `N`, which overlap.
fn push_ends<const N: usize>(out: &mut Vec<u8>, bytes: &[u8]) {
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

    /// Texts of every length around those where the way changes.
    fn texts() -> impl Iterator<Item = String> {
        let ascii = (0..2 * SHORT).map(|length| "abcdefghijklm".repeat(10)[..length].to_owned());
        let other = (0..SHORT).map(|length| format!("{}é表✅", "x".repeat(length)));
        ascii.chain(other)
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
