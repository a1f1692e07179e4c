//! Files that are read before the first of them is checked.
//!
//! To open and read a file displaces from the caches of the processor what checking needs, and the
//! other way round. Some files at a time are read faster than one at a time.

use std::time::SystemTime;

/// Returns that follow each other, as they were read.
#[derive(Default)]
pub(crate) struct ReadReturns {
    bytes: Vec<u8>,
    returns: Vec<ReadReturn>,
}

struct ReadReturn {
    start: usize,
    end: usize,
    /// When it was changed, or why it could not be read.
    changed: anyhow::Result<Option<SystemTime>>,
}

/// No more is read ahead after so many bytes.
const ENOUGH: usize = 64 * 1024;

impl ReadReturns {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.returns.clear();
    }

    /// Adds a return that `read` adds to the bytes.
    pub(super) fn add(
        &mut self,
        read: impl FnOnce(&mut Vec<u8>) -> anyhow::Result<Option<SystemTime>>,
    ) {
        let start = self.bytes.len();
        let changed = read(&mut self.bytes);
        if changed.is_err() {
            self.bytes.truncate(start);
        }
        self.returns.push(ReadReturn {
            start,
            end: self.bytes.len(),
            changed,
        });
    }

    pub(super) fn are_enough(&self) -> bool {
        self.bytes.len() >= ENOUGH
    }

    /// The bytes of each return and when it was changed, or why it could not be read.
    pub(crate) fn drain(
        &mut self,
    ) -> impl Iterator<Item = anyhow::Result<(&[u8], Option<SystemTime>)>> {
        let bytes = &self.bytes;
        let returns = self.returns.drain(..);
        returns.map(|read| Ok((&bytes[read.start..read.end], read.changed?)))
    }
}
