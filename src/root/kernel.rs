//! Lookups that the kernel resolves beneath the root, and folders that stay open for lookups of all the files
//! in them.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, Stat, fstat, openat, openat2, readlinkat,
    statat,
};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::path::Arg;
use rustix::process::{Resource, getrlimit};

use super::{FileEntry, Found, TO_READ};
use crate::root::blank::is_blank;
use crate::root::cache::BoundedMap;

/// How many times a lookup is tried if a rename interrupts it. While another process renames without
/// end, a file counts as unreadable.
const TRIES: usize = 64;

/// Flags to open a folder that is not listed: it needs no read permission.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);

#[derive(Debug)]
pub(super) struct Kernel {
    root: OwnedFd,
    folders: Option<OpenDirs>,
}

impl Kernel {
    /// Opens the root. None if the kernel does not offer `openat2` or a seccomp filter denies it.
    pub(super) fn open(root: &Path) -> io::Result<Option<Self>> {
        let flags = FOLDER.union(OFlags::CLOEXEC);
        match openat2(CWD, root, flags, Mode::empty(), ResolveFlags::empty()) {
            Err(Errno::NOSYS | Errno::PERM) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(root) => Ok(Some(Self {
                root,
                folders: None,
            })),
        }
    }

    pub(super) fn remember_folders(&mut self) {
        self.folders = OpenDirs::new(self.root.as_fd());
    }

    /// Returns a file with content, looked up in its folder, which is kept open. None says nothing about
    /// the file: then the whole path must be looked up. `resolve_links` resolves the links in the path
    /// of a folder.
    pub(super) fn file_in_folder(
        &self,
        relative: &Path,
        content: bool,
        resolve_links: impl Fn(&Path) -> Result<PathBuf, Found>,
    ) -> Option<Found> {
        let path = relative.as_os_str().as_encoded_bytes();
        let open = |folder: &[u8]| match self.resolve(folder, FOLDER) {
            Err(Errno::LOOP) => {
                let path = resolve_links(Path::new(OsStr::from_bytes(folder))).ok();
                self.resolve(path.ok_or(Errno::LOOP)?.as_path(), FOLDER)
            }
            folder => folder,
        };
        self.folders.as_ref()?.file(path, content, open)
    }

    /// Looks up a path without opening it for reading, which could block or have side effects.
    /// `None` if the path contains a link.
    pub(super) fn entry(&self, relative: &Path) -> Option<Result<FileEntry, Found>> {
        match self.resolve(relative, OFlags::PATH).and_then(fstat) {
            Err(Errno::LOOP) => None,
            stat => Some(Self::file_entry(stat)),
        }
    }

    fn file_entry(stat: Result<Stat, Errno>) -> Result<FileEntry, Found> {
        let stat = stat.map_err(|error| match error {
            Errno::XDEV => Found::Outside,
            Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG => Found::Nothing,
            // Denied permissions and system errors do not prove that nothing exists.
            _ => Found::Unreadable,
        })?;
        Err(Found::NotAFile(
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => {
                    return Ok(FileEntry {
                        bytes: u64::try_from(stat.st_size).unwrap_or(0),
                        resolved: None,
                    });
                }
                FileType::Directory => "a folder",
                FileType::Fifo => "a FIFO",
                FileType::Socket => "a socket",
                FileType::CharacterDevice | FileType::BlockDevice => "a device",
                _ => "no regular file",
            },
        ))
    }

    pub(super) fn open_file(&self, relative: &Path) -> io::Result<File> {
        Ok(File::from(self.resolve(relative, TO_READ)?))
    }

    /// Returns the metadata of the link at a path, and its target. None if there is no link.
    pub(super) fn link(&self, relative: &Path) -> Option<(Metadata, PathBuf)> {
        let flags = OFlags::PATH.union(OFlags::NOFOLLOW);
        let link = self.resolve(relative, flags).ok()?;
        // An empty path is the link itself.
        let target = readlinkat(&link, "", Vec::new()).ok()?;
        let target = OsString::from_vec(target.into_bytes()).into();
        Some((File::from(link).metadata().ok()?, target))
    }

    /// Opens a path that contains no links. The kernel does not follow links here, because it has
    /// no useful limit on their cost.
    fn resolve(&self, relative: impl Arg + Copy, flags: OFlags) -> Result<OwnedFd, Errno> {
        const BENEATH: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);
        let mut answer = Err(Errno::AGAIN);
        for _ in 0..TRIES {
            answer = openat2(
                &self.root,
                relative,
                flags.union(OFlags::CLOEXEC),
                Mode::empty(),
                BENEATH,
            );
            if !matches!(answer, Err(Errno::AGAIN | Errno::INTR)) {
                break;
            }
        }
        answer
    }
}

/// The most folders that are kept open.
const FOLDERS: u64 = 256;

/// The number of open files that the process needs for everything else.
const OTHERS: u64 = 128;

/// Folders below the root that stay open for lookups of all the files in them.
///
/// A folder that is moved or replaced stays open. Therefore a lookup in it may only confirm that a file
/// exists; any other result needs a lookup of the whole path from the root.
#[derive(Debug)]
struct OpenDirs(BoundedMap<Arc<OwnedFd>>);

impl OpenDirs {
    /// `None` if the process may not open enough files. `root` is any open file.
    fn new(root: BorrowedFd<'_>) -> Option<Self> {
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
    fn file(
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
    use super::*;

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
