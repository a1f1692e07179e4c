//! The error log: its records, and its file, which many processes share.
//!
//! A process that holds the lock of the file replaces the whole file. To a file named `*.jsonl`, it
//! appends one line for each record instead.

use std::fs::{self, File};
use std::io::{
    self, BufRead as _, BufReader, BufWriter, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context as _;
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::Report;
use crate::cli::files::{Replacement, folder_of, lock, open_shared, target, try_folder};
use crate::log::{self, EMPTY, FailedAgent, HookCall, Insertion, Occurrence};
use crate::report::Source;
use crate::text::escape;

/// Makes the records of the invalid returns of a run. Workers share it.
#[derive(Default)]
pub(crate) struct Recorder {
    count: AtomicU64,
    /// The call of a hook that all of them are found in.
    hook: Option<HookCall>,
}

impl Recorder {
    pub(crate) fn in_hook(self, hook: HookCall) -> Self {
        Self {
            hook: Some(hook),
            ..self
        }
    }

    /// The record of an invalid return.
    pub(crate) fn record(
        &self,
        report: &Report,
        source: &Source<'_>,
        returned: Option<&[u8]>,
    ) -> String {
        log::record(report, &self.occurrence(source, returned))
    }

    /// The record of an agent that left no return.
    pub(crate) fn record_agent(&self, agent: &FailedAgent<'_>, source: &Source<'_>) -> String {
        agent.record(&self.occurrence(source, None))
    }

    fn occurrence<'r>(&self, source: &Source<'r>, returned: Option<&'r [u8]>) -> Occurrence<'r> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let found = jiff::Timestamp::now();
        let (milliseconds, process) = (found.as_millisecond(), std::process::id());
        Occurrence {
            id: format!("err_{milliseconds}_{process:x}_{number:x}"),
            timestamp: found.to_string(),
            source: *source,
            returned,
            hook: self.hook.clone(),
        }
    }
}

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
        let found = match open_shared(&self.path) {
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
    for (index, record) in BufReader::new(records).split(b'\n').enumerate() {
        file.write_all(insertion.separator(index == 0).as_bytes())?;
        file.write_all(&record?)?;
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
fn append_lines(path: &Path, records: &mut SpooledTempFile) -> io::Result<()> {
    let mut log = lock(path, b"")?;
    let before = mend(&mut log)?;
    let mut records = BufReader::new(records).split(b'\n');
    let written = records.try_for_each(|record| {
        let mut line = record?;
        line.push(b'\n');
        log.write_all(&line)
    });
    let written = written.and_then(|()| log.sync_all());
    if written.is_err() {
        // Removes what was written, such as a partial line on a full disk. The lock keeps other writers
        // out.
        let _ = log.set_len(before);
    }
    written
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
