//! What one question may cost: a small hostile repository can unpack to any size.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::RepositoryGap;

/// Bytes that are unpacked for one question.
const BYTES_AT_MOST: u64 = 1 << 30;

/// What each object costs besides, so that not too many are read.
const OBJECT_BYTES: u64 = 16 << 10;

#[derive(Debug, Default)]
pub(super) struct Budget(AtomicU64);

impl Budget {
    pub(super) fn renew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    pub(super) fn spend(&self, bytes: usize) -> Result<(), RepositoryGap> {
        let bytes = bytes as u64 + OBJECT_BYTES;
        let spent = self.0.fetch_add(bytes, Ordering::Relaxed);
        if spent > BYTES_AT_MOST {
            Err(RepositoryGap::TooLarge)
        } else {
            Ok(())
        }
    }
}
