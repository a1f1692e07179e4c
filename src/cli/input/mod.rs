//! Finds and reads the returns to check. All reading of returns is in this module.
//!
//! A [`Feed`] yields work in the order of the command line: a batch of files or a block of lines at
//! a time. It never has more than that in memory.

mod feed;
mod find;
mod globs;
mod lines;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail};

use crate::cli::files::{Links, open_regular};
use crate::cli::output::terminal::is_input_typed;
use crate::document::BYTES_AT_MOST;
use crate::text::escape;

pub(crate) use feed::{Feed, FeedOptions, Job};
pub(crate) use globs::{GlobList, Globs, ReturnNames};

/// The origin of a return.
#[derive(Debug)]
pub(crate) enum Origin {
    Stdin,
    Named(PathBuf),
    /// A file that was found in a folder.
    Found(PathBuf),
}

/// Something to check, or the reason why it cannot be checked.
pub(crate) enum InputEntry {
    Return(Origin),
    Unreadable { name: String, error: anyhow::Error },
}

impl Origin {
    pub(crate) fn name(&self) -> Cow<'_, str> {
        self.path().to_string_lossy()
    }

    pub(crate) fn path(&self) -> &Path {
        self.file().unwrap_or(Path::new("-"))
    }

    /// The path of its file. None for standard input.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::Named(path) | Self::Found(path) => Some(path),
        }
    }
}

impl InputEntry {
    fn unreadable(path: &Path, error: anyhow::Error) -> Self {
        let name = path.to_string_lossy().into_owned();
        Self::Unreadable { name, error }
    }

    fn unread(path: &Path, error: io::Error) -> Self {
        let name = shown_name(path);
        let error = anyhow::Error::new(error).context(format!("cannot read {name}"));
        Self::unreadable(path, error)
    }
}

/// The name of a source in errors, safe to print.
pub(crate) fn shown_name(path: &Path) -> String {
    if is_dash(path) { "standard input".to_owned() } else { escape::path(path) }
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads files. The folder of the last one that was found stays open: its path is resolved once for all
/// files in it.
#[derive(Default)]
pub(crate) struct Opener {
    // Only Linux can open a folder just to look up names in it (`O_PATH`).
    #[cfg(target_os = "linux")]
    folder: Option<(std::path::PathBuf, std::os::fd::OwnedFd)>,
}

impl Opener {
    /// Appends the content of a return to `bytes`. Of a file with more than `most` bytes, `most` + 1
    /// bytes are read, so that the excess is detected. Returns the modification time of a regular file.
    pub(crate) fn read(
        &mut self,
        origin: &Origin,
        most: u64,
        bytes: &mut Vec<u8>,
    ) -> anyhow::Result<Option<SystemTime>> {
        let most = most.saturating_add(1);
        let file = match origin {
            Origin::Stdin => None,
            Origin::Named(path) => Some(File::open(path)),
            Origin::Found(path) => Some(self.open(path)),
        };
        let read = if let Some(file) = file {
            file.and_then(|file| read(file, origin, most, bytes))
        } else {
            let stdin = io::stdin().lock();
            stdin.take(most).read_to_end(bytes).map(|_| None)
        };
        read.with_context(|| format!("cannot read {}", shown_name(origin.path())))
    }

    #[cfg(target_os = "linux")]
    fn open(&mut self, path: &Path) -> io::Result<File> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return open_found(path);
        };
        let open = match self.folder.take() {
            Some(open) if open.0.as_os_str() == folder.as_os_str() => open,
            _ => {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                (folder.to_owned(), openat(CWD, place, flags, Mode::empty())?)
            }
        };
        let (_, folder) = self.folder.insert(open);
        // It was a regular file when its folder was listed, and may have been replaced since.
        let own = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
        Ok(openat(folder, name, own | OFlags::CLOEXEC, Mode::empty())?.into())
    }

    // On other systems, each file is opened by its path.
    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, reason = "there is no folder to remember")]
    fn open(&mut self, path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

/// Opens a file that was found in a folder. Fails if it is no longer a regular file.
pub(crate) fn open_found(path: &Path) -> io::Result<File> {
    open_regular(path, File::options().read(true), Links::Refused)
}

fn read(
    file: File,
    origin: &Origin,
    most: u64,
    bytes: &mut Vec<u8>,
) -> io::Result<Option<SystemTime>> {
    let metadata = file.metadata()?;
    if matches!(origin, Origin::Found(_)) && !metadata.is_file() {
        return Err(io::Error::other("it is no longer a regular file"));
    }
    // A regular file is read up to its size, which saves the last read. A file of 0 bytes may be a
    // virtual file with content, such as in /proc.
    let most = match metadata.len() {
        size @ 1.. if metadata.is_file() => most.min(size),
        _ => most,
    };
    let size = metadata.len().min(most).min(BYTES_AT_MOST);
    bytes.reserve(usize::try_from(size).unwrap_or(0));
    file.take(most).read_to_end(bytes)?;
    Ok(metadata.modified().ok().filter(|_| metadata.is_file()))
}

/// Reads the return of a command that takes one, from a file, or from standard input if no file is
/// named. `command` is used in the hint for a user without input.
pub(crate) fn read_one(
    path: Option<&Path>,
    command: &str,
    max_bytes: u64,
) -> anyhow::Result<(Origin, Vec<u8>)> {
    let origin = match path {
        Some(path) if !is_dash(path) => Origin::Named(path.to_owned()),
        _ if is_input_typed() => bail!(terminal_hint(command)),
        _ => Origin::Stdin,
    };
    let mut bytes = Vec::new();
    Opener::default().read(&origin, max_bytes, &mut bytes)?;
    Ok((origin, bytes))
}

/// The hint for a user without input: two lines, for a file and for a pipe.
fn terminal_hint(command: &str) -> String {
    format!(
        "standard input is a terminal: name a file, as in `retval {command} return.json`,\n       \
         or pipe a return in, as in `some-agent | retval {command}`"
    )
}
