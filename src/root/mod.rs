//! The folder that artifacts must lie in, and the only module that touches the disk.
//!
//! On Linux the kernel resolves every path beneath the folder (`openat2`). Neither `..`, a symbolic
//! link, nor a file that is swapped during the lookup can lead outside. A path that contains links is
//! first followed link by link, with a limit on the number of steps; the resulting path has no links,
//! and the kernel resolves it again. Without `openat2`, the result of the first walk is used.

mod cache;
// Only Linux has `openat2`. Therefore this module and the member `kernel` of the root are for Linux alone.
#[cfg(target_os = "linux")]
mod kernel;
mod metadata;
#[cfg(test)]
mod tests;
mod walk;

use std::borrow::Cow;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use cache::Cache;
pub(crate) use metadata::FileTimes;

use crate::text;

/// A folder that could not be made the root.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {} as the root", crate::text::escape::path(path))]
pub struct RootError {
    path: PathBuf,
    source: io::Error,
}

/// The folder that artifact paths are relative to and must not leave.
///
/// ```
/// let root = retval::Root::open("fixtures/project")?;
/// assert!(retval::Root::open("no/such/folder").is_err());
/// # Ok::<(), retval::RootError>(())
/// ```
#[derive(Debug)]
pub struct Root {
    /// The path as it was given, unless it only says where the current folder is.
    named: Option<Box<Path>>,
    given: PathBuf,
    /// The same path without `..`, which is removed by the text alone.
    place: PathBuf,
    #[cfg(target_os = "linux")]
    kernel: Option<kernel::Kernel>,
    /// The root's path without links. It is set for the first path that needs it: an absolute one, or one
    /// through a link. None if the root does not exist any more.
    resolved: OnceLock<Option<PathBuf>>,
    cache: Option<Cache>,
}

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
struct FileEntry<'p> {
    bytes: u64,
    /// The path to open it by. Without `openat2` it is absolute.
    path: Cow<'p, Path>,
}

/// Flags to open a file for reading. The file was a regular one when it was looked up. If it has been
/// replaced by a FIFO since, `NONBLOCK` keeps the call from waiting for a writer.
#[cfg(unix)]
const TO_READ: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::NONBLOCK)
    .union(rustix::fs::OFlags::NOCTTY);

/// The most bytes of a file that are read to find out whether it is blank. A larger one does not count as blank.
const BLANK_AT_MOST: u64 = 64 * 1024;

/// The longest path that Linux accepts, in bytes, with the NUL at its end (`PATH_MAX`).
const PATH_AT_MOST: usize = 4096;

impl Root {
    /// Opens a folder as the root.
    ///
    /// # Errors
    ///
    /// If there is no such folder or it may not be entered.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RootError> {
        Self::open_in(Path::new(""), path)
    }

    /// Opens a folder as the root. `current` is the absolute path of the current folder, for callers
    /// that know it already. This saves a system call.
    pub(crate) fn open_in(current: &Path, path: impl AsRef<Path>) -> Result<Self, RootError> {
        let path = path.as_ref();
        Self::try_open(path, &current.join(path))
            .map_err(|source| RootError { path: path.to_owned(), source })
    }

    fn try_open(path: &Path, full: &Path) -> io::Result<Self> {
        let given = std::path::absolute(full)?;
        let mut parts = path.components();
        let has_name = parts.any(|part| matches!(part, Component::Normal(_)));
        let root = Self {
            named: has_name.then(|| path.into()),
            place: collapsed(&given),
            given,
            #[cfg(target_os = "linux")]
            kernel: kernel::Kernel::open(path)?,
            resolved: OnceLock::new(),
            cache: None,
        };
        // The kernel has opened it as a folder.
        #[cfg(target_os = "linux")]
        if root.kernel.is_some() {
            return Ok(root);
        }
        if path.canonicalize()?.is_dir() {
            Ok(root)
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// The path for people: as it was given, or absolute if it was `.` or the like.
    pub(crate) fn shown(&self) -> &Path {
        self.named.as_deref().unwrap_or(&self.place)
    }

    fn resolved(&self) -> Option<&Path> {
        let resolved = || self.given.canonicalize().ok();
        self.resolved.get_or_init(resolved).as_deref()
    }

    /// Looks up a path below the root of which only the last part may be a link.
    fn look(&self, relative: &Path) -> io::Result<walk::WalkedPlace> {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            return kernel.look(relative);
        }
        let root = self.resolved().ok_or(io::ErrorKind::NotFound)?;
        walk::look(&root.join(relative))
    }

    /// Caches what is found. A file that many returns claim is then looked up once.
    pub(crate) fn remembering(self) -> Self {
        Self { cache: Some(Cache::default()), ..self }
    }

    /// Looks up a path relative to the root. With `content`, the first bytes of the file are read to
    /// find out whether it is blank.
    pub(crate) fn stat(&self, relative: &Path, content: bool) -> Found {
        let look = || self.stat_uncached(relative, content);
        match &self.cache {
            Some(cache) => cache.found(relative, content, look),
            None => look(),
        }
    }

    /// Whether anything is at a path.
    pub(crate) fn has(&self, relative: &str) -> bool {
        self.stat(Path::new(relative), false) != Found::Nothing
    }

    fn stat_uncached(&self, relative: &Path, content: bool) -> Found {
        let entry = match self.entry(relative) {
            Ok(FileEntry { bytes: 0, .. }) => return Found::Empty,
            Ok(entry) => entry,
            Err(found) => return found,
        };
        match self.open_file(&entry) {
            Ok(file) => Found::File { bytes: entry.bytes, blank: content && is_blank(file) },
            Err(_) => Found::Unreadable,
        }
    }

    /// The path of the file that was probably meant by that of a missing one: of the same name, in the folder above.
    pub(crate) fn near(&self, missing: &str) -> Option<String> {
        let (folder, name) = split(missing);
        let above = split(folder.strip_suffix('/')?).0;
        let path = format!("{above}{name}");
        // It is not one of those that returns name.
        let there = self.stat_uncached(Path::new(&path), false);
        matches!(there, Found::File { .. } | Found::Empty).then_some(path)
    }

    /// The name of its folder. None for the top folder, and for a name that is not UTF-8.
    pub(crate) fn name(&self) -> Option<&str> {
        self.place.file_name()?.to_str()
    }

    /// Reads a file below the root. Reads at most `most` bytes and one more, which tells the caller that
    /// the file is longer.
    pub(crate) fn read(&self, relative: &Path, most: u64) -> Result<Vec<u8>, Found> {
        let entry = self.entry(relative)?;
        let mut bytes = Vec::new();
        let file = self.open_file(&entry);
        let read = file.and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes));
        read.map_err(|_| Found::Unreadable)?;
        Ok(bytes)
    }

    /// The paths of the regular files below a folder below the root, relative to that folder. No link is
    /// followed, and no folder with one of the names `but`. None if there is no such folder, if a part of it cannot
    /// be read, or if it has more than 100,000 entries.
    pub(crate) fn files_below(&self, folder: &Path, but: &[&str]) -> Option<Vec<String>> {
        const AT_MOST: usize = 100_000;
        let top = self.place.join(self.resolve(folder).ok()?);
        let mut folders = vec![String::new()];
        let (mut files, mut seen) = (Vec::new(), 0);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(top.join(&folder)).ok()? {
                let entry = entry.ok()?;
                seen += 1;
                let path = format!("{folder}{}", entry.file_name().to_string_lossy());
                match entry.file_type().ok()? {
                    _ if seen > AT_MOST => return None,
                    it if it.is_dir() && but.iter().any(|but| entry.file_name() == *but) => {}
                    it if it.is_dir() => folders.push(format!("{path}/")),
                    it if it.is_file() => files.push(path),
                    _ => {}
                }
            }
        }
        Some(files)
    }

    /// Returns the path without links, `.` and `..`. If it cannot be resolved, `..` is removed by its
    /// text alone.
    pub(crate) fn plain(&self, relative: &Path) -> PathBuf {
        let resolved = self.resolve(relative);
        resolved.unwrap_or_else(|_| collapsed(relative))
    }

    /// A path that is relative to the root as an absolute one, without `..`.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        collapsed(&self.place.join(path))
    }

    /// Returns the part of an absolute path that is below the root, or None if it is not below it. First
    /// the text of the path is compared with that of the root, then the links of the path, or of its folder if
    /// it leads to nothing, are followed. If the path contains `..`, only its text counts, with each `..` removed
    /// together with the name before it: looking up folders outside the root would reveal whether they exist.
    #[must_use]
    pub(crate) fn below(&self, absolute: &Path) -> Option<PathBuf> {
        let by_text = |path: &Path| {
            let resolved = || path.strip_prefix(self.resolved()?).ok();
            let below = path.strip_prefix(&self.place).ok().or_else(resolved);
            below.map(Path::to_owned)
        };
        let mut parts = absolute.components();
        let relative = if parts.any(|part| part == Component::ParentDir) {
            by_text(&collapsed(absolute))
        } else {
            let folder =
                || Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?));
            let real = || absolute.canonicalize().ok().or_else(folder);
            by_text(absolute).or_else(|| by_text(&real()?))
        };
        relative.map(dot_if_empty)
    }

    /// Whether an absolute path leads to a folder around the root. Only its text counts.
    pub(crate) fn is_inside(&self, folder: &Path) -> bool {
        let folder = collapsed(folder);
        let mut names = [Some(&*self.place), self.resolved()].into_iter().flatten();
        names.any(|root| root.starts_with(&folder))
    }

    fn metadata(&self, relative: &Path) -> Option<Metadata> {
        let entry = self.entry(relative).ok()?;
        self.open_file(&entry).ok()?.metadata().ok()
    }

    fn entry<'p>(&self, relative: &'p Path) -> Result<FileEntry<'p>, Found> {
        let (metadata, path) = match self.entry_there(relative) {
            // For a missing file, only the text of the path shows where it would be.
            Err(Found::Nothing) if climbs_out(relative) => return Err(Found::Outside),
            entry => entry?,
        };
        if !metadata.is_file() {
            let kind = if metadata.is_dir() { "a folder" } else { "no regular file" };
            return Err(Found::NotAFile(kind));
        }
        let bytes = metadata.len();
        Ok(FileEntry { bytes, path })
    }

    /// Returns the metadata of what is there, and the path to open it by.
    fn entry_there<'p>(&self, relative: &'p Path) -> Result<(Metadata, Cow<'p, Path>), Found> {
        let failed = |error| verdict(&error);
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            if let Some(metadata) = kernel.metadata(relative) {
                return Ok((metadata.map_err(failed)?, relative.into()));
            }
            // The kernel resolves the path again, without following links that appeared since.
            let path = self.resolve(relative)?;
            let metadata = kernel.metadata(&path).ok_or(Found::Outside)?;
            return Ok((metadata.map_err(failed)?, path.into()));
        }
        let root = self.resolved().ok_or(Found::Unreadable)?;
        let path = root.join(self.resolve(relative)?);
        Ok((path.symlink_metadata().map_err(failed)?, path.into()))
    }

    /// Opens a file that was a regular one when it was looked up.
    fn open_file(&self, entry: &FileEntry<'_>) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &self.kernel {
            return kernel.open_file(&entry.path);
        }
        open_file(&entry.path)
    }
}

pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // On Unix, links are not followed, and opening a FIFO does not wait for a writer.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = TO_READ.union(rustix::fs::OFlags::NOFOLLOW);
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

/// Whether no character of a file is visible. One that cannot be read to its end does not count as blank.
fn is_blank(mut file: File) -> bool {
    // Most files begin with a visible character, so the first part is short.
    let mut text = vec![0; 64];
    let Ok(length) = file.read(&mut text) else {
        return false;
    };
    text.truncate(length);
    let mut rest = file.take(BLANK_AT_MOST);
    // It may be cut inside a character.
    may_be_blank(&text, true)
        && rest.read_to_end(&mut text).is_ok_and(|_| rest.limit() > 0)
        && may_be_blank(&text, false)
}

/// Whether a text has no visible character.
fn may_be_blank(text: &[u8], may_be_cut: bool) -> bool {
    let valid = text.utf8_chunks().next().map_or("", |it| it.valid());
    // Control characters mean something to a program.
    let is_seen = |it: char| it.is_control() && it != '\0' && !it.is_whitespace();
    let is_whole = valid.len() == text.len() || may_be_cut && text.len() - valid.len() < 4;
    is_whole && text::is_blank(valid) && !valid.contains(is_seen)
}

/// Removes `..` from a path by its text alone, without following symlinks.
pub(crate) fn collapsed(path: &Path) -> PathBuf {
    let mut collapsed = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(collapsed.pop()),
            part => collapsed.push(part),
        }
    }
    collapsed
}

/// Whether a path leaves the root by its text alone. This is for paths that do not exist.
fn climbs_out(relative: &Path) -> bool {
    let mut depth = 0_isize;
    relative.components().any(|part| {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}

/// The folder with its slash, and the name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}

/// A path below the root, which is not empty for the root itself.
fn dot_if_empty(relative: PathBuf) -> PathBuf {
    if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative }
}

/// Returns the result for a path that cannot be looked up.
fn verdict(error: &io::Error) -> Found {
    use io::ErrorKind::{CrossesDevices, InvalidFilename, NotADirectory, NotFound};
    match error.kind() {
        // The kernel reports this for a path that is not beneath the root.
        CrossesDevices => Found::Outside,
        NotFound | NotADirectory | InvalidFilename => Found::Nothing,
        // Denied permissions and system errors do not prove that nothing exists.
        _ => Found::Unreadable,
    }
}
