//! What was found by path, for the duration of a run.
//!
//! A file that exists is cached until the end. A missing file is cached until the next return arrives. If
//! a file is missing after a return has arrived, it is missing for that return, whichever check looked it
//! up. A return that arrives later may have been written after the file, so the file is looked up again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::{FileNames, Found};

/// The most files that are cached.
const FILES: usize = 16 * 1024;

/// The most folders whose names are cached.
const FOLDERS: usize = 64;

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

#[derive(Debug)]
pub(super) struct Cache {
    clock: BatchClock,
    files: BoundedMap<Known>,
    /// The names in the folders of missing files.
    names: BoundedMap<Arc<FileNames>>,
    /// How many files were missing, and whether anything else was found.
    missing: AtomicUsize,
    has_others: AtomicBool,
}

/// What a lookup found: a file with content that is not blank, or nothing.
#[derive(Debug, Clone, Copy)]
struct Known {
    found: Found,
    was_read: bool,
    at: u64,
}

impl Cache {
    pub(super) fn new(clock: BatchClock) -> Self {
        Self {
            clock,
            files: BoundedMap::of(FILES),
            names: BoundedMap::of(FOLDERS),
            missing: AtomicUsize::default(),
            has_others: AtomicBool::default(),
        }
    }

    /// Returns what is cached about a file, or what `look` finds.
    pub(super) fn found(&self, path: &Path, content: bool, look: impl FnOnce() -> Found) -> Found {
        let path = path.as_os_str().as_encoded_bytes();
        let now = self.clock.now();
        let known = self.files.get(path).filter(|known| match known.found {
            Found::Nothing => known.at == now,
            _ => known.was_read || !content,
        });
        let found = known.map_or_else(look, |known| known.found);
        if found == Found::Nothing {
            self.missing.fetch_add(1, Ordering::Relaxed);
        } else {
            self.has_others.store(true, Ordering::Relaxed);
        }
        let may_be_cached = matches!(found, Found::Nothing | Found::File { blank: false, .. });
        if known.is_none() && may_be_cached {
            let known = Known {
                found,
                was_read: content,
                at: now,
            };
            self.files.insert(path, known);
        }
        found
    }

    /// Returns the cached names in a folder, or those that `list` returns.
    pub(super) fn names(&self, folder: &str, list: impl FnOnce() -> FileNames) -> Arc<FileNames> {
        let known = self.names.get(folder.as_bytes());
        known.unwrap_or_else(|| {
            let names = Arc::new(list());
            self.names.insert(folder.as_bytes(), Arc::clone(&names));
            names
        })
    }

    /// How many files were looked up, if all of them were missing.
    pub(super) fn all_missing(&self) -> Option<usize> {
        let has_others = self.has_others.load(Ordering::Relaxed);
        (!has_others).then(|| self.missing.load(Ordering::Relaxed))
    }
}

/// Holds up to `most` values by path. When it is full it is cleared, which bounds its memory.
#[derive(Debug)]
struct BoundedMap<T> {
    known: RwLock<HashMap<Box<[u8]>, T>>,
    most: usize,
}

impl<T: Clone> BoundedMap<T> {
    fn of(most: usize) -> Self {
        Self {
            known: RwLock::default(),
            most,
        }
    }

    fn get(&self, path: &[u8]) -> Option<T> {
        // A thread that panicked here cannot have left an inconsistent state.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(path).cloned()
    }

    fn insert(&self, path: &[u8], value: T) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(path.into(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_is_cleared() {
        let map = BoundedMap::of(2);
        let known = || ["a", "bc", "def"].map(|path| map.get(path.as_bytes()));
        map.insert(b"a", 1);
        map.insert(b"bc", 2);
        assert_eq!(known(), [Some(1), Some(2), None]);
        map.insert(b"def", 3);
        assert_eq!(known(), [None, None, Some(3)]);
        map.insert(b"a", 1);
        assert_eq!(known(), [Some(1), None, Some(3)]);
    }
}
