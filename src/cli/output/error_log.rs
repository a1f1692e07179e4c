//! The file of the error log, which many processes share. A process that holds the lock of the
//! file replaces the whole file.

use std::fs;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::cli::files::{Replacement, folder_of, lock, target};
use crate::log::{self, EMPTY};
use crate::text::escape;

/// The most bytes of a log. Each write replaces it as a whole.
const LOG_AT_MOST: u64 = 64 * 1024 * 1024;

/// Bytes of records that are collected before they are written.
const BATCH_BYTES: u64 = 512 * 1024;

/// The most bytes of records in memory. If there are more, all wait in a temporary file.
const IN_MEMORY: usize = 8 * 1024 * 1024;

pub(crate) struct LogFile {
    path: PathBuf,
    /// Its name as it was given, safe to print.
    name: String,
    /// Records, each after a comma.
    waiting: SpooledTempFile,
    bytes: u64,
}

impl LogFile {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: target(path),
            name: escape::path(path),
            waiting: spooled_tempfile(IN_MEMORY),
            bytes: 0,
        }
    }

    /// Takes all `records`. After a failure, no more can be added.
    pub(crate) fn add(&mut self, records: &mut Vec<String>) -> anyhow::Result<()> {
        for record in records.drain(..) {
            let record = format!(",\n    {record}");
            let added = self.waiting.write_all(record.as_bytes());
            added.with_context(|| self.failure())?;
            self.bytes += record.len() as u64;
        }
        if self.bytes < BATCH_BYTES {
            return Ok(());
        }
        // Each write replaces the log: of less than its size, the work would grow with the square of the number
        // of records. A log that would become too large gets the rest at the end.
        let size = self.size();
        if self.bytes < size || self.bytes + size > LOG_AT_MOST {
            return Ok(());
        }
        self.flush()
    }

    /// Writes the waiting records. They are on disk when this returns.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.bytes) == 0 {
            return Ok(());
        }
        let records = std::mem::replace(&mut self.waiting, spooled_tempfile(IN_MEMORY));
        append(&self.path, records).with_context(|| self.failure())
    }

    fn size(&self) -> u64 {
        self.path.metadata().map_or(0, |found| found.len())
    }

    fn failure(&self) -> String {
        format!("cannot add to the error log {}", self.name)
    }
}

/// Adds records to a log.
fn append(path: &Path, mut records: SpooledTempFile) -> anyhow::Result<()> {
    records.rewind()?;
    fs::create_dir_all(folder_of(path))?;
    // The lock belongs to the old file; processes that wait for it find the new one.
    let old = lock(path, EMPTY.as_bytes())?;
    let mut text = String::new();
    if (&old).take(LOG_AT_MOST + 1).read_to_string(&mut text)? as u64 > LOG_AT_MOST {
        bail!("it is larger than {LOG_AT_MOST} bytes: move it away, and a new one is made");
    }
    let mut new = Replacement::new(path, Some(old.metadata()?))?;
    log::add(&text, records, new.file())?;
    new.take_place()?;
    Ok(())
}
