//! `--files-from`: paths that another program lists.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use retval::escape;

/// A list of paths, read as it is used.
pub(super) struct List {
    reader: BufReader<Box<dyn Read + Send>>,
    name: String,
    /// NUL if the list's beginning has one, as `find -print0` writes it, else a line feed.
    separator: Option<u8>,
}

impl List {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let name = escape::path(path);
        let reader: Box<dyn Read + Send> = if super::is_dash(path) {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).with_context(|| format!("cannot read {name}"))?)
        };
        Ok(Self {
            reader: BufReader::new(reader),
            name,
            separator: None,
        })
    }

    /// Whether the next path would have to be waited for.
    pub(super) fn is_waiting(&self) -> bool {
        self.reader.buffer().is_empty()
    }

    pub(super) fn next(&mut self) -> anyhow::Result<Option<PathBuf>> {
        let what = || format!("cannot read {}", self.name);
        let separator = if let Some(known) = self.separator {
            known
        } else {
            let beginning = self.reader.fill_buf().with_context(what)?;
            *self
                .separator
                .insert(if beginning.contains(&0) { 0 } else { b'\n' })
        };
        loop {
            let mut path = Vec::new();
            if self
                .reader
                .read_until(separator, &mut path)
                .with_context(what)?
                == 0
            {
                return Ok(None);
            }
            if path.last() == Some(&separator) {
                path.pop();
            }
            if separator == b'\n' && path.last() == Some(&b'\r') {
                path.pop();
            }
            if !path.is_empty() {
                return Ok(Some(to_path(path)));
            }
        }
    }
}

#[cfg(unix)]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn to_path(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
