//! The files that were found, by path, for the duration of a run. A missing one may have been written since, and
//! is looked up again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use super::Found;

/// The most files that are cached.
const FILES: usize = 16 * 1024;

/// What is at a path, and whether its content was read.
type Known = (Found, bool);

/// Files with content that is not blank. When there are too many they are cleared, which bounds their memory.
#[derive(Debug, Default)]
pub(super) struct Cache(RwLock<HashMap<Box<[u8]>, Known>>);

impl Cache {
    /// Returns what is cached about a file, or what `look` finds.
    pub(super) fn found(&self, path: &Path, content: bool, look: impl FnOnce() -> Found) -> Found {
        let path = path.as_os_str().as_encoded_bytes();
        // A thread that panicked with the lock cannot have left an inconsistent state.
        let files = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let known = files.get(path).copied();
        drop(files);
        if let Some((found, _)) = known.filter(|(_, was_read)| *was_read || !content) {
            return found;
        }
        let found = look();
        if let Found::File { blank: false, .. } = found {
            let mut files = self.0.write().unwrap_or_else(PoisonError::into_inner);
            if files.len() >= FILES {
                files.clear();
            }
            files.insert(path.into(), (found, content));
        }
        found
    }
}
