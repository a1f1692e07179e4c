//! A limit of the work for one return: a small hostile repository can unpack to any size.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::RepositoryGap;

/// Most bytes that are read and unpacked until the budget is renewed: about a second of work.
const BYTES_AT_MOST: u64 = 256 << 20;

/// How many bytes have been read and unpacked. Other work counts as the number of bytes that take the
/// same time.
#[derive(Debug, Default)]
pub(in super::super) struct Budget(AtomicU64);

impl Budget {
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
