//! When a file was changed.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

use crate::root::Root;

#[derive(Debug, Clone, Copy)]
pub(crate) struct FileTimes {
    /// When its content was changed. Programs can set it.
    pub(crate) modified: SystemTime,
    /// When its content or metadata was last changed, as the system records it (ctime). Programs cannot
    /// set it. None where the system has no such time.
    pub(crate) noted: Option<SystemTime>,
}

impl Root {
    /// Returns when a regular file was last changed. None if it cannot be read.
    pub(crate) fn times(&self, relative: &Path) -> Option<FileTimes> {
        FileTimes::of(&self.metadata(relative)?)
    }
}

impl FileTimes {
    pub(crate) fn latest(self, other: Self) -> Self {
        Self {
            modified: self.modified.max(other.modified),
            noted: self.noted.max(other.noted),
        }
    }

    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        Some(Self {
            modified: metadata.modified().ok()?,
            noted: noted(metadata),
        })
    }
}

// Returns the time of the last change of the file's inode (ctime). Only Unix has it.
#[cfg(unix)]
fn noted(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt as _;
    use std::time::{Duration, UNIX_EPOCH};
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

// Other systems have no such time.
#[cfg(not(unix))]
fn noted(_: &Metadata) -> Option<SystemTime> {
    None
}
