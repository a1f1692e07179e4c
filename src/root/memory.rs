//! The files that were found before.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use super::Found;

/// Files that are remembered at once; then all are forgotten, so that memory stays flat.
const FILES: usize = 16_384;

/// A path by two hashes with keys of this run, whatever its length: nobody can find two paths that
/// share both.
type Key = (u64, u64);

/// Answers by path, and by whether the content was looked at.
#[derive(Debug, Default)]
pub(super) struct Memory {
    keys: [RandomState; 2],
    answers: [RwLock<HashMap<Key, Found>>; 2],
}

impl Memory {
    pub(super) fn recall(&self, path: &Path, content: bool, look: impl FnOnce() -> Found) -> Found {
        let path = path.as_os_str();
        let key = (self.keys[0].hash_one(path), self.keys[1].hash_one(path));
        let answers = &self.answers[usize::from(content)];
        // A thread that panicked here has left nothing half done.
        if let Some(found) = answers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
        {
            return *found;
        }
        let found = look();
        // What is missing may be written yet, by an agent that was told so.
        if matches!(found, Found::File { blank: false, .. }) {
            let mut answers = answers.write().unwrap_or_else(PoisonError::into_inner);
            if answers.len() >= FILES {
                answers.clear();
            }
            answers.insert(key, found);
        }
        found
    }
}
