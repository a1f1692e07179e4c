//! Folders below the root that stay open for lookups of all the files in them.
//!
//! A folder that is moved or replaced stays open. Therefore a lookup in it may only confirm that a file
//! exists; any other result needs a lookup of the whole path from the root.

use std::fs::File;
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{Resource, getrlimit};

use crate::root::blank::is_blank;
use crate::root::bounded_map::BoundedMap;
use crate::root::{Found, TO_READ};

/// The most folders that are kept open.
const FOLDERS: u64 = 256;

/// The number of open files that the process needs for everything else.
const OTHERS: u64 = 128;

#[derive(Debug)]
pub(super) struct OpenDirs(BoundedMap<Arc<OwnedFd>>);

impl OpenDirs {
    /// `None` if the process may not open enough files. `root` is any open file.
    pub(super) fn new(root: BorrowedFd<'_>) -> Option<Self> {
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = usize::try_from(files.saturating_sub(OTHERS).min(FOLDERS)).ok()?;
        if most == 0 {
            return None;
        }
        make_room(root, most);
        Some(Self(BoundedMap::of(most)))
    }

    /// Returns a file with content, looked up in its folder. `open` opens the folder below the root.
    /// None says nothing about the file.
    pub(super) fn file(
        &self,
        path: &[u8],
        content: bool,
        open: impl FnOnce(&[u8]) -> Result<OwnedFd, Errno>,
    ) -> Option<Found> {
        let (folder, name) = split(path)?;
        let open = || open(folder).map(Arc::new);
        let folder = self.0.recall(folder, open).ok()?;
        let stat = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let bytes = u64::try_from(stat.st_size).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || bytes == 0 {
            return None;
        }
        let flags = TO_READ.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
        let file = openat(folder, name, flags, Mode::empty()).ok()?;
        Some(Found::File {
            bytes,
            blank: content && is_blank(File::from(file)),
        })
    }
}

/// Makes the kernel enlarge its table of open files for that many folders now. Otherwise it does so
/// whenever the table is full. If threads share the table at that time, the thread that opens a file has
/// to wait: 10 ms or more in all.
fn make_room(file: BorrowedFd<'_>, folders: usize) {
    let highest = RawFd::try_from(folders).unwrap_or_default() + 64;
    // If this fails, files are only opened more slowly.
    drop(fcntl_dupfd_cloexec(file, highest));
}

/// Returns the folder and the file name of a path. None if the last part is not a name.
fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let (folder, name) = match memchr::memrchr(b'/', path) {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (&b"."[..], path),
    };
    (!matches!(name, b"" | b"." | b"..")).then_some((folder, name))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn only_names_are_looked_up_in_a_folder() {
        assert_eq!(split(b"a.md"), Some((&b"."[..], &b"a.md"[..])));
        assert_eq!(
            split(b"in/side/a.md"),
            Some((&b"in/side"[..], &b"a.md"[..]))
        );
        for path in ["", ".", "..", "in/", "in/.", "in/.."] {
            assert_eq!(split(path.as_bytes()), None, "{path}");
        }
    }
}
