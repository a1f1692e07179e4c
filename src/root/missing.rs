//! A cache of missing files that is valid until the next return arrives.
//!
//! If a file is missing after a return has arrived, it is missing for that return, whichever check
//! looked it up. A return that arrives later may have been written after the file, so the file is looked
//! up again.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::root::FILES;
use crate::root::bounded_map::BoundedMap;
use crate::root::{Found, Root};

/// Counts the batches of returns that have arrived. Clones share one count.
#[derive(Debug, Clone, Default)]
pub(crate) struct BatchClock(Arc<AtomicU64>);

impl BatchClock {
    /// Counts a batch of one or more returns. Must be called before any of them is checked.
    pub(crate) fn tick(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns the number of batches so far.
    pub(crate) fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Remembers missing files until the next return arrives.
#[derive(Debug)]
pub(super) struct MissingCache {
    clock: BatchClock,
    /// The moment of the last lookup of each missing file. The table is created for the first missing
    /// file.
    table: OnceLock<BoundedMap<u64>>,
    /// How many files were missing before anything else was found, and whether something was.
    missing: AtomicUsize,
    has_others: AtomicBool,
}

impl MissingCache {
    pub(super) fn new(clock: BatchClock) -> Self {
        Self {
            clock,
            table: OnceLock::new(),
            missing: AtomicUsize::default(),
            has_others: AtomicBool::default(),
        }
    }

    /// Counts what was found. All workers share the count, so it ends with the first file.
    pub(super) fn count(&self, found: Found) {
        if found != Found::Nothing {
            self.has_others.store(true, Ordering::Relaxed);
        } else if !self.has_others.load(Ordering::Relaxed) {
            self.missing.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many files were looked up, if all of them were missing.
    pub(super) fn all(&self) -> Option<usize> {
        let has_others = self.has_others.load(Ordering::Relaxed);
        (!has_others).then(|| self.missing.load(Ordering::Relaxed))
    }

    pub(super) fn moment(&self) -> u64 {
        self.clock.now()
    }

    pub(super) fn knows(&self, path: &[u8]) -> bool {
        let Some(table) = self.table.get() else {
            return false;
        };
        table.get(path) == Some(self.moment())
    }

    /// Notes a file that was missing when it was looked up. `moment` was taken before the lookup.
    pub(super) fn note(&self, path: &[u8], moment: u64) {
        let table = self.table.get_or_init(|| BoundedMap::of(FILES));
        table.insert(path, moment);
    }
}

impl Root {
    /// Returns how many files were looked up, if none of them was there. None if absences are not cached.
    #[must_use]
    pub(crate) fn all_missing(&self) -> Option<usize> {
        self.missing.as_ref().and_then(MissingCache::all)
    }
}
