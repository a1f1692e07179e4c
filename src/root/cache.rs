//! What was found by path, for the duration of a run.
//!
//! A file that exists is cached until the end. A missing file is cached until the next return arrives. If
//! a file is missing after a return has arrived, it is missing for that return, whichever check looked it
//! up. A return that arrives later may have been written after the file, so the file is looked up again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::Found;

/// The most files that are cached.
const FILES: usize = 16 * 1024;

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
    /// By path. When there are too many it is cleared, which bounds its memory.
    files: RwLock<HashMap<Box<[u8]>, Known>>,
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
        Self { clock, files: RwLock::default() }
    }

    /// Returns what is cached about a file, or what `look` finds.
    pub(super) fn found(&self, path: &Path, content: bool, look: impl FnOnce() -> Found) -> Found {
        let path = path.as_os_str().as_encoded_bytes();
        let now = self.clock.now();
        // A thread that panicked with the lock cannot have left an inconsistent state.
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let known = files.get(path).copied();
        drop(files);
        let known = known.filter(|known| match known.found {
            Found::Nothing => known.at == now,
            _ => known.was_read || !content,
        });
        let found = known.map_or_else(look, |known| known.found);
        let may_be_cached = matches!(found, Found::Nothing | Found::File { blank: false, .. });
        if known.is_none() && may_be_cached {
            let known = Known { found, was_read: content, at: now };
            let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
            if files.len() >= FILES {
                files.clear();
            }
            files.insert(path.into(), known);
        }
        found
    }
}
