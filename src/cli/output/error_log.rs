//! The error log: its records, and its file, which many processes share. A process that holds the lock of the
//! file replaces the whole file.

use std::fs;
use std::io::{BufWriter, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail};

use crate::Report;
use crate::cli::files::{Replacement, folder_of, lock, open_shared, target, try_folder};
use crate::log::{self, EMPTY, FailedAgent, HookCall, Occurrence};
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

/// The most bytes of a log. Each write replaces it as a whole.
const LOG_AT_MOST: u64 = 64 * 1024 * 1024;

/// Bytes of records that are collected before they are written.
const BATCH_BYTES: usize = 512 * 1024;

pub(crate) struct LogFile {
    path: PathBuf,
    /// Its name as it was given, safe to print.
    name: String,
    waiting: Vec<String>,
    /// Bytes of records to collect before the next write. At least the size of the log: otherwise the work
    /// would grow with the square of the number of records.
    batch_bytes: usize,
}

impl LogFile {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: target(path),
            name: escape::path(path),
            waiting: Vec::new(),
            batch_bytes: BATCH_BYTES,
        }
    }

    /// Fails if records could not be added now. Changes nothing.
    pub(crate) fn try_place(&self) -> anyhow::Result<()> {
        let found = match open_shared(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            // The log is replaced by a new file in its folder.
            _ => try_folder(folder_of(&self.path)),
        };
        found.with_context(|| self.failure())
    }

    /// Takes all `records`.
    pub(crate) fn add(&mut self, records: &mut Vec<String>) -> anyhow::Result<()> {
        self.waiting.append(records);
        if self.waiting.iter().map(String::len).sum::<usize>() < self.batch_bytes {
            return Ok(());
        }
        self.flush()
    }

    /// Writes the waiting records. They are on disk when this returns.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        // After a failure, which is reported, the records are not tried again.
        let records = std::mem::take(&mut self.waiting);
        if !records.is_empty() {
            let size = append(&self.path, &records).with_context(|| self.failure())?;
            self.batch_bytes = size.max(BATCH_BYTES);
        }
        Ok(())
    }

    fn failure(&self) -> String {
        format!("cannot add to the error log {}", self.name)
    }
}

/// Adds records to a log. Returns the bytes that it had before.
fn append(path: &Path, records: &[String]) -> anyhow::Result<usize> {
    fs::create_dir_all(folder_of(path))?;
    // The lock belongs to the old file; processes that wait for it find the new one.
    let old = lock(path, EMPTY.as_bytes())?;
    let mut text = String::new();
    let size = (&old).take(LOG_AT_MOST + 1).read_to_string(&mut text)?;
    if size as u64 > LOG_AT_MOST {
        bail!("it is larger than {LOG_AT_MOST} bytes: move it away, and a new one is made");
    }
    let mut new = Replacement::new(path, Some(old.metadata()?))?;
    let mut out = BufWriter::new(new.file());
    log::add(&text, records, &mut out)?;
    out.flush()?;
    drop(out);
    new.take_place()?;
    Ok(size)
}
