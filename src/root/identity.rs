//! Whether two paths lead to the same file.

use std::fs::Metadata;
use std::path::Path;

use crate::root::Root;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    /// The number of its device, and its inode number there.
    pub(crate) place: (u64, u64),
    /// The number of its hard links.
    pub(crate) names: u64,
}

impl Root {
    /// Returns the identity of a regular file. None if it cannot be read, or if the system has no inode
    /// numbers.
    pub(crate) fn identity(&self, relative: &Path) -> Option<FileIdentity> {
        FileIdentity::of(&self.metadata(relative)?)
    }
}

impl FileIdentity {
    // Only Unix has inode numbers.
    #[cfg(unix)]
    #[allow(
        clippy::unnecessary_wraps,
        reason = "other systems have no such numbers"
    )]
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Self {
            place: (metadata.dev(), metadata.ino()),
            names: metadata.nlink(),
        })
    }

    // Other systems have no inode numbers.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Option<Self> {
        None
    }
}
