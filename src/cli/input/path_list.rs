//! `--files-from`: reads a list of paths that another program writes.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::text::escape;
use anyhow::Context as _;

use crate::cli::regular_file;

/// A list of paths, read on demand.
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
        let reader: Box<dyn Read + Send> = if crate::cli::input::origin::is_dash(path) {
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
