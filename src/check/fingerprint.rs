//! Fingerprints, which are the same on every machine and in every run.

use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher24};

/// Makes a fingerprint of several parts: SipHash-2-4 with 128 bits and the key 0. After each part comes
/// a byte that does not occur in UTF-8, so that the border between two parts counts, too.
#[derive(Default)]
pub(crate) struct Fingerprinter(SipHasher24);

impl Fingerprinter {
    pub(crate) fn piece(&mut self, text: &str) {
        self.0.write(text.as_bytes());
    }

    pub(crate) fn end_part(&mut self) {
        self.0.write(&[0xff]);
    }

    pub(crate) fn finish(self) -> u128 {
        u128::from_be_bytes(self.0.finish128().as_bytes())
    }
}

pub(crate) fn of(parts: &[&str]) -> u128 {
    let mut fingerprinter = Fingerprinter::default();
    for part in parts {
        fingerprinter.piece(part);
        fingerprinter.end_part();
    }
    fingerprinter.finish()
}

/// Returns a fingerprint as documents show it: 32 hexadecimal digits.
pub(crate) fn hexadecimal(fingerprint: u128) -> String {
    format!("{fingerprint:032x}")
}

/// Returns the fingerprint of a text as documents show it.
pub(crate) fn fingerprint(text: &[u8]) -> String {
    let mut fingerprinter = Fingerprinter::default();
    fingerprinter.0.write(text);
    hexadecimal(fingerprinter.finish())
}
