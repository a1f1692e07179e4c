//! The file of the error log, which many processes share.
//!
//! A process that holds the lock of the file replaces the whole file. To a file named `*.jsonl`, it
//! appends one line for each record instead.

use std::fs::{self, File};
use std::io::{
    self, BufRead as _, BufReader, BufWriter, ErrorKind, Read, Seek as _, SeekFrom, Write as _,
};
use std::path::{Path, PathBuf};

use crate::log::{EMPTY, Insertion};
use crate::text::escape;
use anyhow::Context as _;
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::cli::output::file::{Replacement, folder_of, lock, open, target, try_folder};

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
        let found = match open(&self.path) {
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
            append_lines(&self.path, &mut self.waiting)?;
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
    io::copy(&mut (&log).take(insertion.offset), new.file())?;
    insert(&insertion, records, new.file())?;
    io::copy(&mut log, new.file())?;
    let size = new.file().metadata()?.len();
    new.take_place()?;
    // The lock belongs to the old file; processes that wait for it find the new one.
    drop(log);
    Ok(size)
}

fn insert(insertion: &Insertion, records: &mut SpooledTempFile, file: &mut File) -> io::Result<()> {
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

/// The beginning of every record that retval writes.
const BEGINNING: &[u8] = b"{\"id\":\"err_";

/// Most bytes that are read of an unfinished line. No record is longer.
const TAIL_BYTES: u64 = 256 * 1024;

/// Appends records, one per line. Each takes one write, so that a killed process leaves at most one
/// unfinished line, which the next process removes.
fn append_lines(path: &Path, records: &mut impl Read) -> io::Result<()> {
    let mut log = lock(path, b"")?;
    let before = mend(&mut log)?;
    let written = write_lines(&mut log, records).and_then(|()| log.sync_all());
    if written.is_err() {
        // Removes what was written, such as a partial line on a full disk. The lock keeps other writers
        // out.
        let _ = log.set_len(before);
    }
    written
}

fn write_lines(log: &mut File, records: &mut impl Read) -> io::Result<()> {
    let mut records = BufReader::new(records);
    let mut line = Vec::new();
    while records.read_until(b'\n', &mut line)? > 0 {
        log.write_all(&line)?;
        line.clear();
    }
    Ok(())
}

/// Goes to the end of the log, so that the next record gets a line of its own: removes an unfinished
/// record, and ends any other unfinished line. Returns the length of the log in bytes after that.
fn mend(log: &mut File) -> io::Result<u64> {
    let length = log.metadata()?.len();
    let tail = length.min(TAIL_BYTES);
    log.seek(SeekFrom::End(-tail.cast_signed()))?;
    let mut bytes = Vec::new();
    log.take(tail).read_to_end(&mut bytes)?;
    let start = memchr::memrchr(b'\n', &bytes).map(|at| at + 1);
    let line = &bytes[start.unwrap_or(0)..];
    let is_whole_line = start.is_some() || tail == length;
    if line.is_empty() {
        return Ok(length);
    }
    if is_whole_line && is_unfinished(line) {
        let end = length - line.len() as u64;
        log.set_len(end)?;
        return log.seek(SeekFrom::Start(end));
    }
    log.write_all(b"\n")?;
    Ok(length + 1)
}

/// Whether a line without a newline is an incomplete record of retval.
fn is_unfinished(line: &[u8]) -> bool {
    let is_ours = line.starts_with(BEGINNING) || BEGINNING.starts_with(line);
    is_ours && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err()
}
