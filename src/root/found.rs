//! What a lookup below the root finds.

use std::path::PathBuf;

/// What exists at a path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// A file with content that can be read.
    File {
        /// Its size in bytes, more than 0.
        bytes: u64,
        /// Whether its content was read and nothing in it is visible.
        blank: bool,
    },
    /// A file of 0 bytes.
    Empty,
    /// Nothing exists at the path.
    Nothing,
    /// Something other than a regular file. The text names it for a message.
    NotAFile(&'static str),
    /// The path leaves the root.
    Outside,
    /// It exists, but cannot be read.
    Unreadable,
}

/// A regular file whose content has not been read yet.
pub(super) struct FileEntry {
    pub(super) bytes: u64,
    /// The path with all links resolved, if the requested path contains links.
    pub(super) resolved: Option<PathBuf>,
}
