//! Files that were found in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::input::listing::ListedFolder;

/// Files that follow each other in a folder, as one of them after the other.
#[derive(Debug)]
pub(crate) struct FoundFiles {
    folder: Arc<ListedFolder>,
    /// The number of the current file in the folder, and of the one after the last.
    current: usize,
    end: usize,
    /// The path of the current file.
    path: PathBuf,
}

impl FoundFiles {
    /// Those with the numbers from `start` to before `end`, of which there must be one.
    pub(super) fn new(folder: &Arc<ListedFolder>, start: usize, end: usize) -> Self {
        Self {
            path: folder.path_of(start),
            folder: Arc::clone(folder),
            current: start,
            end,
        }
    }

    /// How many are left, with the current one.
    pub(crate) fn count(&self) -> usize {
        self.end - self.current
    }

    /// Goes on to the next file; `false` if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        self.current += 1;
        if self.current >= self.end {
            return false;
        }
        let path = self.path.as_mut_os_string();
        path.clear();
        path.push(self.folder.prefix());
        path.push(self.folder.name(self.current));
        true
    }

    /// The path of the current file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the current file in the folder.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    pub(super) fn folder(&self) -> &Arc<ListedFolder> {
        &self.folder
    }
}
