//! The files that were missing, for as long as that says something about other returns.
//!
//! A file that was missing when a return had already arrived is missing for that return, whoever
//! looked. A return that arrives later may have been written after the file: for it one must look
//! again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::root::path_table::PathTable;

/// Counts the moments at which returns arrive. All clones count together.
#[derive(Debug, Clone, Default)]
pub struct Arrivals(Arc<AtomicU64>);

impl Arrivals {
    /// Notes that returns have arrived, before any of them is checked.
    pub fn note(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// How many times it was noted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Remembers missing files until the next return arrives.
#[derive(Debug)]
pub(super) struct Absences {
    arrivals: Arrivals,
    /// The moment before the last look at each path. Made for the first missing file.
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
        // Numbers of the table are more than 0.
        self.arrivals.count() + 1
    }

    /// Whether a file has been missing since the last return arrived.
    pub(super) fn knows(&self, path: &[u8]) -> bool {
        let Some(table) = self.table.get() else {
            return false;
        };
        table.recall(table.key(path)) == Some(self.moment())
    }

    /// Notes a file that was missing at some time after `moment`.
    pub(super) fn note(&self, path: &[u8], moment: u64) {
        let table = self.table.get_or_init(PathTable::new);
        table.note(table.key(path), moment);
    }
}
