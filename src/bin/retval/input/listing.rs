//! Lists the entries of one folder, sorted by name.

use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::input::extension::{has_extension, is_stream};

/// A folder, and the entries in it that are checked or entered.
#[derive(Debug)]
pub(crate) struct ListedFolder {
    path: PathBuf,
    /// The path of the folder with a trailing separator.
    prefix: OsString,
    /// All names that are valid Unicode, in one string: a folder may have very many.
    text: String,
    /// All other names.
    others: Vec<OsString>,
    names: Vec<ListedName>,
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

#[derive(Debug)]
struct ListedName {
    /// The first bytes of the name. They decide most comparisons.
    first: u64,
    place: NamePlace,
    kind: ListedKind,
}

/// Where a name is stored.
#[derive(Debug)]
enum NamePlace {
    /// In `text`, from a start to an end, in bytes.
    Text(usize, usize),
    Other(usize),
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
        let mut folder = Self {
            prefix: path.join("").into_os_string(),
            path: path.to_owned(),
            text: String::new(),
            others: Vec::new(),
            names: Vec::new(),
        };
        let mut add = |entry: DirEntry| {
            let name = entry.file_name();
            let kind = ListedKind::of(&name, entry.file_type()?, &is_other);
            if let Some(kind) = kind.filter(|kind| keeps(&name, *kind)) {
                folder.add(&name, kind);
            }
            Ok(())
        };
        match path.read_dir() {
            Ok(entries) => errors.extend(entries.filter_map(|it| it.and_then(&mut add).err())),
            Err(error) => errors.push(error),
        }
        folder.sort();
        (folder, errors)
    }

    fn add(&mut self, name: &OsStr, kind: ListedKind) {
        let place = if let Some(text) = name.to_str() {
            let start = self.text.len();
            self.text.push_str(text);
            NamePlace::Text(start, self.text.len())
        } else {
            self.others.push(name.to_owned());
            NamePlace::Other(self.others.len() - 1)
        };
        self.names.push(ListedName {
            first: first_bytes(name),
            place,
            kind,
        });
    }

    fn sort(&mut self) {
        let mut names = std::mem::take(&mut self.names);
        names.sort_unstable_by(|one, other| {
            let first = one.first.cmp(&other.first);
            first.then_with(|| self.text_of(one).cmp(self.text_of(other)))
        });
        self.names = names;
    }

    fn text_of(&self, name: &ListedName) -> &OsStr {
        match name.place {
            NamePlace::Text(start, end) => OsStr::new(&self.text[start..end]),
            NamePlace::Other(index) => &self.others[index],
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn prefix(&self) -> &OsStr {
        &self.prefix
    }

    pub(super) fn name(&self, index: usize) -> &OsStr {
        self.text_of(&self.names[index])
    }

    pub(super) fn path_of(&self, index: usize) -> PathBuf {
        self.path.join(self.name(index))
    }

    /// The kind of the entry with this index. None after the last one.
    pub(super) fn kind(&self, index: usize) -> Option<ListedKind> {
        self.names.get(index).map(|name| name.kind)
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

fn first_bytes(name: &OsStr) -> u64 {
    let mut first = [0; 8];
    for (first, byte) in first.iter_mut().zip(name.as_encoded_bytes()) {
        *first = *byte;
    }
    u64::from_be_bytes(first)
}
