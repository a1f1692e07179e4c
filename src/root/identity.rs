//! Whether two paths are of one file.

use std::fs::Metadata;
use std::path::Path;

use crate::root::Root;

/// A file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    /// Its device, and its number there.
    pub(crate) place: (u64, u64),
    /// How many names it has.
    pub(crate) names: u64,
}

impl Root {
    /// Which file a regular file is, whatever its name. None if it cannot be read.
    pub(crate) fn identity(&self, relative: &Path) -> Option<FileIdentity> {
        FileIdentity::of(&self.metadata(relative)?)
    }
}

impl FileIdentity {
    // Only Unix numbers its files.
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

    // Other systems do not number them.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Option<Self> {
        None
    }
}
