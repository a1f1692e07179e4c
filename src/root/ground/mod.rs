//! What a walk stands on, and how it moves there.

#[cfg(any(test, not(target_os = "linux")))]
mod paths;
#[cfg(target_os = "linux")]
mod strides;

use std::io;
use std::path::{Path, PathBuf};

#[cfg(all(test, target_os = "linux"))]
thread_local! {
    /// How often a place was opened or a link read.
    pub(super) static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How a walk moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// By open folders, with as many steps at once as there are before a link.
    #[cfg(target_os = "linux")]
    Strides,
    /// By open folders, where the kernel does not offer that.
    #[cfg(target_os = "linux")]
    Steps,
    /// By path, as every system can.
    #[cfg(any(test, not(target_os = "linux")))]
    Paths,
}

/// Where a walk has come to.
pub(super) enum Ground {
    #[cfg(target_os = "linux")]
    Strides(strides::Strides),
    #[cfg(any(test, not(target_os = "linux")))]
    Paths(paths::Paths),
}

impl Ground {
    /// At a folder without links in its path.
    pub(super) fn at(means: Means, folder: &Path) -> io::Result<Self> {
        Ok(match means {
            #[cfg(target_os = "linux")]
            Means::Strides | Means::Steps => {
                let is_long = means == Means::Strides;
                Self::Strides(strides::Strides::at(folder, is_long)?)
            }
            #[cfg(any(test, not(target_os = "linux")))]
            Means::Paths => Self::Paths(paths::Paths::at(folder)),
        })
    }

    /// Makes steps of a path of names and `..`, and stops before a link: how many, and where that
    /// leads.
    pub(super) fn pass(&mut self, next: &Path) -> io::Result<(usize, Option<PathBuf>)> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Strides(strides) => Ok(strides.pass(next)?),
            #[cfg(any(test, not(target_os = "linux")))]
            Self::Paths(paths) => paths.pass(next),
        }
    }

    pub(super) fn is_folder(&self) -> io::Result<bool> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Strides(strides) => Ok(strides.is_folder()?),
            #[cfg(any(test, not(target_os = "linux")))]
            Self::Paths(paths) => Ok(paths.is_folder()),
        }
    }

    /// Whether this is the folder, by another spelling than that of its path.
    #[cfg(any(test, not(target_os = "linux")))]
    pub(super) fn is(&self, folder: &Path) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::Strides(_) => false,
            Self::Paths(paths) => paths.is(folder),
        }
    }
}
