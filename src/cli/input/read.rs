//! Reads the file of one return.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context as _, bail};

use crate::document::BYTES_AT_MOST;

use crate::cli::input::find::{Origin, is_dash, shown_name};
use crate::cli::output::Targets;
use crate::cli::terminal::is_input_typed;

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
        targets: &Targets,
        bytes: &mut Vec<u8>,
    ) -> anyhow::Result<Option<SystemTime>> {
        let most = most.saturating_add(1);
        let read = match origin {
            Origin::Stdin => io::stdin()
                .lock()
                .take(most)
                .read_to_end(bytes)
                .map(|_| None),
            Origin::Named(path) => (targets.refuse_log(path))
                .and_then(|()| File::open(path))
                .and_then(|file| {
                    let found = file.metadata()?;
                    read(file, &found, (most, targets), bytes)
                }),
            Origin::Found(path) => (self.open(path)).and_then(|file| {
                let found = regular(file.metadata()?)?;
                read(file, &found, (most, targets), bytes)
            }),
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
                let place = if folder.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    folder
                };
                (folder.to_owned(), openat(CWD, place, flags, Mode::empty())?)
            }
        };
        let (_, folder) = self.folder.insert(open);
        Ok(openat(folder, name, unchanged(), Mode::empty())?.into())
    }

    // On other systems, each file is opened by its path.
    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, reason = "there is no folder to remember")]
    fn open(&mut self, path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

/// How a file is opened that was a regular one when its folder was listed. It may have been replaced since: the
/// flags prevent the call from blocking on a FIFO or following a link.
#[cfg(target_os = "linux")]
fn unchanged() -> rustix::fs::OFlags {
    use rustix::fs::OFlags;
    OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

/// Opens a file that was found in a folder. Fails if it is no longer a regular file.
pub(crate) fn open_found(path: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    let file = {
        use rustix::fs::{Mode, open};
        File::from(open(path, unchanged(), Mode::empty())?)
    };
    #[cfg(not(target_os = "linux"))]
    let file = File::open(path)?;
    regular(file.metadata()?)?;
    Ok(file)
}

fn regular(found: Metadata) -> io::Result<Metadata> {
    if found.is_file() {
        Ok(found)
    } else {
        Err(io::Error::other("it is no longer a regular file"))
    }
}

fn read(
    file: File,
    metadata: &Metadata,
    (most, targets): (u64, &Targets),
    bytes: &mut Vec<u8>,
) -> io::Result<Option<SystemTime>> {
    targets.note_read(metadata);
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
    targets: &Targets,
) -> anyhow::Result<(Origin, Vec<u8>)> {
    let origin = match path {
        Some(path) if !is_dash(path) => Origin::Named(path.to_owned()),
        _ if is_input_typed() => bail!(terminal(command)),
        _ => Origin::Stdin,
    };
    let mut bytes = Vec::new();
    Opener::default().read(&origin, max_bytes, targets, &mut bytes)?;
    Ok((origin, bytes))
}

/// The hint for a user without input: two lines, for a file and for a pipe.
pub(super) fn terminal(command: &str) -> String {
    format!(
        "standard input is a terminal: name a file, as in `retval {command} return.json`,\n       \
         or pipe a return in, as in `some-agent | retval {command}`"
    )
}
