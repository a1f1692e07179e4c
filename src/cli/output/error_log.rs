//! The file of the error log, which many processes share.
//!
//! A process that holds the lock of the file replaces the whole file. To a file named `*.jsonl`, it
//! appends one line for each record instead.

use std::fs;
use std::io::{
    self, BufRead as _, BufReader, BufWriter, ErrorKind, Read as _, Seek as _, Write as _,
};
use std::path::{Path, PathBuf};

use crate::error_log::{EMPTY, Insertion};
use crate::text::escape;
use anyhow::Context as _;
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::cli::output::lines;
use crate::cli::output::locked::{self, lock};
use crate::cli::output::ownership::Owners;
use crate::cli::output::place::{folder_of, try_folder};
use crate::cli::output::replace::{Replacement, target};

/// Bytes of records that are collected before they are written.
const BATCH_BYTES: u64 = 512 * 1024;

/// Most bytes of records in memory. If there are more, all wait in a temporary file.
const BYTES_IN_MEMORY: usize = 1024 * 1024;

pub(crate) struct LogFile {
    path: PathBuf,
    /// Its name as it was given, safe to print.
    name: String,
    /// Records, one per line.
    waiting: SpooledTempFile,
    bytes: u64,
    /// Bytes to collect before the next write. At least the size of the document, which each write
    /// replaces: otherwise the work would grow with the square of the number of records.
    batch_bytes: u64,
}

impl LogFile {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: target(path),
            name: escape::path(path),
            waiting: spooled_tempfile(BYTES_IN_MEMORY),
            bytes: 0,
            batch_bytes: BATCH_BYTES,
        }
    }

    /// Fails if records could not be added now. Changes nothing.
    pub(crate) fn try_place(&self) -> anyhow::Result<()> {
        let found = match locked::open(&self.path) {
            Ok(_) if self.has_lines() => return Ok(()),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            // The document is replaced by a new file in its folder.
            _ => try_folder(folder_of(&self.path)),
        };
        found.with_context(|| self.failure())
    }

    /// Takes all `records`, which must not have newlines.
    pub(crate) fn add(&mut self, records: &mut Vec<String>) -> anyhow::Result<()> {
        for record in records.drain(..) {
            let record = record + "\n";
            let added = self.waiting.write_all(record.as_bytes());
            added.with_context(|| self.failure())?;
            self.bytes += record.len() as u64;
        }
        if self.bytes >= self.batch_bytes {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Writes the waiting records. They are on disk when this returns.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.bytes = 0;
        let appended = self.append();
        // A failure is reported, but the records are not tried again.
        self.waiting = spooled_tempfile(BYTES_IN_MEMORY);
        self.batch_bytes = appended.with_context(|| self.failure())?.max(BATCH_BYTES);
        Ok(())
    }

    /// Writes the waiting records. Returns the bytes of the file that the next write replaces: 0 if it
    /// only appends lines.
    fn append(&mut self) -> anyhow::Result<u64> {
        self.waiting.rewind()?;
        fs::create_dir_all(folder_of(&self.path))?;
        if self.has_lines() {
            lines::append(&self.path, &mut self.waiting)?;
            Ok(0)
        } else {
            append(&self.path, &mut self.waiting)
        }
    }

    /// Whether the log has a record per line.
    fn has_lines(&self) -> bool {
        self.path.extension().is_some_and(|it| it == "jsonl")
    }

    fn failure(&self) -> String {
        format!("cannot add to the error log {}", self.name)
    }
}

/// Adds records, one per line, to a log that is one document. Returns the new size of the log in bytes.
fn append(path: &Path, records: &mut SpooledTempFile) -> anyhow::Result<u64> {
    let mut log = lock(path, EMPTY.as_bytes())?;
    let insertion = Insertion::find(&log)?;
    let mut new = Replacement::new(path, Some(log.metadata()?))?;
    log.rewind()?;
    io::copy(&mut (&log).take(insertion.offset()), new.file())?;
    insert(&insertion, records, new.file())?;
    io::copy(&mut log, new.file())?;
    let size = new.file().metadata()?.len();
    new.take_place(Owners::OneAtLeast)?;
    // The lock belongs to the old file; processes that wait for it find the new one.
    drop(log);
    Ok(size)
}

fn insert(
    insertion: &Insertion,
    records: &mut SpooledTempFile,
    file: &mut fs::File,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    let mut record = Vec::new();
    let mut records = BufReader::new(records);
    let mut is_first = true;
    while records.read_until(b'\n', &mut record)? > 0 {
        file.write_all(insertion.separator(is_first).as_bytes())?;
        file.write_all(record.trim_ascii_end())?;
        record.clear();
        is_first = false;
    }
    file.write_all(insertion.ending().as_bytes())?;
    file.flush()
}
