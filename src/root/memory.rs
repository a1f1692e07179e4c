//! What is known of paths, for as long as a run lasts.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Bytes of paths that are remembered at once.
const BYTES: usize = 1024 * 1024;

/// Answers by path.
#[derive(Debug)]
pub(super) struct Memory<T> {
    known: RwLock<Known<T>>,
    most: usize,
}

#[derive(Debug)]
struct Known<T> {
    answers: HashMap<Box<[u8]>, T>,
    bytes: usize,
}

impl<T: Clone> Memory<T> {
    /// Remembers `most` answers at once; then all are forgotten, so that memory stays flat.
    pub(super) fn of(most: usize) -> Self {
        let known = Known {
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
