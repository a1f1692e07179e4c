//! A log of one record a line, which grows in place.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::output::locked::lock;

/// What every record of ours begins with.
const BEGINNING: &[u8] = b"{\"id\":\"err_";

/// Bytes that are read of an unfinished line. No record of ours is longer.
const TAIL_BYTES: u64 = 256 * 1024;

/// Adds records, one a line: one write each, so that a process that is killed leaves at most one
/// unfinished line, which the next one mends.
pub(super) fn append(path: &Path, records: &mut impl Read) -> io::Result<()> {
    let mut log = lock(path, b"")?;
    let before = mend(&mut log)?;
    let written = write(&mut log, records).and_then(|()| log.sync_all());
    if written.is_err() {
        // On a full disk no partial line stays. The lock keeps other writers out.
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

/// Goes to the end of the log, so that the next record has a line of its own: an unfinished record of
/// ours is taken out, and any other line is ended. The length of the log then.
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

/// Whether a line without an end is one of our records, cut off.
fn is_unfinished(line: &[u8]) -> bool {
    let is_ours = line.starts_with(BEGINNING) || BEGINNING.starts_with(line);
    is_ours && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err()
}
