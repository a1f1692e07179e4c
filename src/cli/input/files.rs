//! Reads the file of one return.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::BYTES_AT_MOST;
use crate::text::escape;
use anyhow::Context as _;

use crate::cli::input::listing::ListedFolder;
use crate::cli::input::origin::Origin;
use crate::cli::output::Targets;

/// Reads files. The folder of the last file stays open, so that its path is resolved only once for all
/// files in it.
#[derive(Default)]
pub(crate) struct Opener {
    // Only Linux can open a folder just to look up names in it (`O_PATH`).
    #[cfg(target_os = "linux")]
    folder: Option<OpenFolder>,
    asks_for_time: bool,
}

/// The folder of the last file.
#[cfg(target_os = "linux")]
struct OpenFolder {
    listed: Arc<ListedFolder>,
    folder: std::os::fd::OwnedFd,
    fills_reads: bool,
}

#[cfg(target_os = "linux")]
impl OpenFolder {
    fn new(listed: &Arc<ListedFolder>) -> io::Result<Self> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = openat(CWD, listed.prefix(), flags, Mode::empty())?;
        Ok(Self {
            listed: Arc::clone(listed),
            fills_reads: fills_reads(&folder),
            folder,
        })
    }
}

/// The initial size of the buffer in bytes; most returns are smaller.
const INITIAL_BYTES: usize = 32 * 1024;

impl Opener {
    /// Sets whether modification times are read. Each needs a system call.
    pub(crate) fn ask_for_time(&mut self, asks_for_time: bool) -> &mut Self {
        self.asks_for_time = asks_for_time;
        self
    }

    /// The modification time of a regular file. None for other files, or if times are not read.
    fn time_of(&self, file: &File) -> io::Result<Option<SystemTime>> {
        if !self.asks_for_time {
            return Ok(None);
        }
        let metadata = file.metadata()?;
        Ok(metadata.modified().ok().filter(|_| metadata.is_file()))
    }

    /// Appends the content of a return to `bytes`. Of a file with more than `most` bytes, `most` + 1
    /// bytes are read, so that the excess is detected. Returns the modification time.
    pub(crate) fn read(
        &mut self,
        origin: &Origin,
        most: u64,
        targets: &Targets,
        bytes: &mut Vec<u8>,
    ) -> anyhow::Result<Option<SystemTime>> {
        let most = most.saturating_add(1);
        match origin {
            Origin::Stdin => {
                let read = io::stdin().lock().take(most).read_to_end(bytes);
                read.context("cannot read standard input")?;
                Ok(None)
            }
            Origin::Named(path) => targets
                .refuse_log(path)
                .and_then(|()| open_named(path))
                .and_then(|file| {
                    let changed = self.time_of(&file)?;
                    read_named(file, most, targets, bytes).map(|()| changed)
                })
                .with_context(|| cannot_read(path)),
            Origin::Found(files) => {
                let (folder, number) = (files.folder(), files.current());
                self.open_found(folder, number)
                    .and_then(|file| {
                        let changed = self.time_of(&file)?;
                        self.read_found(&file, most, targets, bytes)?;
                        Ok(changed)
                    })
                    .with_context(|| cannot_read(&folder.path_of(number)))
            }
        }
    }

    // Opens the file relative to the open folder, so that the path of the folder is not resolved for
    // each file.
    #[cfg(target_os = "linux")]
    fn open_found(&mut self, folder: &Arc<ListedFolder>, number: usize) -> io::Result<File> {
        let open = match &self.folder {
            Some(open) if Arc::ptr_eq(&open.listed, folder) => open,
            _ => self.folder.insert(OpenFolder::new(folder)?),
        };
        open_unchanged(&open.folder, folder.name(number))
    }

    /// Reads a file that was a regular one when its folder was listed. Reading to the end is cheaper
    /// than a system call for the size. The type is only checked again if the file is empty.
    fn read_found(
        &self,
        file: &File,
        most: u64,
        targets: &Targets,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        if !targets.is_empty() {
            targets.note_read(&file.metadata()?);
        }
        let start = bytes.len();
        bytes.reserve(INITIAL_BYTES);
        if self.reads_at_once(file, most, bytes) {
            return Ok(());
        }
        let most = most.saturating_sub((bytes.len() - start) as u64);
        let read = file.take(most).read_to_end(bytes);
        if (read.is_err() || bytes.len() == start) && !file.metadata()?.is_file() {
            return Err(not_regular());
        }
        read.map(drop)
    }

    /// Makes one read into the spare capacity of `bytes`. Returns whether that certainly was the whole
    /// file: the read returned fewer bytes than requested, and the file system does that only at the end
    /// of a file.
    #[cfg(target_os = "linux")]
    fn reads_at_once(&self, file: &File, most: u64, bytes: &mut Vec<u8>) -> bool {
        /// If a disk has a read error, the read returns the bytes before it. Their number is a multiple
        /// of this block size.
        const BLOCK: usize = 512;
        let room = bytes.capacity() - bytes.len();
        let fills_reads = (self.folder.as_ref()).is_some_and(|folder| folder.fills_reads);
        if !fills_reads || room as u64 > most {
            return false;
        }
        let read = || rustix::io::read(file, rustix::buffer::spare_capacity(bytes));
        let read = rustix::io::retry_on_intr(read);
        read.is_ok_and(|read| read < room && !read.is_multiple_of(BLOCK))
    }

    // On other systems, only a read of 0 bytes certainly is the end of a file.
    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, reason = "there is no folder to remember")]
    fn reads_at_once(&self, _: &File, _: u64, _: &mut Vec<u8>) -> bool {
        false
    }

    // On other systems, each file is opened by its path.
    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, reason = "there is no folder to remember")]
    fn open_found(&mut self, folder: &Arc<ListedFolder>, number: usize) -> io::Result<File> {
        File::open(folder.path_of(number))
    }
}

/// Opens a file that was a regular one when its folder was listed. It may have been replaced since: the
/// flags prevent the call from blocking on a FIFO or following a link.
#[cfg(target_os = "linux")]
fn open_unchanged(
    folder: impl std::os::fd::AsFd,
    name: impl rustix::path::Arg,
) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(folder, name, flags, Mode::empty())?))
}

// Not `File::open`: with the C library of musl, it makes a second system call to set the close-on-exec
// flag.
#[cfg(unix)]
fn open_named(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let open = || open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    Ok(File::from(rustix::io::retry_on_intr(open)?))
}

#[cfg(not(unix))]
fn open_named(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether the file system of a folder returns fewer bytes than requested only at the end of a file.
/// Linux's own file systems for disks and memory do so. A file system in user space or on a network may
/// not, and `/proc` does not.
#[cfg(target_os = "linux")]
fn fills_reads(folder: &std::os::fd::OwnedFd) -> bool {
    /// ext2 to ext4, XFS, Btrfs, tmpfs.
    const KINDS: [u32; 4] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994];
    let found = rustix::fs::fstatfs(folder);
    let kind = found
        .ok()
        .and_then(|found| u32::try_from(found.f_type).ok());
    kind.is_some_and(|kind| KINDS.contains(&kind))
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", escape::path(path))
}

/// Opens a file that was found in a folder. Fails if it is no longer a regular file.
pub(crate) fn open_found(path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    let file = open_unchanged(rustix::fs::CWD, path)?;
    #[cfg(not(target_os = "linux"))]
    let file = File::open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

fn not_regular() -> io::Error {
    io::Error::other("it is no longer a regular file")
}

/// Reads a file of any kind that is named on the command line.
fn read_named(file: File, most: u64, targets: &Targets, bytes: &mut Vec<u8>) -> io::Result<()> {
    let metadata = file.metadata()?;
    targets.note_read(&metadata);
    // A regular file is read up to its size, which saves the last read. A file of 0 bytes may be a
    // virtual file with content, such as in /proc.
    let most = match metadata.len() {
        size @ 1.. if metadata.is_file() => most.min(size),
        _ => most,
    };
    let size = metadata.len().min(most).min(BYTES_AT_MOST);
    bytes.reserve(usize::try_from(size).unwrap_or(0));
    file.take(most).read_to_end(bytes).map(drop)
}
