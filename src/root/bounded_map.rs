//! A cache of results by path, for the duration of a run.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher, RandomState};
use std::sync::{PoisonError, RwLock};

use siphasher::sip128::SipHasher13;

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
