//! A cache of results by path, for the duration of a run.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// The most bytes of cached paths.
const BYTES: usize = 1024 * 1024;

#[derive(Debug)]
pub(super) struct BoundedMap<T> {
    known: RwLock<Remembered<T>>,
    most: usize,
}

#[derive(Debug)]
struct Remembered<T> {
    answers: HashMap<Box<[u8]>, T>,
    bytes: usize,
}

impl<T: Clone> BoundedMap<T> {
    /// Caches up to `most` results. When the cache is full it is cleared, which bounds its memory.
    pub(super) fn of(most: usize) -> Self {
        let known = Remembered {
            answers: HashMap::new(),
            bytes: 0,
        };
        Self {
            known: RwLock::new(known),
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
        known.answers.get(path).cloned()
    }

    pub(super) fn insert(&self, path: &[u8], answer: T) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.answers.len() >= self.most || known.bytes >= BYTES {
            known.answers.clear();
            known.bytes = 0;
        }
        known.bytes += path.len();
        known.answers.insert(path.into(), answer);
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
    fn the_bytes_of_paths_are_limited() {
        let memory = BoundedMap::of(100);
        let path = |mark: u8| vec![mark; 512 * 1024];
        assert!(is_new(&memory, b"short"));
        assert!(is_new(&memory, &path(b'a')) && !is_new(&memory, b"short"));
        assert!(is_new(&memory, &path(b'b')) && !is_new(&memory, b"short"));
        assert!(is_new(&memory, b"late") && is_new(&memory, b"short"));
        assert!(!is_new(&memory, b"late") && is_new(&memory, &path(b'a')));
        assert!(!is_new(&memory, b"late"));
    }

    #[test]
    fn errors_are_not_cached() {
        let memory = BoundedMap::of(2);
        assert_eq!(memory.recall(b"a", || Err::<usize, _>("gone")), Err("gone"));
        assert!(is_new(&memory, b"a"));
    }
}
