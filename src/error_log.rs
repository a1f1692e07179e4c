//! The centralized error log: a record for each invalid return, in a file that many processes
//! share.
//!
//! `errors.json` is a document with an `errors` array. It is only ever replaced as a whole, by a
//! process that holds its lock, and every byte of it but the new record stays. A file by the name
//! of `.jsonl` gets a line a record instead.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use retval::{Report, escape};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::new_file::{NewFile, folder_of};
use crate::output::{replace, target};

/// Records that are held back at most, to be written together.
const TOGETHER: usize = 1_000;

/// A log and the records that are not in it yet.
pub(crate) struct ErrorLog {
    path: PathBuf,
    waiting: Vec<String>,
}

impl ErrorLog {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: target(path),
            waiting: Vec::new(),
        }
    }

    /// Takes records that were made by [`record`].
    pub(crate) fn add(&mut self, records: &mut Vec<String>) -> anyhow::Result<()> {
        self.waiting.append(records);
        if self.waiting.len() >= TOGETHER {
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
        let is_lines = self
            .path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        let appended = if is_lines {
            append_lines(&self.path, &records)
        } else {
            append(&self.path, &records)
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

fn append(path: &Path, records: &[String]) -> anyhow::Result<()> {
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
    Ok(())
}

/// The byte of the bracket that closes the `errors` array.
fn end_of_errors(text: &str) -> anyhow::Result<usize> {
    let what = "it is not a JSON document with an \"errors\" array, and is left as it is";
    let document: Document<'_> = serde_json::from_str(text).map_err(|error| {
        // The parser's message can quote the file.
        anyhow!("{what}: {}", escape::shown(&error.to_string()))
    })?;
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
    fs::create_dir_all(folder_of(path))?;
    let mut new = NewFile::beside(path)?;
    new.file().write_all(b"{\n  \"errors\": []\n}\n")?;
    new.file().sync_all()?;
    match new.take_free_name(path) {
        // Somebody else was faster, which is as good.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// Opens and locks the log that stands at `path` now: while one waits for the lock of a file,
/// another may have put a new one in its place.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        refuse_stream(&file)?;
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
        // On a full disk no half line stays; nobody else has written since.
        let _ = file.set_len(before);
    }
    Ok(written?)
}

/// What has no end cannot be read to it, nor locked against others.
fn refuse_stream(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is no regular file"))
    }
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
