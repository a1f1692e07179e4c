//! What a walk stands on, and how it moves there.

use std::io;
use std::path::{Path, PathBuf};

#[cfg(all(test, target_os = "linux"))]
thread_local! {
    /// How often a place was opened or a link read.
    pub(in crate::root) static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How a walk moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::root) enum WalkMethod {
    /// By open folders, with as many steps at once as there are before a link.
    #[cfg(target_os = "linux")]
    ByFolder,
    /// By open folders, where the kernel does not offer that.
    #[cfg(target_os = "linux")]
    Steps,
    /// By path, as every system can.
    #[cfg(any(test, not(target_os = "linux")))]
    ByPath,
}

/// Where a walk has come to.
pub(in crate::root) enum WalkCursor {
    #[cfg(target_os = "linux")]
    ByFolder(super::by_folder::ByFolder),
    #[cfg(any(test, not(target_os = "linux")))]
    ByPath(super::by_path::ByPath),
}

impl WalkCursor {
    /// At a folder without links in its path.
    pub(in crate::root) fn at(method: WalkMethod, folder: &Path) -> io::Result<Self> {
        Ok(match method {
            #[cfg(target_os = "linux")]
            WalkMethod::ByFolder | WalkMethod::Steps => {
                let is_long = method == WalkMethod::ByFolder;
                Self::ByFolder(super::by_folder::ByFolder::at(folder, is_long)?)
            }
            #[cfg(any(test, not(target_os = "linux")))]
            WalkMethod::ByPath => Self::ByPath(super::by_path::ByPath::at(folder)),
        })
    }

    /// Makes steps of a path of names and `..`, and stops before a link: how many, and where that
    /// leads.
    pub(in crate::root) fn pass(&mut self, next: &Path) -> io::Result<(usize, Option<PathBuf>)> {
        match self {
            #[cfg(target_os = "linux")]
            Self::ByFolder(strides) => Ok(strides.pass(next)?),
            #[cfg(any(test, not(target_os = "linux")))]
            Self::ByPath(paths) => paths.pass(next),
        }
    }

    pub(in crate::root) fn is_folder(&self) -> io::Result<bool> {
        match self {
            #[cfg(target_os = "linux")]
            Self::ByFolder(strides) => Ok(strides.is_folder()?),
            #[cfg(any(test, not(target_os = "linux")))]
            Self::ByPath(paths) => Ok(paths.is_folder()),
        }
    }

    /// Whether this is the folder, by another spelling than that of its path.
    #[cfg(any(test, not(target_os = "linux")))]
    pub(in crate::root) fn is(&self, folder: &Path) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::ByFolder(_) => false,
            Self::ByPath(paths) => paths.is(folder),
        }
    }
}
