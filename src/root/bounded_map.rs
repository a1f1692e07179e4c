//! What is known of paths, for as long as a run lasts.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Bytes of paths that are remembered at once.
const BYTES: usize = 1024 * 1024;

/// Answers by path.
#[derive(Debug)]
pub(super) struct BoundedMap<T> {
    known: RwLock<Remembered<T>>,
    /// Answers that are remembered at once.
    most: usize,
}

#[derive(Debug)]
struct Remembered<T> {
    answers: HashMap<Box<[u8]>, T>,
    bytes: usize,
}

impl<T: Clone> BoundedMap<T> {
    /// Remembers `most` answers at once. When it is full it forgets all it has, so that memory stays
    /// flat.
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

    /// The answer given before, else the one that is found now: it is remembered if it is `Ok`.
    pub(super) fn recall<E>(
        &self,
        path: &[u8],
        look: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // A thread that panicked here has left nothing half done.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.answers.get(path) {
            return Ok(answer.clone());
        }
        drop(known);
        let answer = look()?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.answers.len() >= self.most || known.bytes >= BYTES {
            known.answers.clear();
            known.bytes = 0;
        }
        known.bytes += path.len();
        known.answers.insert(path.into(), answer.clone());
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an answer had to be looked for.
    fn looks(memory: &BoundedMap<usize>, path: &[u8]) -> bool {
        let mut looked = false;
        let answer = memory.recall(path, || {
            looked = true;
            Ok::<_, ()>(path.len())
        });
        assert_eq!(answer, Ok(path.len()));
        looked
    }

    #[test]
    fn so_many_answers_are_remembered_and_then_none() {
        let memory = BoundedMap::of(2);
        assert!(looks(&memory, b"a") && looks(&memory, b"bc"));
        assert!(!looks(&memory, b"a") && !looks(&memory, b"bc"));
        assert!(looks(&memory, b"def"));
        assert!(!looks(&memory, b"def") && looks(&memory, b"a"));
        assert!(!looks(&memory, b"def") && looks(&memory, b"bc") && looks(&memory, b"def"));
    }

    #[test]
    fn long_paths_are_remembered_until_they_are_too_many_bytes() {
        let memory = BoundedMap::of(100);
        let path = |mark: u8| vec![mark; 512 * 1024];
        assert!(looks(&memory, b"short"));
        assert!(looks(&memory, &path(b'a')) && !looks(&memory, b"short"));
        assert!(looks(&memory, &path(b'b')) && !looks(&memory, b"short"));
        assert!(looks(&memory, b"late") && looks(&memory, b"short"));
        assert!(!looks(&memory, b"late") && looks(&memory, &path(b'a')));
        assert!(!looks(&memory, b"late"));
    }

    #[test]
    fn what_was_not_found_is_looked_for_again() {
        let memory = BoundedMap::of(2);
        assert_eq!(memory.recall(b"a", || Err::<usize, _>("gone")), Err("gone"));
        assert!(looks(&memory, b"a"));
    }
}
