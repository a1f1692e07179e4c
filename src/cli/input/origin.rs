//! The origin of a return.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::text::escape;

use crate::cli::input::found_files::FoundFiles;

#[derive(Debug)]
pub(crate) enum Origin {
    Stdin,
    Named(PathBuf),
    /// Consecutive files of a folder, with a cursor at the current one.
    Found(FoundFiles),
}

/// Something to check, or the reason why it cannot be checked.
pub(crate) enum InputEntry {
    Return(Origin),
    Unreadable { name: String, error: anyhow::Error },
}

impl Origin {
    pub(crate) fn name(&self) -> Cow<'_, str> {
        path_name(self.path())
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::Named(path) => path,
            Self::Found(files) => files.path(),
        }
    }

    /// The path of its file. None for standard input.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            origin => Some(origin.path()),
        }
    }

    /// The number of returns, including the current one and those after it.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Found(files) => files.count(),
            Self::Stdin | Self::Named(_) => 1,
        }
    }

    /// Moves to the next file of a folder. Returns false if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        match self {
            Self::Found(files) => files.advance(),
            Self::Stdin | Self::Named(_) => false,
        }
    }
}

impl InputEntry {
    pub(super) fn unreadable(path: &Path, error: anyhow::Error) -> Self {
        let name = path.to_string_lossy().into_owned();
        Self::Unreadable { name, error }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Return(origin) => origin.count(),
            Self::Unreadable { .. } => 1,
        }
    }
}

pub(crate) fn path_name(path: &Path) -> Cow<'_, str> {
    // Called for every file. `to_str` is faster than `to_string_lossy` where the name is UTF-8.
    path.to_str()
        .map_or_else(|| path.to_string_lossy(), Cow::Borrowed)
}

pub(super) fn unread(path: &Path, error: io::Error) -> InputEntry {
    let name = shown_name(path);
    let error = anyhow::Error::new(error).context(format!("cannot read {name}"));
    InputEntry::unreadable(path, error)
}

/// The name of a source in errors, safe to print.
pub(crate) fn shown_name(path: &Path) -> String {
    if is_dash(path) {
        "standard input".to_owned()
    } else {
        escape::path(path)
    }
}

pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}
