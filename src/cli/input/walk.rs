//! Finds the returns in a folder, sorted by name. Hidden files are included, links are not
//! followed, and `.git` is skipped.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::text::escape;
use anyhow::anyhow;

use crate::cli::input::found_files::FoundFiles;
use crate::cli::input::globs::Globs;
use crate::cli::input::listing::{ListedFolder, ListedKind};
use crate::cli::input::origin::{InputEntry, Origin, unread};

/// Walks one folder.
pub(super) struct FolderWalk {
    folder: PathBuf,
    globs: Globs,
    /// The open folders, from the root of the walk to that of the current entry.
    levels: Vec<FolderLevel>,
    has_found: bool,
}

/// A folder that is being walked. The errors of its listing come before its entries.
struct FolderLevel {
    errors: std::vec::IntoIter<io::Error>,
    folder: Arc<ListedFolder>,
    next: usize,
}

impl FolderWalk {
    pub(super) fn new(folder: PathBuf, globs: Globs) -> Self {
        let mut walk = Self {
            folder,
            globs,
            levels: Vec::new(),
            has_found: false,
        };
        walk.levels.push(walk.level(&walk.folder));
        walk
    }

    /// The next returns of one folder, at most `most`, or the error of something that cannot be checked.
    /// None at the end.
    pub(super) fn next(&mut self, most: usize) -> Option<InputEntry> {
        while let Some(level) = self.levels.last_mut() {
            if let Some(error) = level.errors.next() {
                self.has_found = true;
                return Some(unread(level.folder.path(), error));
            }
            let start = level.next;
            let Some(kind) = level.folder.kind(start) else {
                self.levels.pop();
                continue;
            };
            level.next += 1;
            if kind == ListedKind::Folder {
                let folder = level.folder.path_of(start);
                self.levels.push(self.level(&folder));
                continue;
            }
            self.has_found = true;
            return Some(level.entry(start, kind, most));
        }
        let is_empty = !std::mem::replace(&mut self.has_found, true);
        is_empty.then(|| self.nothing())
    }

    fn level(&self, folder: &Path) -> FolderLevel {
        let below = folder.strip_prefix(&self.folder).unwrap_or(folder);
        let globs = self.globs.in_folder(folder, below);
        let keeps = |name: &OsStr, kind| globs.keep(name, kind == ListedKind::Folder);
        let (folder, errors) = ListedFolder::read(folder, keeps, |name| globs.is_other(name));
        FolderLevel {
            errors: errors.into_iter(),
            folder: Arc::new(folder),
            next: 0,
        }
    }

    fn nothing(&self) -> InputEntry {
        let folder = escape::path(&self.folder);
        let error = anyhow!(
            "no returns in {folder}: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out"
        );
        InputEntry::unreadable(&self.folder, error)
    }
}

impl FolderLevel {
    /// The entry with the index `start`. For returns, it includes those that follow it directly, up to
    /// `most` in all.
    fn entry(&mut self, start: usize, kind: ListedKind, most: usize) -> InputEntry {
        if kind == ListedKind::Special {
            return irregular(&self.folder.path_of(start));
        }
        while kind == ListedKind::Return
            && self.next < start.saturating_add(most)
            && self.folder.kind(self.next) == Some(kind)
        {
            self.next += 1;
        }
        let files = FoundFiles::new(&self.folder, start, self.next);
        InputEntry::Return(Origin::Found(files))
    }
}

fn irregular(path: &Path) -> InputEntry {
    let error = anyhow!(
        "cannot read {}: it is not a regular file",
        escape::path(path)
    );
    InputEntry::unreadable(path, error)
}
