//! The file of the error log, which many processes share.
//!
//! A process that holds its lock replaces it as a whole. A file named `*.jsonl` gets one line for
//! each record instead.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::Report;
use retval::error_log::{self, Occurrence};
use retval::format::Source;
use retval::internal::escape;

use crate::output::atomic::{NewFile, folder_of};
use crate::output::replace::{replace, target};

/// Bytes of records that are collected before they are written.
const BATCH_BYTES: usize = 512 * 1024;

/// A log and the records that are not in it yet.
pub(crate) struct LogFile {
    path: PathBuf,
    /// Its name as it was given, safe to print.
    name: String,
    waiting: Vec<String>,
    bytes: usize,
    /// Bytes to collect before the next write. At least the size of the document, which each write
    /// replaces: otherwise the work would grow with the square of the number of records.
    batch_bytes: usize,
}

impl LogFile {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: target(path),
            name: escape::path(path),
            waiting: Vec::new(),
            bytes: 0,
            batch_bytes: BATCH_BYTES,
        }
    }

    /// Takes records that were made by [`record`].
    pub(crate) fn add(&mut self, records: &mut Vec<String>) -> anyhow::Result<()> {
        self.bytes += records.iter().map(String::len).sum::<usize>();
        self.waiting.append(records);
        if self.bytes >= self.batch_bytes {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Writes what waits; when this returns, it is on the disk.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let records = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let is_lines = self
            .path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        let appended = if is_lines {
            append_lines(&self.path, &records)
        } else {
            append(&self.path, &records).map(|size| self.batch_bytes = size.max(BATCH_BYTES))
        };
        appended.with_context(|| format!("cannot add to the error log {}", self.name))
    }
}

/// The record of an invalid return; `number` makes its id unique in this process.
pub(crate) fn record(report: &Report<'_>, source: &Source<'_>, number: u64) -> String {
    let now = jiff::Timestamp::now();
    let (milliseconds, process) = (now.as_millisecond(), std::process::id());
    let id = format!("err_{milliseconds}_{process:x}_{number:x}");
    let timestamp = now.to_string();
    error_log::record(report, &Occurrence::new(&id, &timestamp, *source))
}

/// The size of the document with the new records, in bytes.
fn append(path: &Path, records: &[String]) -> anyhow::Result<usize> {
    create(path)?;
    if !fs::metadata(path)?.is_file() {
        // A device or a pipe may have no end, and cannot be replaced.
        bail!("it is not a regular file");
    }
    let mut locked = lock(path)?;
    let mut text = String::new();
    locked.read_to_string(&mut text)?;
    let new = error_log::append(&text, records)?;
    replace(path, new.as_bytes(), Some(&locked.metadata()?))?;
    // The lock belongs to the old file; processes that wait for it find the new one.
    drop(locked);
    Ok(new.len())
}

/// Creates an empty log and its folder if they are missing. The log is never seen half written.
fn create(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let mut new = NewFile::beside(path)?;
    new.file().write_all(error_log::EMPTY.as_bytes())?;
    new.file().sync_all()?;
    match new.take_free_name(path) {
        // Another process created it first, which is as good.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Opens and locks the log that is at `path` now: while this process waits for the lock, another
/// may replace the file.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        file.lock()?;
        if is_at(&file, path)? {
            return Ok(file);
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (locked, now) = (file.metadata()?, fs::metadata(path)?);
    Ok((locked.dev(), locked.ino()) == (now.dev(), now.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

fn append_lines(path: &Path, records: &[String]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)?;
    refuse_stream(&file)?;
    file.lock()?;
    let mut text = if ends_in_a_line(&mut file)? {
        String::new()
    } else {
        "\n".to_owned()
    };
    for record in records {
        text.push_str(record);
        text.push('\n');
    }
    let before = file.metadata()?.len();
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    if written.is_err() {
        // On a full disk no partial line stays. The lock keeps other writers out.
        let _ = file.set_len(before);
    }
    Ok(written?)
}

/// A stream has no end to read and cannot be locked.
fn refuse_stream(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

/// Whether the last line of a file is complete.
fn ends_in_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
