//! Finds the returns to check: in folders, sorted by name, and in lists of paths.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use walkdir::{DirEntry, WalkDir};

use crate::cli::input::globs::{Globs, is_stream};
use crate::cli::input::{InputEntry, Origin, is_dash};
use crate::cli::output::note;
use crate::clients::starts_stream;
use crate::text::escape;

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
        Self { entries: entries.into_iter(), folder, globs, has_found: false }
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
        let kind = entry.file_type();
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
            let error = anyhow!("{}: it is not a regular file", cannot_read(path));
            return Some(InputEntry::unreadable(path, error));
        }
        if let Some(option) = self.globs.option_of(path) {
            note(&format!("{} is skipped: {option} names it", escape::path(path)));
            return None;
        }
        Some(InputEntry::Return(Origin::Found(path.to_owned())))
    }
}

/// A list of paths that another program writes (`--files-from`), read on demand.
pub(super) struct PathList {
    path: PathBuf,
    /// None if it is not open yet. Opening a pipe blocks until it has a writer, and mistakes in the command
    /// line should be reported before that.
    reader: Option<BufReader<Box<dyn Read + Send>>>,
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
        let found = path.metadata();
        let may_wait = found.is_ok_and(|found| !found.is_file() && !found.is_dir());
        let mut list = Self { path: path.to_owned(), reader: None, separator: None };
        if is_dash(path) {
            list.reader = Some(BufReader::new(Box::new(io::stdin())));
        } else if !may_wait {
            list.reader().with_context(|| cannot_read(path))?;
        }
        Ok(list)
    }

    fn reader(&mut self) -> io::Result<&mut BufReader<Box<dyn Read + Send>>> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => BufReader::new(Box::new(File::open(&self.path)?) as Box<dyn Read + Send>),
        };
        Ok(self.reader.insert(reader))
    }

    /// Whether reading the next path may block.
    pub(super) fn is_waiting(&self) -> bool {
        let ends = |byte: &u8| match self.separator {
            Some(separator) => *byte == separator,
            None => *byte == 0 || *byte == b'\n',
        };
        let reader = self.reader.as_ref();
        !reader.is_some_and(|reader| reader.buffer().iter().any(ends))
    }

    pub(super) fn next(&mut self) -> anyhow::Result<Option<PathBuf>> {
        let path = self.next_path();
        let path = path.with_context(|| cannot_read(&self.path))?;
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
        Err(no_list(format!("more than {EMPTY_AT_MOST} empty paths in a row")))
    }

    /// The bytes up to the next separator or the end. None at the end of the list.
    fn next_bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let mut separator = self.separator;
        let reader = self.reader()?;
        loop {
            let buffer = reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok((!bytes.is_empty()).then_some(bytes));
            }
            separator = separator.or_else(|| [0, b'\n'].into_iter().find(|it| buffer.contains(it)));
            let found = separator.and_then(|it| memchr::memchr(it, buffer));
            let end = found.unwrap_or(buffer.len());
            bytes.extend_from_slice(&buffer[..end]);
            reader.consume(end + usize::from(found.is_some()));
            if bytes.len() > PATH_AT_MOST {
                return Err(no_list(format!("a path of more than {PATH_AT_MOST} bytes")));
            }
            if found.is_some() {
                self.separator = separator;
                return Ok(Some(bytes));
            }
        }
    }
}

fn no_list(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", escape::path(path))
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
