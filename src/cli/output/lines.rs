//! A log with one record per line, to which records are appended.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::cli::output::locked::lock;

/// The beginning of every record that retval writes.
const BEGINNING: &[u8] = b"{\"id\":\"err_";

/// Most bytes that are read of an unfinished line. No record is longer.
const TAIL_BYTES: u64 = 256 * 1024;

/// Appends records, one per line. Each takes one write, so that a killed process leaves at most one
/// unfinished line, which the next process removes.
pub(super) fn append(path: &Path, records: &mut impl Read) -> io::Result<()> {
    let mut log = lock(path, b"")?;
    let before = mend(&mut log)?;
    let written = write(&mut log, records).and_then(|()| log.sync_all());
    if written.is_err() {
        // Removes what was written, such as a partial line on a full disk. The lock keeps other writers
        // out.
        let _ = log.set_len(before);
    }
    written
}

fn write(log: &mut File, records: &mut impl Read) -> io::Result<()> {
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
