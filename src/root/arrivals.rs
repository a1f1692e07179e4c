//! A cache of missing files that is valid until the next return arrives.
//!
//! If a file is missing after a return has arrived, it is missing for that return, whichever check
//! looked it up. A return that arrives later may have been written after the file, so the file is looked
//! up again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::root::path_table::PathTable;

/// Counts how many times returns have arrived. Clones share one count.
#[derive(Debug, Clone, Default)]
pub struct Arrivals(Arc<AtomicU64>);

impl Arrivals {
    /// Counts an arrival of one or more returns. Must be called before any of them is checked.
    pub fn note(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns how many arrivals were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Remembers missing files until the next return arrives.
#[derive(Debug)]
pub(super) struct Absences {
    arrivals: Arrivals,
    /// The moment of the last lookup of each missing file. The table is created for the first missing
    /// file.
    table: OnceLock<PathTable>,
}

impl Absences {
    pub(super) fn new(arrivals: Arrivals) -> Self {
        Self {
            arrivals,
            table: OnceLock::new(),
        }
    }

    pub(super) fn moment(&self) -> u64 {
        // The table holds only numbers above 0.
        self.arrivals.count() + 1
    }

    /// Whether a file has been missing since the last return arrived.
    pub(super) fn knows(&self, path: &[u8]) -> bool {
        let Some(table) = self.table.get() else {
            return false;
        };
        table.recall(table.key(path)) == Some(self.moment())
    }

    /// Notes a file that was missing when it was looked up. `moment` was taken before the lookup.
    pub(super) fn note(&self, path: &[u8], moment: u64) {
        let table = self.table.get_or_init(PathTable::new);
        table.note(table.key(path), moment);
    }
}
