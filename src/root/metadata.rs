//! What the system knows of a file below the root: which one it is, and when it was changed.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

use super::Root;

impl Root {
    /// Returns the identity of a regular file. None if it cannot be read, or if the system has no inode
    /// numbers.
    pub(crate) fn identity(&self, relative: &Path) -> Option<FileIdentity> {
        FileIdentity::of(&self.metadata(relative)?)
    }

    /// Returns when a regular file was last changed. None if it cannot be read.
    pub(crate) fn times(&self, relative: &Path) -> Option<FileTimes> {
        FileTimes::of(&self.metadata(relative)?)
    }

    /// Returns when the symlink at a path was last changed. None if there is something else, or if it cannot
    /// be read.
    pub(crate) fn link_times(&self, relative: &Path) -> Option<FileTimes> {
        let folder = relative.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = self.resolve(folder.unwrap_or(Path::new("."))).ok()?;
        let (metadata, target) = self.look(&folder.join(relative.file_name()?)).ok()?;
        target.and_then(|_| FileTimes::of(&metadata))
    }
}

/// Two paths with the same place lead to the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    /// The number of its device, and its inode number there.
    pub(crate) place: (u64, u64),
    /// The number of its hard links.
    pub(crate) names: u64,
}

impl FileIdentity {
    // Only Unix has inode numbers.
    #[allow(unused_variables, clippy::unnecessary_wraps, reason = "it is so elsewhere")]
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Some(Self { place: (metadata.dev(), metadata.ino()), names: metadata.nlink() })
        }
        #[cfg(not(unix))]
        None
    }
}

/// When a file was changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileTimes {
    /// When its content was changed. Programs can set it.
    pub(crate) modified: SystemTime,
    /// When its content or metadata was last changed, as the system records it (ctime). Programs cannot
    /// set it. None where the system has no such time.
    pub(crate) noted: Option<SystemTime>,
}

impl FileTimes {
    pub(crate) fn latest(self, other: Self) -> Self {
        Self { modified: self.modified.max(other.modified), noted: self.noted.max(other.noted) }
    }

    fn of(metadata: &Metadata) -> Option<Self> {
        Some(Self { modified: metadata.modified().ok()?, noted: noted(metadata) })
    }
}

/// Returns the time of the last change of the file's inode (ctime). Only Unix has it.
#[cfg_attr(not(unix), allow(unused_variables, reason = "there is none"))]
fn noted(metadata: &Metadata) -> Option<SystemTime> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        use std::time::{Duration, UNIX_EPOCH};
        let seconds = u64::try_from(metadata.ctime()).ok()?;
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
        UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
    }
    #[cfg(not(unix))]
    None
}
