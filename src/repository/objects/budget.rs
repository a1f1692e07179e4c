//! What the questions about one return may cost: a small hostile repository can unpack to any size.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::RepositoryGap;

/// Bytes that are read and unpacked until the budget is renewed. A second of work.
const BYTES_AT_MOST: u64 = 256 << 20;

/// Bytes that can still be read and unpacked. What takes time for another reason costs as many bytes
/// as would take as long.
#[derive(Debug, Default)]
pub(in super::super) struct Budget(AtomicU64);

impl Budget {
    /// Begins with another return.
    pub(super) fn renew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub(in super::super) fn spend(&self, bytes: usize) -> Result<(), RepositoryGap> {
        let bytes = bytes as u64;
        let spent = self.0.fetch_add(bytes, Ordering::Relaxed);
        if spent.saturating_add(bytes) > BYTES_AT_MOST {
            Err(RepositoryGap::TooLarge)
        } else {
            Ok(())
        }
    }
}
