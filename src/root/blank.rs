//! Whether a file has any visible character.

use std::fs::File;
use std::io::{self, Read};

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
    let mut start = [0; 64];
    let mut scan = InvisibleScan::default();
    match read(&mut file, &mut start) {
        Ok(length) => {
            let passed = scan.passes_start(&start[..length]);
            passed && (length == 0 || is_rest_blank(file, scan, length as u64))
        }
        Err(_) => false,
    }
}

/// Only for files that begin with 64 invisible bytes, or have no others.
#[cold]
fn is_rest_blank(mut file: impl Sparse, mut scan: InvisibleScan, start: u64) -> bool {
    let (mut at, mut data) = (start, start);
    let mut part = [0; 4096];
    loop {
        let Some(next) = file.next_data(at) else {
            return scan.is_between_characters();
        };
        // A hole is NUL bytes, which do not continue a character.
        if data > DATA_AT_MOST || (next > at && !scan.is_between_characters()) {
            return false;
        }
        match read(&mut file, &mut part) {
            Ok(0) => return scan.is_between_characters(),
            Ok(length) if scan.passes(&part[..length]) => {
                at = next + length as u64;
                data += length as u64;
            }
            Ok(_) | Err(_) => return false,
        }
    }
}

fn read(file: &mut impl Read, part: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Skips invisible characters in a UTF-8 text that comes in parts.
#[derive(Default)]
struct InvisibleScan {
    /// The first bytes of a character whose other bytes are in the next part.
    begun: [u8; 4],
    length: usize,
}

impl InvisibleScan {
    /// Like [`passes`](Self::passes), for the start of a file. It also skips the byte-order mark of
    /// UTF-16. The rest of a blank UTF-16 text needs no decoding: each ASCII blank is a blank and a NUL
    /// byte there.
    fn passes_start(&mut self, part: &[u8]) -> bool {
        let mark = [&b"\xff\xfe"[..], b"\xfe\xff"];
        let text = mark.iter().find_map(|mark| part.strip_prefix(*mark));
        self.passes(text.unwrap_or(part))
    }

    fn passes(&mut self, part: &[u8]) -> bool {
        part.iter().all(|byte| self.passes_byte(*byte))
    }

    fn passes_byte(&mut self, byte: u8) -> bool {
        if self.length == 0 && byte.is_ascii() {
            return is_invisible(char::from(byte));
        }
        // An incomplete character has at most three bytes, so there is room for one more.
        self.begun[self.length] = byte;
        self.length += 1;
        match std::str::from_utf8(&self.begun[..self.length]) {
            Ok(character) => {
                self.length = 0;
                character.chars().all(is_invisible)
            }
            Err(error) => error.error_len().is_none(),
        }
    }

    fn is_between_characters(&self) -> bool {
        self.length == 0
    }
}
