//! Finds the returns to check: in folders, sorted by name, and in lists of paths.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use walkdir::{DirEntry, WalkDir};

use crate::cli::input::globs::{Globs, is_stream};
use crate::cli::input::{InputEntry, Origin, is_dash};
use crate::clients::starts_stream;
use crate::text::escape;

/// Whether a file has one return on each line: by its extension, unless it is a client's stream of events, which
/// is one return.
pub(super) fn has_lines(path: &Path) -> bool {
    is_stream(path) && !is_client_stream(path)
}

fn is_client_stream(path: &Path) -> bool {
    /// The most bytes that are looked at. The first event of a client may list all its tools.
    const FIRST: u64 = 256 * 1024;
    let mut first = Vec::new();
    let is_regular = path.metadata().is_ok_and(|found| found.is_file());
    let file = is_regular.then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(FIRST).read_to_end(&mut first));
    let valid = first.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    matches!(read, Some(Ok(_))) && starts_stream(valid)
}

/// Walks one folder. Hidden files are included, links are not followed, and `.git` is skipped.
pub(super) struct FolderWalk {
    folder: PathBuf,
    globs: Globs,
    entries: walkdir::IntoIter,
    has_found: bool,
}

impl FolderWalk {
    pub(super) fn new(folder: PathBuf, globs: Globs) -> Self {
        let entries = WalkDir::new(&folder).min_depth(1).sort_by_file_name();
        Self { entries: entries.into_iter(), folder, globs, has_found: false }
    }

    /// The next return, or the error of something that cannot be checked. None at the end.
    pub(super) fn next(&mut self) -> Option<InputEntry> {
        while let Some(entry) = self.entries.next() {
            let found = match entry {
                Ok(entry) => self.entry(&entry),
                Err(error) => {
                    let path = error.path().unwrap_or(&self.folder).to_owned();
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| io::Error::other("it is a loop"));
                    Some(InputEntry::unread(&path, error))
                }
            };
            if found.is_some() {
                self.has_found = true;
                return found;
            }
        }
        let is_empty = !std::mem::replace(&mut self.has_found, true);
        is_empty.then(|| {
            let (folder, names) = (escape::path(&self.folder), self.globs.names());
            let why = format!("it has no {names} files, or all are filtered out");
            InputEntry::unreadable(&self.folder, anyhow!("no returns in {folder}: {why}"))
        })
    }

    /// The return that an entry of the folder is. None if it is none.
    fn entry(&mut self, entry: &DirEntry) -> Option<InputEntry> {
        let path = entry.path();
        let below = path.strip_prefix(&self.folder).unwrap_or(path);
        let kind = entry.file_type();
        if kind.is_dir() {
            if entry.file_name() == ".git" || !self.globs.enter(path, below) {
                self.entries.skip_current_dir();
            }
            return None;
        }
        if kind.is_symlink() || !self.globs.is_return(path, below) {
            return None;
        }
        if !kind.is_file() {
            let error = anyhow!("{}: it is not a regular file", cannot_read(path));
            return Some(InputEntry::unreadable(path, error));
        }
        Some(InputEntry::Return(Origin::Found(path.to_owned())))
    }
}

/// A list of paths that another program writes (`--files-from`): one a line, or each before a NUL if it has one,
/// as in the output of `find -print0`.
#[derive(Clone)]
pub(super) struct PathList {
    bytes: Vec<u8>,
    separator: u8,
    at: usize,
}

/// The most bytes of a list. A device such as `/dev/zero` has no end.
const LIST_AT_MOST: u64 = 64 << 20;

impl PathList {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        let read = if is_dash(path) {
            io::stdin().lock().take(LIST_AT_MOST).read_to_end(&mut bytes)
        } else {
            File::open(path).and_then(|file| file.take(LIST_AT_MOST).read_to_end(&mut bytes))
        };
        if read.with_context(|| cannot_read(path))? as u64 == LIST_AT_MOST {
            bail!("{}: it is too long for a list of paths", cannot_read(path));
        }
        let separator = if bytes.contains(&0) { 0 } else { b'\n' };
        Ok(Self { bytes, separator, at: 0 })
    }
}

/// The paths that are not empty.
impl Iterator for PathList {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            let path = rest.split(|it| *it == self.separator).next().unwrap_or_default();
            self.at += path.len() + 1;
            let path = path.strip_suffix(b"\r").filter(|_| self.separator != 0).unwrap_or(path);
            if !path.is_empty() {
                return Some(to_path(path.to_owned()));
            }
        }
        None
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", escape::path(path))
}

// On Unix, a path is a sequence of bytes.
#[cfg(unix)]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

// On other systems, a path is text.
#[cfg(not(unix))]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
