//! The current position of a walk, and how it moves on.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::root) enum WalkMethod {
    /// By open folders, with several steps in one call to `openat2`.
    #[cfg(target_os = "linux")]
    ByFolder,
    /// By open folders, one step per call, on kernels without `openat2`.
    #[cfg(target_os = "linux")]
    Steps,
    /// By path, on every system.
    #[cfg(any(test, not(target_os = "linux")))]
    ByPath,
}

pub(in crate::root) enum WalkCursor {
    // Linux uses open folders, other systems use paths. The tests on Linux use both.
    #[cfg(target_os = "linux")]
    ByFolder(super::by_folder::ByFolder),
    #[cfg(any(test, not(target_os = "linux")))]
    ByPath(super::by_path::ByPath),
}

impl WalkCursor {
    /// Starts at a folder whose path contains no links.
    pub(in crate::root) fn at(method: WalkMethod, folder: &Path) -> io::Result<Self> {
        Ok(match method {
            #[cfg(target_os = "linux")]
            WalkMethod::ByFolder | WalkMethod::Steps => {
                let has_openat2 = method == WalkMethod::ByFolder;
                Self::ByFolder(super::by_folder::ByFolder::at(folder, has_openat2)?)
            }
            #[cfg(any(test, not(target_os = "linux")))]
            WalkMethod::ByPath => Self::ByPath(super::by_path::ByPath::at(folder)),
        })
    }

    /// Makes steps along a path of names and `..`, and stops before the first link. Returns the
    /// number of steps made, and the target of the link, if any.
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

    /// Whether this is the same folder as `folder`, which may be spelled differently.
    #[cfg(any(test, not(target_os = "linux")))]
    pub(in crate::root) fn is(&self, folder: &Path) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::ByFolder(_) => false,
            Self::ByPath(paths) => paths.is(folder),
        }
    }
}
