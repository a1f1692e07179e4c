//! Paths that the kernel resolves below the root.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, open, openat2};
use rustix::io::Errno;
use rustix::path::Arg;

use crate::root::open_dirs::OpenDirs;
use crate::root::{FileEntry, Found, TO_READ};

/// The most attempts when a part of the path is renamed meanwhile. After that the path counts as
/// unreadable.
const TRIES: usize = 64;

/// How a folder on the path is opened; no permission to list it is needed.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);

/// An open root.
#[derive(Debug)]
pub(super) struct Kernel {
    root: OwnedFd,
    folders: Option<OpenDirs>,
}

impl Kernel {
    /// `None` where the kernel, or a filter in front of it, does not offer `openat2`.
    pub(super) fn open(root: &Path) -> io::Result<Option<Self>> {
        let root = Self {
            root: open(root, FOLDER.union(OFlags::CLOEXEC), Mode::empty())?,
            folders: None,
        };
        match root.resolve(Path::new("."), OFlags::PATH) {
            Err(Errno::NOSYS | Errno::PERM) => Ok(None),
            _ => Ok(Some(root)),
        }
    }

    /// Keeps folders open, for the other files in them.
    pub(super) fn remember_folders(&mut self) {
        self.folders = OpenDirs::new();
    }

    /// A file with content, if it can be found in a folder that is kept open. `None` is inconclusive.
    pub(super) fn file_in_folder(&self, relative: &Path, content: bool) -> Option<Found> {
        let path = relative.as_os_str().as_encoded_bytes();
        let open = |folder: &[u8]| self.resolve(folder, FOLDER);
        self.folders.as_ref()?.file(path, content, open)
    }

    /// The entry at the path, found without opening it, which could block or have side effects.
    pub(super) fn entry(&self, relative: &Path) -> Result<FileEntry, Found> {
        let stat = self
            .resolve(relative, OFlags::PATH)
            .and_then(fstat)
            .map_err(|error| match error {
                // A loop may be a magic link of the system, which can lead anywhere.
                Errno::XDEV | Errno::LOOP => Found::Outside,
                Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG => Found::Nothing,
                // Missing permissions or a failing system do not mean that there is nothing.
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
                _ => "not a regular file",
            },
        ))
    }

    pub(super) fn open_file(&self, relative: &Path) -> io::Result<File> {
        Ok(File::from(self.resolve(relative, TO_READ)?))
    }

    fn resolve(&self, relative: impl Arg + Copy, flags: OFlags) -> Result<OwnedFd, Errno> {
        const BENEATH: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_MAGICLINKS);
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
