//! The folder that artifacts must lie in, and the only place where the library touches the disk.
//!
//! On Linux the kernel itself resolves every path beneath the folder (`openat2`), so that neither
//! `..` nor a symbolic link nor a swap while looking leads outside. A path with links on it is
//! followed link by link first, with a bound on the steps; the way that it leads is for the kernel
//! to resolve. Where the call is lacking, what is found at the end of that way counts.

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
mod walk;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use found_files::FoundFiles;
use walk::cursor::WalkMethod;

/// A folder that could not be made the root.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {} as the root", crate::text::escape::path(path))]
pub struct RootError {
    path: PathBuf,
    source: io::Error,
}

/// The folder that artifact paths are relative to and must not leave.
#[derive(Debug)]
pub struct Root {
    /// As given, made absolute without following links, and with every link followed.
    places: [PathBuf; 2],
    #[cfg(target_os = "linux")]
    kernel: Option<kernel::Kernel>,
    resolved: userspace::Userspace,
    /// Files that were found, and those that were looked into and are not blank.
    known: Option<[FoundFiles; 2]>,
}

/// What stands at a path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// A file with content that can be read.
    File {
        /// Its size in bytes, more than 0.
        bytes: u64,
        /// Whether it was looked into and holds only white space.
        blank: bool,
    },
    /// A file of 0 bytes.
    Empty,
    /// Nothing.
    Nothing,
    /// Something that is no regular file; its name for a message.
    NotAFile(&'static str),
    /// The path leads out of the root.
    Outside,
    /// Something that may not be read.
    Unreadable,
}

/// A regular file, before its content is looked at.
struct FileEntry {
    bytes: u64,
    /// The path without links by which it was found, where it was not the one asked for.
    resolved: Option<PathBuf>,
}

/// How a file is opened to be read. It was a regular one a moment ago; should it be something else
/// by now, opening does not wait for a writer.
#[cfg(unix)]
const TO_READ: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::NONBLOCK)
    .union(rustix::fs::OFlags::NOCTTY);

/// Bytes of a path that Linux takes, with the NUL at its end.
const PATH_AT_MOST: usize = 4096;

/// Bytes of a file that are looked at for something else than white space.
const BLANK_AT_MOST: u64 = 64 * 1024;

impl Root {
    /// Opens a folder as the root.
    ///
    /// # Errors
    ///
    /// If there is no such folder or it may not be entered.
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
        #[cfg(target_os = "linux")]
        let kernel = kernel::Kernel::open(&resolved)?;
        #[cfg(target_os = "linux")]
        let method = match kernel {
            Some(_) => WalkMethod::ByFolder,
            None => WalkMethod::Steps,
        };
        #[cfg(not(target_os = "linux"))]
        let method = WalkMethod::ByPath;
        Ok(Self {
            places: [std::path::absolute(path)?, resolved.clone()],
            #[cfg(target_os = "linux")]
            kernel,
            resolved: userspace::Userspace::new(resolved, method),
            known: None,
        })
    }

    /// Remembers the files that were found and the folders they are in, for as long as the root
    /// lives: a file that many returns claim is looked at once, and found where its folder was when
    /// it was first entered. What was not there is looked for each time.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.known = Some([FoundFiles::new(), FoundFiles::new()]);
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &mut self.kernel {
            kernel.remember_folders();
        }
        self
    }

    /// The part of an absolute path that is below the root: by its text, else by where its links
    /// lead. With `..` in it only the text counts: what is asked of folders outside would tell
    /// whether they are there.
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

    /// Looks at a path relative to the root. With `content`, a file's first bytes are read to
    /// tell a blank one.
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
        // A missing file may be written yet, by an agent that is sent back.
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
            && let Some(found) =
                kernel.file_in_folder(relative, content, |folder| self.resolved.way(folder))
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
    /// What stands there instead of a regular file that can be read.
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
            // Where nothing is, the text alone tells where it would lead.
            Err(Found::Nothing) if userspace::climbs_out(relative) => Err(Found::Outside),
            entry => entry,
        }
    }

    fn entry_there(&self, relative: &Path) -> Result<FileEntry, Found> {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            if let Some(found) = kernel.entry(relative) {
                return found;
            }
            // The kernel resolves that way anew: a link that was put on it meanwhile is not followed.
            let way = self.resolved.way(relative)?;
            let entry = kernel.entry(&way).unwrap_or(Err(Found::Outside))?;
            return Ok(FileEntry {
                resolved: Some(way),
                ..entry
            });
        }
        self.resolved.entry(relative)
    }

    /// Opens a file to read that was a regular one a moment ago.
    fn open_file(&self, relative: &Path, entry: &FileEntry) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            return kernel.open_file(entry.resolved.as_deref().unwrap_or(relative));
        }
        userspace::open_file(entry.resolved.as_deref().unwrap_or(relative))
    }
}

/// A path without `..`, by its text alone.
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

/// Whether a file holds only white space; a longer stretch of it than anyone writes by accident,
/// or one that cannot be read through, does not count.
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
