//! The centralized error log: a record for each invalid return, in a file that many processes
//! share.
//!
//! `errors.json` is a document with an `errors` array. It is only ever replaced as a whole, by a
//! process that holds its lock, and every byte of it but the new record stays. A file by the name
//! of `.jsonl` gets a line a record instead.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::{Report, escape};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::output::{builder, folder_of, replace, target};

/// Bytes of records that are held back, to be written together.
const TOGETHER: usize = 512 * 1024;

/// A log and the records that are not in it yet.
pub(crate) struct ErrorLog {
    path: PathBuf,
    waiting: Vec<String>,
    bytes: usize,
    /// Bytes that wait for each other: no fewer than the document has that is written anew for
    /// them, else the work would grow with the square of the records.
    together: usize,
}

impl ErrorLog {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: target(path),
            waiting: Vec::new(),
            bytes: 0,
            together: TOGETHER,
        }
    }

    /// Takes records that were made by [`record`].
    pub(crate) fn add(&mut self, records: &mut Vec<String>) -> anyhow::Result<()> {
        self.bytes += records.iter().map(String::len).sum::<usize>();
        self.waiting.append(records);
        if self.bytes >= self.together {
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
            append(&self.path, &records).map(|size| self.together = size.max(TOGETHER))
        };
        appended
            .with_context(|| format!("cannot add to the error log {}", escape::path(&self.path)))
    }
}

#[derive(Serialize)]
struct Record<'r> {
    id: String,
    timestamp: String,
    r#type: &'static str,
    severity: &'static str,
    message: String,
    context: Context<'r>,
    trajectory: Trajectory<'r>,
    recovery: Recovery<'r>,
    fix_status: &'static str,
}

#[derive(Serialize)]
struct Context<'r> {
    session_id: Option<&'r str>,
    agent_type: &'r str,
    source: &'r str,
}

#[derive(Serialize)]
struct Trajectory<'r> {
    delegation_path: &'r [String],
    failed_at_depth: Option<f64>,
}

#[derive(Serialize)]
struct Recovery<'r> {
    suggested_action: &'r str,
    auto_recoverable: bool,
}

/// The record of an invalid return, as JSON; `number` tells it from others of this process.
pub(crate) fn record(report: &Report<'_>, source: &str, number: u64) -> String {
    let now = jiff::Timestamp::now();
    let first = report.findings.first();
    let more = report.failures + report.warnings;
    let message = first.map(retval::Finding::message).unwrap_or_default();
    let delegation = report.delegation.as_ref();
    let record = Record {
        id: format!(
            "err_{}_{:x}_{number:x}",
            now.as_millisecond(),
            std::process::id()
        ),
        timestamp: now.to_string(),
        r#type: "validation_failed",
        // Work that was claimed and not done misleads everyone after it.
        severity: if report.claims_success {
            "high"
        } else {
            "medium"
        },
        message: match more {
            0 | 1 => message,
            _ => format!("{message} (and {} more)", more - 1),
        },
        context: Context {
            session_id: report.session.as_deref(),
            agent_type: &report.subagent,
            source,
        },
        trajectory: Trajectory {
            delegation_path: delegation.map_or(&[][..], |delegation| &delegation.path),
            failed_at_depth: delegation.and_then(|delegation| delegation.depth),
        },
        recovery: Recovery {
            suggested_action: first.map_or("", |finding| &finding.help),
            auto_recoverable: true,
        },
        fix_status: "unfixed",
    };
    // Only a map key that is no string could fail, and records have none.
    escape::json(&serde_json::to_string(&record).unwrap_or_default()).into_owned()
}

/// The part of a log that is read; everything else is only kept.
#[derive(Deserialize)]
struct Document<'d> {
    #[serde(borrow)]
    errors: &'d RawValue,
}

/// The size of the document with the new records, in bytes.
fn append(path: &Path, records: &[String]) -> anyhow::Result<usize> {
    create(path)?;
    let mut locked = lock(path)?;
    let mut text = String::new();
    locked.read_to_string(&mut text)?;
    let at = end_of_errors(&text)?;
    let is_first = text[..at].trim_end().ends_with('[');
    let start = text[..at].trim_end().len();
    let mut new = text[..start].to_owned();
    for (number, record) in records.iter().enumerate() {
        new.push_str(if number == 0 && is_first {
            "\n    "
        } else {
            ",\n    "
        });
        new.push_str(record);
    }
    let after = &text[start..];
    new.push_str(if after.starts_with(']') { "\n  " } else { "" });
    new.push_str(after);
    replace(path, new.as_bytes(), Some(&locked.metadata()?))?;
    // The lock goes with the old file; who waits for it finds the new one.
    drop(locked);
    Ok(new.len())
}

/// The byte of the bracket that closes the `errors` array.
fn end_of_errors(text: &str) -> anyhow::Result<usize> {
    let what = "it is not a JSON document with an \"errors\" array, and is left as it is";
    let document: Document<'_> = serde_json::from_str(text).context(what)?;
    let errors = document.errors.get();
    if !errors.starts_with('[') {
        bail!(what);
    }
    // The raw value is a part of the text.
    Ok(errors.as_ptr().addr() - text.as_ptr().addr() + errors.len() - 1)
}

/// Makes an empty log, and its folder, where there is none; never half a one.
fn create(path: &Path) -> anyhow::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let mut file = builder().tempfile_in(folder)?;
    file.write_all(b"{\n  \"errors\": []\n}\n")?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        // Somebody else was faster, which is as good.
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error.into()),
        _ => Ok(()),
    }
}

/// Opens and locks the log that stands at `path` now: while one waits for the lock of a file,
/// another may have put a new one in its place.
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
    file.write_all(text.as_bytes())?;
    Ok(file.sync_all()?)
}

/// Whether nothing was left unfinished at the end of a file.
fn ends_in_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
