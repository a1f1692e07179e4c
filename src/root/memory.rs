//! What was found at a path before.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use super::Found;

/// Paths that are remembered at once; then all are forgotten, so that memory stays flat.
const PATHS: usize = 4_096;

/// Paths longer than this, in bytes, are looked at each time.
const LENGTH: usize = 160;

/// Answers by path, and by whether the content was looked at.
#[derive(Debug, Default)]
pub(super) struct Memory([RwLock<HashMap<PathBuf, Found>>; 2]);

impl Memory {
    pub(super) fn recall(&self, path: &Path, content: bool, look: impl FnOnce() -> Found) -> Found {
        let answers = &self.0[usize::from(content)];
        // A thread that panicked here has left nothing half done.
        if let Some(found) = answers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(path)
        {
            return *found;
        }
        let found = look();
        // What is missing may be written yet, by an agent that was told so.
        let is_there = matches!(found, Found::File { blank: false, .. });
        if is_there && path.as_os_str().len() <= LENGTH {
            let mut answers = answers.write().unwrap_or_else(PoisonError::into_inner);
            if answers.len() >= PATHS {
                answers.clear();
            }
            answers.insert(path.to_owned(), found);
        }
        found
    }
}
