//! Lists the entries of one folder.

use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::input::extension::{has_extension, is_stream};

/// A folder, and the entries in it that are checked or entered, sorted by name.
#[derive(Debug)]
pub(crate) struct ListedFolder {
    path: PathBuf,
    /// The path of the folder with a trailing separator.
    prefix: OsString,
    entries: Vec<(OsString, ListedKind)>,
}

/// What is done with an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedKind {
    Return,
    Stream,
    Folder,
    /// A FIFO, a socket or a device whose name is that of a file to check.
    Special,
}

impl ListedFolder {
    /// Lists the entries of a folder for which `keeps` returns true. A file is one if its name is that of
    /// JSON, or if `is_other` says so. Also returns the errors for entries
    /// that cannot be listed.
    pub(super) fn read(
        path: &Path,
        keeps: impl Fn(&OsStr, ListedKind) -> bool,
        is_other: impl Fn(&OsStr) -> bool,
    ) -> (Self, Vec<io::Error>) {
        let mut errors = Vec::new();
        let mut entries = Vec::new();
        let mut add = |entry: DirEntry| {
            let name = entry.file_name();
            let kind = ListedKind::of(&name, entry.file_type()?, &is_other);
            entries.extend(
                kind.filter(|kind| keeps(&name, *kind))
                    .map(|kind| (name, kind)),
            );
            Ok(())
        };
        match path.read_dir() {
            Ok(found) => errors.extend(found.filter_map(|it| it.and_then(&mut add).err())),
            Err(error) => errors.push(error),
        }
        entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let folder = Self {
            prefix: path.join("").into_os_string(),
            path: path.to_owned(),
            entries,
        };
        (folder, errors)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn prefix(&self) -> &OsStr {
        &self.prefix
    }

    pub(super) fn name(&self, index: usize) -> &OsStr {
        &self.entries[index].0
    }

    pub(super) fn path_of(&self, index: usize) -> PathBuf {
        self.path.join(self.name(index))
    }

    /// The kind of the entry with this index. None after the last one.
    pub(super) fn kind(&self, index: usize) -> Option<ListedKind> {
        self.entries.get(index).map(|(_, kind)| *kind)
    }
}

impl ListedKind {
    /// The kind of an entry. `None` if it is neither checked nor entered.
    fn of(name: &OsStr, kind: FileType, is_other: impl Fn(&OsStr) -> bool) -> Option<Self> {
        let path = Path::new(name);
        let is_stream = is_stream(path);
        if kind.is_dir() {
            return (name != ".git").then_some(Self::Folder);
        }
        let is_return = || is_stream || has_extension(path, "json") || is_other(name);
        if kind.is_symlink() || !is_return() {
            return None;
        }
        Some(match is_stream {
            _ if !kind.is_file() => Self::Special,
            true => Self::Stream,
            false => Self::Return,
        })
    }
}
