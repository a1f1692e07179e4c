//! Reads several files before the first of them is checked.
//!
//! Opening and reading a file evicts the data for checking from the processor's caches, and the reverse.
//! It is faster to read several files and then to check them than to alternate.

use std::time::SystemTime;

/// The content of consecutive returns.
#[derive(Default)]
pub(crate) struct ReadReturns {
    bytes: Vec<u8>,
    returns: Vec<ReadReturn>,
}

struct ReadReturn {
    start: usize,
    end: usize,
    /// The modification time, or the error if the file could not be read.
    changed: anyhow::Result<Option<SystemTime>>,
}

/// After this many bytes, no more files are read ahead.
const ENOUGH: usize = 64 * 1024;

impl ReadReturns {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.returns.clear();
    }

    /// Adds a return. `read` appends its content to the bytes and returns the modification time.
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

    /// The content and the modification time of each return, or the error if it could not be read.
    pub(crate) fn drain(
        &mut self,
    ) -> impl Iterator<Item = anyhow::Result<(&[u8], Option<SystemTime>)>> {
        let bytes = &self.bytes;
        let returns = self.returns.drain(..);
        returns.map(|read| Ok((&bytes[read.start..read.end], read.changed?)))
    }
}
