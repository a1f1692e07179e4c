//! Caches of lookups by path, for the duration of a run: of results, and of missing files.
//!
//! A missing file is cached until the next return arrives. If a file is missing after a return has arrived,
//! it is missing for that return, whichever check looked it up. A return that arrives later may have been
//! written after the file, so the file is looked up again.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use siphasher::sip128::SipHasher13;

use crate::root::{FILES, Found};

/// The results are kept by a hash of 128 bits of the path, with a key that is new in each run, so that no
/// path has to be compared or kept.
#[derive(Debug)]
pub(super) struct BoundedMap<T> {
    known: RwLock<HashMap<(u64, u64), T, BuildHasherDefault<PathHash>>>,
    hasher: SipHasher13,
    most: usize,
}

/// The hash of a key that is a hash.
#[derive(Default)]
struct PathHash(u64);

impl Hasher for PathHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let half = bytes.first_chunk().copied().unwrap_or_default();
        self.0 ^= u64::from_ne_bytes(half);
    }
}

impl<T: Clone> BoundedMap<T> {
    /// Caches up to `most` results. When the cache is full it is cleared, which bounds its memory.
    pub(super) fn of(most: usize) -> Self {
        let random = RandomState::new();
        Self {
            known: RwLock::default(),
            hasher: SipHasher13::new_with_keys(random.hash_one(0), random.hash_one(1)),
            most,
        }
    }

    /// Returns the cached result, or the result of `find`, which is cached if it is `Ok`.
    pub(super) fn recall<E>(
        &self,
        path: &[u8],
        find: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(answer) = self.get(path) {
            return Ok(answer);
        }
        let answer = find()?;
        self.insert(path, answer.clone());
        Ok(answer)
    }

    pub(super) fn get(&self, path: &[u8]) -> Option<T> {
        // A thread that panicked here cannot have left an inconsistent state.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&self.key(path)).cloned()
    }

    pub(super) fn insert(&self, path: &[u8], answer: T) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(self.key(path), answer);
    }

    fn key(&self, path: &[u8]) -> (u64, u64) {
        self.hasher.hash(path).as_u64()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the result was not cached.
    fn is_new(memory: &BoundedMap<usize>, path: &[u8]) -> bool {
        let mut looked = false;
        let answer = memory.recall(path, || {
            looked = true;
            Ok::<_, ()>(path.len())
        });
        assert_eq!(answer, Ok(path.len()));
        looked
    }

    #[test]
    fn a_full_cache_is_cleared() {
        let memory = BoundedMap::of(2);
        assert!(is_new(&memory, b"a") && is_new(&memory, b"bc"));
        assert!(!is_new(&memory, b"a") && !is_new(&memory, b"bc"));
        assert!(is_new(&memory, b"def"));
        assert!(!is_new(&memory, b"def") && is_new(&memory, b"a"));
        assert!(!is_new(&memory, b"def") && is_new(&memory, b"bc") && is_new(&memory, b"def"));
    }

    #[test]
    fn errors_are_not_cached() {
        let memory = BoundedMap::of(2);
        assert_eq!(memory.recall(b"a", || Err::<usize, _>("gone")), Err("gone"));
        assert!(is_new(&memory, b"a"));
    }
}
