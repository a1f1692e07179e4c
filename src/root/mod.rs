//! The folder that artifacts must lie in, and the only place where the library touches the disk.
//!
//! On Linux the kernel resolves every path below the folder (`openat2`), so neither `..` nor a
//! symbolic link nor a concurrent change can lead outside. On other systems, and if the kernel lacks
//! the call, paths are resolved link by link in user space.

#[cfg(target_os = "linux")]
mod bounded_map;
mod found_files;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod open_dirs;
#[cfg(test)]
mod tests;
mod userspace;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use found_files::FoundFiles;

/// The folder cannot be used as the root.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {} as the root", crate::text::escape::path(path))]
pub struct RootError {
    path: PathBuf,
    source: io::Error,
}

/// The folder that artifact paths are relative to and must not leave.
#[derive(Debug)]
pub struct Root {
    /// The absolute path as given, and with all links resolved.
    places: [PathBuf; 2],
    #[cfg(target_os = "linux")]
    kernel: Option<kernel::Kernel>,
    resolved: userspace::Userspace,
    /// The files that were found, and those that were found not to be blank.
    known: Option<[FoundFiles; 2]>,
}

/// What is at a path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A file with content that can be read.
    File {
        /// Its size in bytes, more than 0.
        bytes: u64,
        /// Whether its content was read and is only white space.
        blank: bool,
    },
    /// A file of 0 bytes.
    Empty,
    /// Nothing.
    Nothing,
    /// Something that is not a regular file; its name for a message.
    NotAFile(&'static str),
    /// The path leads out of the root.
    Outside,
    /// Something that cannot be read.
    Unreadable,
}

/// A regular file, before its content is read.
struct FileEntry {
    bytes: u64,
    /// The path without links, if it was found by another path than requested.
    resolved: Option<PathBuf>,
}

/// How a file is opened for reading. If it was replaced by a FIFO meanwhile, opening does not block.
#[cfg(unix)]
const TO_READ: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::NONBLOCK)
    .union(rustix::fs::OFlags::NOCTTY);

/// The most bytes of a file that are searched for anything but white space.
const BLANK_AT_MOST: u64 = 64 * 1024;

impl Root {
    /// Opens a folder as the root.
    ///
    /// # Errors
    ///
    /// If there is no such folder or it cannot be entered.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RootError> {
        let path = path.as_ref();
        Self::try_open(path).map_err(|source| RootError {
            path: path.to_owned(),
            source,
        })
    }

    fn try_open(path: &Path) -> io::Result<Self> {
        let resolved = path.canonicalize()?;
        if !resolved.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            places: [std::path::absolute(path)?, resolved.clone()],
            #[cfg(target_os = "linux")]
            kernel: kernel::Kernel::open(&resolved)?,
            resolved: userspace::Userspace::new(resolved),
            known: None,
        })
    }

    /// Caches the files that were found and their folders, for the lifetime of the root. A file that
    /// many returns claim is looked up once. Missing files are looked up each time.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.known = Some([FoundFiles::new(), FoundFiles::new()]);
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &mut self.kernel {
            kernel.remember_folders();
        }
        self
    }

    /// The part of an absolute path that is below the root, by its text or after resolving links. If
    /// it contains `..` only the text counts, because resolving could reveal whether folders outside
    /// exist.
    #[must_use]
    pub fn below(&self, absolute: &Path) -> Option<PathBuf> {
        let by_text = |path: &Path| {
            let mut places = self.places.iter();
            let below = places.find_map(|root| path.strip_prefix(root).ok());
            below.map(Path::to_owned)
        };
        let goes_up = || {
            absolute
                .components()
                .any(|part| part == Component::ParentDir)
        };
        let relative = match by_text(absolute) {
            Some(relative) => relative,
            None if goes_up() => by_text(&collapsed(absolute))?,
            None => self.resolved.below(absolute)?,
        };
        Some(if relative.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            relative
        })
    }

    /// Looks up a path relative to the root. With `content`, the beginning of a file is read to detect
    /// a blank one.
    #[must_use]
    pub fn look(&self, relative: &Path, content: bool) -> Found {
        let Some(known) = &self.known else {
            return self.look_anew(relative, content);
        };
        let files = &known[usize::from(content)];
        let key = files.key(relative.as_os_str().as_encoded_bytes());
        if let Some(bytes) = files.recall(key) {
            return Found::File {
                bytes,
                blank: false,
            };
        }
        let found = self.look_anew(relative, content);
        // A missing file is not cached, because an agent may still write it.
        if let Found::File {
            bytes,
            blank: false,
        } = found
        {
            files.note(key, bytes);
        }
        found
    }

    fn look_anew(&self, relative: &Path, content: bool) -> Found {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel
            && let Some(found) = kernel.file_in_folder(relative, content)
        {
            return found;
        }
        let entry = match self.entry(relative) {
            Ok(FileEntry { bytes: 0, .. }) => return Found::Empty,
            Ok(entry) => entry,
            Err(found) => return found,
        };
        match self.open_file(relative, &entry) {
            Ok(file) => Found::File {
                bytes: entry.bytes,
                blank: content && is_blank(file),
            },
            Err(_) => Found::Unreadable,
        }
    }

    /// Reads a whole file below the root, or its first `most` bytes and one more.
    ///
    /// # Errors
    ///
    /// What is there instead of a readable regular file.
    pub fn read(&self, relative: &Path, most: u64) -> Result<Vec<u8>, Found> {
        let entry = self.entry(relative)?;
        let mut bytes = Vec::new();
        let file = self
            .open_file(relative, &entry)
            .map_err(|_| Found::Unreadable)?;
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|_| Found::Unreadable)?;
        Ok(bytes)
    }

    fn entry(&self, relative: &Path) -> Result<FileEntry, Found> {
        match self.entry_there(relative) {
            // Without an entry, only the text shows where the path would lead.
            Err(Found::Nothing) if userspace::climbs_out(relative) => Err(Found::Outside),
            entry => entry,
        }
    }

    fn entry_there(&self, relative: &Path) -> Result<FileEntry, Found> {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            let found = kernel.entry(relative);
            if !matches!(found, Err(Found::Outside)) {
                return found;
            }
            // The kernel refuses every absolute link, also one that leads back inside. Such a path is
            // resolved in user space and looked up again below the root.
            let mut way = self.resolved.way(relative)?;
            if way.as_os_str().is_empty() {
                way.push(".");
            }
            let entry = kernel.entry(&way)?;
            return Ok(FileEntry {
                resolved: Some(way),
                ..entry
            });
        }
        self.resolved.entry(relative)
    }

    /// Opens a file for reading that was a regular file before.
    fn open_file(&self, relative: &Path, entry: &FileEntry) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            return kernel.open_file(entry.resolved.as_deref().unwrap_or(relative));
        }
        userspace::open_file(entry.resolved.as_deref().unwrap_or(relative))
    }
}

/// A path with `..` removed lexically.
fn collapsed(path: &Path) -> PathBuf {
    let mut collapsed = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(collapsed.pop()),
            part => collapsed.push(part),
        }
    }
    collapsed
}

/// Whether a file contains only white space. A very long or unreadable file does not count as blank.
fn is_blank(file: impl Read) -> bool {
    let mut file = file.take(BLANK_AT_MOST);
    let mut part = [0; 64];
    loop {
        match file.read(&mut part) {
            Ok(0) => return file.limit() > 0,
            Ok(read) if part[..read].iter().all(u8::is_ascii_whitespace) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => return false,
        }
    }
}
