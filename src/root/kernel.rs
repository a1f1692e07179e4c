//! Lookups that the kernel resolves beneath the root.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2, readlinkat};
use rustix::io::Errno;

use super::TO_READ;
use super::walk::WalkedPlace;

/// How many times a lookup is tried if a rename interrupts it. While another process renames without
/// end, a file counts as unreadable.
const TRIES: usize = 64;

/// The root, as an open folder.
#[derive(Debug)]
pub(super) struct Kernel(OwnedFd);

impl Kernel {
    /// Opens the root. None if the kernel does not offer `openat2` or a seccomp filter denies it.
    pub(super) fn open(root: &Path) -> io::Result<Option<Self>> {
        // The folder is not listed, so it needs no read permission.
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match openat2(CWD, root, flags, Mode::empty(), ResolveFlags::empty()) {
            Err(Errno::NOSYS | Errno::PERM) => Ok(None),
            Err(error) => Err(error.into()),
            Ok(root) => Ok(Some(Self(root))),
        }
    }

    /// Looks up a path without opening it for reading, which could block or have side effects.
    /// `None` if the path contains a link.
    pub(super) fn metadata(&self, relative: &Path) -> Option<io::Result<Metadata>> {
        match self.resolve(relative, OFlags::PATH) {
            Err(Errno::LOOP) => None,
            Err(error) => Some(Err(error.into())),
            Ok(place) => Some(File::from(place).metadata()),
        }
    }

    pub(super) fn open_file(&self, relative: &Path) -> io::Result<File> {
        Ok(File::from(self.resolve(relative, TO_READ)?))
    }

    /// Looks up a path of which only the last part may be a link.
    pub(super) fn look(&self, relative: &Path) -> io::Result<WalkedPlace> {
        let place = self.resolve(relative, OFlags::PATH | OFlags::NOFOLLOW)?;
        let place = File::from(place);
        let metadata = place.metadata()?;
        if !metadata.is_symlink() {
            return Ok((metadata, None));
        }
        // An empty path is the link itself: its name could lead to another file at the next call.
        let target = readlinkat(&place, "", Vec::new())?;
        let target = OsString::from_vec(target.into_bytes());
        Ok((metadata, Some(target.into())))
    }

    /// Opens a path that contains no links. The kernel does not follow links here, because it has
    /// no useful limit on their cost.
    fn resolve(&self, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::CLOEXEC;
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let mut tries = 1;
        loop {
            match openat2(&self.0, relative, flags, Mode::empty(), beneath) {
                Err(Errno::AGAIN | Errno::INTR) if tries < TRIES => tries += 1,
                answer => return answer,
            }
        }
    }
}
