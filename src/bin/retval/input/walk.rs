//! Finds the returns in a folder, sorted by name. Hidden files are included, links are not
//! followed, and `.git` is skipped.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use retval::internal::escape;

use crate::input::globs::Globs;
use crate::input::origin::{InputEntry, Origin, has_extension, is_stream, unread};

/// Walks one folder.
pub(super) struct FolderWalk {
    folder: PathBuf,
    globs: Globs,
    /// The folders that lead to the current entry, each as far as it is not walked yet.
    levels: Vec<FolderListing>,
    has_found: bool,
}

/// The entries of a folder that are left, by name. What could not be listed comes first.
struct FolderListing {
    path: PathBuf,
    entries: std::vec::IntoIter<io::Result<ListedName>>,
}

/// A name in a folder, and what it is. Its path is made only for what is checked or entered.
struct ListedName {
    name: OsString,
    kind: FileType,
}

impl FolderWalk {
    pub(super) fn new(folder: PathBuf, globs: Globs) -> Self {
        Self {
            levels: vec![FolderListing::of(folder.clone())],
            folder,
            globs,
            has_found: false,
        }
    }

    /// The next return, or why a part of the folder cannot be checked.
    pub(super) fn next(&mut self) -> Option<InputEntry> {
        while let Some(level) = self.levels.last_mut() {
            let found = match level.entries.next() {
                None => {
                    self.levels.pop();
                    None
                }
                Some(Err(error)) => Some(unread(&level.path, error)),
                Some(Ok(entry)) if entry.kind.is_dir() => {
                    let path = level.path.join(&entry.name);
                    if entry.name != ".git" && !self.is_excluded(&path) {
                        self.levels.push(FolderListing::of(path));
                    }
                    None
                }
                Some(Ok(entry)) => {
                    let path = is_return(&entry).then(|| level.path.join(&entry.name));
                    path.and_then(|path| self.check(path, entry.kind))
                }
            };
            if found.is_some() {
                self.has_found = true;
                return found;
            }
        }
        let is_empty = !std::mem::replace(&mut self.has_found, true);
        is_empty.then(|| self.nothing())
    }

    fn check(&self, path: PathBuf, kind: FileType) -> Option<InputEntry> {
        if !self.is_included(&path) || self.is_excluded(&path) {
            return None;
        }
        if kind.is_file() {
            return Some(InputEntry::Return(Origin::Found(path)));
        }
        let error = anyhow!(
            "cannot read {}: it is not a regular file",
            escape::path(&path)
        );
        Some(InputEntry::Unreadable {
            name: path.to_string_lossy().into_owned(),
            error,
        })
    }

    fn is_included(&self, path: &Path) -> bool {
        let include = self.globs.include.as_ref();
        include.is_none_or(|include| include.matches(self.below(path)))
    }

    fn is_excluded(&self, path: &Path) -> bool {
        let exclude = self.globs.exclude.as_ref();
        exclude.is_some_and(|exclude| exclude.matches(self.below(path)))
            || self.globs.is_skipped(path)
    }

    fn below<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.folder).unwrap_or(path)
    }

    fn nothing(&self) -> InputEntry {
        let folder = escape::path(&self.folder);
        let error = anyhow!(
            "no returns in {folder}: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out"
        );
        InputEntry::Unreadable {
            name: self.folder.to_string_lossy().into_owned(),
            error,
        }
    }
}

impl FolderListing {
    fn of(path: PathBuf) -> Self {
        let entry = |entry: io::Result<DirEntry>| {
            let entry = entry?;
            Ok(ListedName {
                name: entry.file_name(),
                kind: entry.file_type()?,
            })
        };
        let mut entries: Vec<_> = match fs::read_dir(&path) {
            Ok(entries) => entries.map(entry).collect(),
            Err(error) => vec![Err(error)],
        };
        entries.sort_unstable_by(|one, other| name_of(one).cmp(&name_of(other)));
        Self {
            path,
            entries: entries.into_iter(),
        }
    }
}

fn name_of(entry: &io::Result<ListedName>) -> Option<&OsStr> {
    entry.as_ref().ok().map(|entry| &*entry.name)
}

/// Whether an entry that is no folder has the name of a file with returns. Links are not followed.
fn is_return(entry: &ListedName) -> bool {
    let name = Path::new(&entry.name);
    !entry.kind.is_symlink() && (has_extension(name, "json") || is_stream(name))
}
