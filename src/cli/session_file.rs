//! Reads files that clients write about their sessions. They may have any content, and may grow while
//! they are read: they are read up to the size that they had when they were opened.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Take};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use crate::clients::transcript::{self, Sidecar, Transcript, TranscriptError};

use crate::cli::regular_file::{self, Links};

/// The most bytes that are read of a sidecar. Real ones have less than 1 KiB.
const SIDECAR_AT_MOST: u64 = 64 << 10;

/// A transcript that was read, with the size and the modification time of its file.
struct SeenTranscript {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
    transcript: Rc<Transcript>,
}

thread_local! {
    /// The transcript that was read last. A hook needs it twice: for the name of the agent, and for its
    /// calls.
    static SEEN: RefCell<Option<SeenTranscript>> = const { RefCell::new(None) };
}

/// Reads a transcript without keeping it for another call of this function.
pub(crate) fn read(path: &Path) -> Result<Transcript, TranscriptError> {
    let file = open(path)?;
    match seen(path, &file) {
        Some(transcript) => Ok(Rc::unwrap_or_clone(transcript)),
        None => transcript::read(file),
    }
}

/// Reads a transcript, and keeps it for the next call.
pub(crate) fn read_cached(path: &Path) -> Result<Rc<Transcript>, TranscriptError> {
    let file = open(path)?;
    let (bytes, modified) = (file.limit(), modified(&file));
    let transcript = match seen(path, &file) {
        Some(transcript) => transcript,
        None => Rc::new(transcript::read(file)?),
    };
    let seen = SeenTranscript {
        path: path.to_owned(),
        bytes,
        modified,
        transcript: Rc::clone(&transcript),
    };
    SEEN.set(Some(seen));
    Ok(transcript)
}

/// The transcript that was read last, if the path is the same and the file has not changed. It is
/// removed from the cache in any case, so that no two transcripts are in memory.
fn seen(path: &Path, file: &Take<File>) -> Option<Rc<Transcript>> {
    let seen = SEEN.take()?;
    let is_same = seen.path == path
        && seen.bytes == file.limit()
        && seen.modified.is_some()
        && seen.modified == modified(file);
    is_same.then_some(seen.transcript)
}

fn modified(file: &Take<File>) -> Option<SystemTime> {
    file.get_ref().metadata().ok()?.modified().ok()
}

/// Reads the file that Claude Code writes next to an agent's transcript. None if it cannot be read.
pub(crate) fn read_sidecar(path: &Path) -> Option<Sidecar> {
    let mut bytes = Vec::new();
    let file = open(path).ok()?;
    file.take(SIDECAR_AT_MOST).read_to_end(&mut bytes).ok()?;
    Sidecar::read(&bytes)
}

/// Opens a regular file, limited to its current size: a client may still be writing to it.
fn open(path: &Path) -> io::Result<Take<File>> {
    let file = regular_file::open(path, OpenOptions::new().read(true), Links::Followed)?;
    let bytes = file.metadata()?.len();
    Ok(file.take(bytes))
}
