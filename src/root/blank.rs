//! Whether a file has any visible character.

use std::fs::File;
use std::io::{ErrorKind, Read};

use crate::text::is_invisible;

/// The most bytes of data that are read, or one part more. Holes of a sparse file are not read.
const DATA_AT_MOST: u64 = 64 * 1024;

pub(super) trait Sparse: Read {
    /// Moves to the first data at or after `at`, which is the current position, and returns its offset.
    /// None if there is only a hole up to the end.
    fn next_data(&mut self, at: u64) -> Option<u64>;
}

impl Sparse for File {
    // Linux tells where holes are.
    #[cfg(target_os = "linux")]
    fn next_data(&mut self, at: u64) -> Option<u64> {
        match rustix::fs::seek(self, rustix::fs::SeekFrom::Data(at)) {
            Ok(next) => Some(next),
            Err(rustix::io::Errno::NXIO) => None,
            // The file system does not report holes.
            Err(_) => Some(at),
        }
    }

    // Other systems read holes as zeros.
    #[cfg(not(target_os = "linux"))]
    fn next_data(&mut self, at: u64) -> Option<u64> {
        Some(at)
    }
}

/// Whether no character of a file is visible. A file with more data than [`DATA_AT_MOST`] before the
/// first visible character, or one that cannot be read to its end, does not count as blank.
pub(super) fn is_blank(mut file: impl Sparse) -> bool {
    // Most files begin with a visible character, so the first part is short.
    let (mut part, mut most) = ([0; 4096], 64);
    let (mut at, mut data) = (0, 0);
    // The first bytes of a character whose other bytes are in the next part.
    let mut begun = Vec::new();
    loop {
        let text = match file.read(&mut part[..most]) {
            Ok(0) => return begun.is_empty(),
            Ok(length) => &part[..length],
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return false,
        };
        let visible = if at == 0 { without_mark(text) } else { text };
        if !visible.iter().all(|byte| passes(&mut begun, *byte)) {
            return false;
        }
        at += text.len() as u64;
        data += text.len() as u64;
        most = part.len();
        let Some(next) = file.next_data(at) else {
            return begun.is_empty();
        };
        // A hole is NUL bytes, which do not continue a character.
        if data > DATA_AT_MOST || (next > at && !begun.is_empty()) {
            return false;
        }
        at = next;
    }
}

/// The start of a file without the byte-order mark of UTF-16. The rest of a blank UTF-16 text needs no
/// decoding: each ASCII blank is a blank and a NUL byte there.
fn without_mark(start: &[u8]) -> &[u8] {
    let mark = [&b"\xff\xfe"[..], b"\xfe\xff"];
    let text = mark.iter().find_map(|mark| start.strip_prefix(*mark));
    text.unwrap_or(start)
}

/// Whether a byte may be one of an invisible character of UTF-8. `begun` are the bytes of the character before
/// it.
fn passes(begun: &mut Vec<u8>, byte: u8) -> bool {
    begun.push(byte);
    match std::str::from_utf8(begun) {
        Ok(character) => {
            let is_invisible = character.chars().all(is_invisible);
            begun.clear();
            is_invisible
        }
        Err(error) => error.error_len().is_none(),
    }
}
