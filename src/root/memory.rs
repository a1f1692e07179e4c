//! What is known of paths, for as long as a run lasts.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Bytes of paths that are remembered at once.
const BYTES: usize = 1024 * 1024;

/// Answers by path, in parts with a lock each: threads that only read, and often, would still wait
/// for the line of the processor's cache that one lock stands in.
#[derive(Debug)]
pub(super) struct Memory<T, const PARTS: usize = 1> {
    parts: [Part<T>; PARTS],
    /// Answers of one part.
    most: usize,
}

/// As long as a line of the cache and its neighbour, which processors fetch together.
#[derive(Debug)]
#[repr(align(128))]
struct Part<T>(RwLock<Known<T>>);

#[derive(Debug)]
struct Known<T> {
    answers: HashMap<Box<[u8]>, T>,
    bytes: usize,
}

impl<T: Clone, const PARTS: usize> Memory<T, PARTS> {
    /// Remembers `most` answers at once. A part that is full forgets all it has, so that memory stays
    /// flat.
    pub(super) fn of(most: usize) -> Self {
        let part = |_| {
            Part(RwLock::new(Known {
                answers: HashMap::new(),
                bytes: 0,
            }))
        };
        Self {
            parts: std::array::from_fn(part),
            most: most.div_ceil(PARTS),
        }
    }

    fn part(&self, path: &[u8]) -> &RwLock<Known<T>> {
        // Names that are alike differ in their last letters.
        let last = &path[path.len().saturating_sub(16)..];
        let sum = last
            .iter()
            .fold(0, |sum: usize, byte| sum + usize::from(*byte));
        &self.parts[sum % PARTS].0
    }

    /// The answer given before, else the one that is found now: it is remembered if it is `Ok`.
    pub(super) fn recall<E>(
        &self,
        path: &[u8],
        look: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // A thread that panicked here has left nothing half done.
        let part = self.part(path);
        let known = part.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.answers.get(path) {
            return Ok(answer.clone());
        }
        drop(known);
        let answer = look()?;
        let mut known = part.write().unwrap_or_else(PoisonError::into_inner);
        if known.answers.len() >= self.most || known.bytes >= BYTES / PARTS {
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
    fn looks<const PARTS: usize>(memory: &Memory<usize, PARTS>, path: &[u8]) -> bool {
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
        let memory = Memory::<_, 1>::of(2);
        assert!(looks(&memory, b"a") && looks(&memory, b"bc"));
        assert!(!looks(&memory, b"a") && !looks(&memory, b"bc"));
        assert!(looks(&memory, b"def"));
        assert!(!looks(&memory, b"def") && looks(&memory, b"a"));
        assert!(!looks(&memory, b"def") && looks(&memory, b"bc") && looks(&memory, b"def"));
    }

    #[test]
    fn a_part_that_is_full_leaves_the_others_alone() {
        let memory = Memory::<_, 2>::of(2);
        assert!(looks(&memory, b"a") && looks(&memory, b"b"));
        assert!(!looks(&memory, b"a") && !looks(&memory, b"b"));
        assert!(looks(&memory, b"c") && !looks(&memory, b"b"));
        assert!(looks(&memory, b"a") && looks(&memory, b"c"));
    }

    fn forgets_long_paths<const PARTS: usize>() {
        let memory = Memory::<_, PARTS>::of(100 * PARTS);
        let path = |mark: u8| vec![mark; 512 * 1024 / PARTS];
        assert!(looks(&memory, b"short"));
        assert!(looks(&memory, &path(b'a')) && !looks(&memory, b"short"));
        assert!(looks(&memory, &path(b'b')) && !looks(&memory, b"short"));
        assert!(looks(&memory, b"late") && looks(&memory, b"short"));
        assert!(!looks(&memory, b"late") && looks(&memory, &path(b'a')));
        assert!(!looks(&memory, b"late"));
    }

    #[test]
    fn long_paths_are_remembered_until_they_are_too_many_bytes() {
        forgets_long_paths::<1>();
        // All these paths fall into the same of the two.
        forgets_long_paths::<2>();
    }

    #[test]
    fn what_was_not_found_is_looked_for_again() {
        let memory = Memory::<_, 1>::of(2);
        assert_eq!(memory.recall(b"a", || Err::<usize, _>("gone")), Err("gone"));
        assert!(looks(&memory, b"a"));
    }
}
