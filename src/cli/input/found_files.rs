//! Files that were found in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::input::listing::ListedFolder;

/// Consecutive files of a folder, with a cursor at the current one.
#[derive(Debug)]
pub(crate) struct FoundFiles {
    folder: Arc<ListedFolder>,
    /// The index of the current file in the folder, and the index after the last file.
    current: usize,
    end: usize,
    /// The path of the current file.
    path: PathBuf,
}

impl FoundFiles {
    /// The files with the indexes from `start` up to, but not including, `end`. There must be at least
    /// one.
    pub(super) fn new(folder: &Arc<ListedFolder>, start: usize, end: usize) -> Self {
        Self {
            path: folder.path_of(start),
            folder: Arc::clone(folder),
            current: start,
            end,
        }
    }

    /// The number of files left, including the current one.
    pub(crate) fn count(&self) -> usize {
        self.end - self.current
    }

    /// Moves to the next file. Returns false if there is none.
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

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn current(&self) -> usize {
        self.current
    }

    pub(super) fn folder(&self) -> &Arc<ListedFolder> {
        &self.folder
    }
}
