//! Finds the returns to check: in folders, sorted by name, and in lists of paths.

use std::borrow::Cow;
use std::fs::{File, FileType};
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use walkdir::{DirEntry, WalkDir};

use crate::clients::starts_stream;
use crate::text::escape;

use crate::cli::input::globs::{Globs, is_stream};
use crate::cli::regular_file;

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

    pub(super) fn unread(path: &Path, error: io::Error) -> Self {
        let name = shown_name(path);
        let error = anyhow::Error::new(error).context(format!("cannot read {name}"));
        Self::unreadable(path, error)
    }
}

/// The name of a source in errors, safe to print.
pub(crate) fn shown_name(path: &Path) -> String {
    if is_dash(path) {
        "standard input".to_owned()
    } else {
        escape::path(path)
    }
}

pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file has one return on each line: by its extension, unless it is a client's stream of events, which
/// is one return.
pub(super) fn has_lines(path: &Path) -> bool {
    is_stream(path) && !is_client_stream(path)
}

fn is_client_stream(path: &Path) -> bool {
    /// The most bytes that are looked at. The first event of a client may list all its tools.
    const FIRST: u64 = 256 * 1024;
    let mut first = Vec::new();
    let is_regular = path.metadata().is_ok_and(|found| found.is_file());
    let file = is_regular.then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(FIRST).read_to_end(&mut first));
    let valid = first.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    matches!(read, Some(Ok(_))) && starts_stream(valid)
}

/// Walks one folder. Hidden files are included, links are not followed, and `.git` is skipped.
pub(super) struct FolderWalk {
    folder: PathBuf,
    globs: Globs,
    entries: walkdir::IntoIter,
    has_found: bool,
}

impl FolderWalk {
    pub(super) fn new(folder: PathBuf, globs: Globs) -> Self {
        let entries = WalkDir::new(&folder).min_depth(1).sort_by_file_name();
        Self {
            entries: entries.into_iter(),
            folder,
            globs,
            has_found: false,
        }
    }

    /// The next return, or the error of something that cannot be checked. None at the end.
    pub(super) fn next(&mut self) -> Option<InputEntry> {
        while let Some(entry) = self.entries.next() {
            let found = match entry {
                Ok(entry) => self.entry(&entry),
                Err(error) => {
                    let path = error.path().unwrap_or(&self.folder).to_owned();
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| io::Error::other("it is a loop"));
                    Some(InputEntry::unread(&path, error))
                }
            };
            if found.is_some() {
                self.has_found = true;
                return found;
            }
        }
        let is_empty = !std::mem::replace(&mut self.has_found, true);
        is_empty.then(|| {
            let (folder, names) = (escape::path(&self.folder), self.globs.names());
            let why = format!("it has no {names} files, or all are filtered out");
            InputEntry::unreadable(&self.folder, anyhow!("no returns in {folder}: {why}"))
        })
    }

    /// The return that an entry of the folder is. None if it is none.
    fn entry(&mut self, entry: &DirEntry) -> Option<InputEntry> {
        let path = entry.path();
        let below = path.strip_prefix(&self.folder).unwrap_or(path);
        let kind: FileType = entry.file_type();
        if kind.is_dir() {
            if entry.file_name() == ".git" || !self.globs.enter(path, below) {
                self.entries.skip_current_dir();
            }
            return None;
        }
        if kind.is_symlink() || !self.globs.is_return(path, below) {
            return None;
        }
        if !kind.is_file() {
            let error = anyhow!(
                "cannot read {}: it is not a regular file",
                escape::path(path)
            );
            return Some(InputEntry::unreadable(path, error));
        }
        Some(InputEntry::Return(Origin::Found(path.to_owned())))
    }
}

/// A list of paths that another program writes (`--files-from`), read on demand.
pub(super) struct PathList {
    reader: BufReader<Box<dyn Read + Send>>,
    name: String,
    /// NUL if the first read contains one, as in the output of `find -print0`, otherwise a newline.
    /// `None` before the first read.
    separator: Option<u8>,
}

/// The most bytes of a path. No system accepts longer ones.
const PATH_AT_MOST: usize = 64 * 1024;

/// The most empty paths in a row. A device such as `/dev/zero` yields nothing else, and has no end.
const EMPTY_AT_MOST: usize = 64 * 1024;

impl PathList {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let name = escape::path(path);
        let reader: Box<dyn Read + Send> = if is_dash(path) {
            Box::new(io::stdin())
        } else if regular_file::may_wait(path) {
            Box::new(WaitingFile::Closed(path.to_owned()))
        } else {
            Box::new(File::open(path).with_context(|| format!("cannot read {name}"))?)
        };
        Ok(Self {
            reader: BufReader::new(reader),
            name,
            separator: None,
        })
    }

    /// Whether reading the next path may block.
    pub(super) fn is_waiting(&self) -> bool {
        let ends = |byte: &u8| {
            self.separator
                .map_or(*byte == 0 || *byte == b'\n', |separator| *byte == separator)
        };
        !self.reader.buffer().iter().any(ends)
    }

    pub(super) fn next(&mut self) -> anyhow::Result<Option<PathBuf>> {
        let path = self.next_path();
        let path = path.with_context(|| format!("cannot read {}", self.name))?;
        Ok(path.map(to_path))
    }

    /// The next path that is not empty. None at the end of the list.
    fn next_path(&mut self) -> io::Result<Option<Vec<u8>>> {
        for _ in 0..=EMPTY_AT_MOST {
            let Some(mut path) = self.next_bytes()? else {
                return Ok(None);
            };
            if self.separator != Some(0) && path.last() == Some(&b'\r') {
                path.pop();
            }
            if !path.is_empty() {
                return Ok(Some(path));
            }
        }
        Err(no_list(format!(
            "more than {EMPTY_AT_MOST} empty paths in a row"
        )))
    }

    /// The bytes up to the next separator or the end. None at the end of the list.
    fn next_bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok((!bytes.is_empty()).then_some(bytes));
            }
            if self.separator.is_none() {
                let has = |separator| memchr::memchr(separator, buffer).is_some();
                self.separator = [0, b'\n'].into_iter().find(|separator| has(*separator));
            }
            let found = self
                .separator
                .and_then(|separator| memchr::memchr(separator, buffer));
            let end = found.unwrap_or(buffer.len());
            bytes.extend_from_slice(&buffer[..end]);
            self.reader.consume(end + usize::from(found.is_some()));
            if bytes.len() > PATH_AT_MOST {
                return Err(no_list(format!("a path of more than {PATH_AT_MOST} bytes")));
            }
            if found.is_some() {
                return Ok(Some(bytes));
            }
        }
    }
}

fn no_list(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// A file that is only opened when it is read. Opening a pipe blocks until it has a writer, and mistakes
/// in the command line should be reported before that.
enum WaitingFile {
    Closed(PathBuf),
    Open(File),
}

impl Read for WaitingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Self::Closed(path) = self {
            *self = Self::Open(File::open(path)?);
        }
        match self {
            Self::Open(file) => file.read(buffer),
            Self::Closed(_) => Ok(0),
        }
    }
}

// On Unix, a path is a sequence of bytes.
#[cfg(unix)]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

// On other systems, a path is text.
#[cfg(not(unix))]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
