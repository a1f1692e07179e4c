//! Files that clients write of their sessions. They may be anything, and may change while they are
//! read: what is read is what was there when the file was opened.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Take};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use retval::transcript::{self, Sidecar, Transcript, TranscriptError};

use crate::regular_file::{self, Links};

/// Bytes that are read of a sidecar. The real ones have less than one KiB.
const SIDECAR_AT_MOST: u64 = 64 << 10;

/// A transcript as it was when it was looked at.
struct SeenTranscript {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
    transcript: Rc<Transcript>,
}

thread_local! {
    /// The transcript that was looked at last: a hook asks it who the agent is, and then what it did.
    static SEEN: RefCell<Option<SeenTranscript>> = const { RefCell::new(None) };
}

/// Reads a transcript that is wanted only once more, if at all.
pub(crate) fn read(path: &Path) -> Result<Transcript, TranscriptError> {
    let file = open(path)?;
    match seen(path, &file) {
        Some(transcript) => Ok(Rc::unwrap_or_clone(transcript)),
        None => transcript::read(file),
    }
}

/// Reads a transcript, and keeps it for whoever wants it next.
pub(crate) fn look(path: &Path) -> Result<Rc<Transcript>, TranscriptError> {
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

/// The transcript that was looked at last, if it is this one and has not changed. It is given away, so
/// that there is never more than one.
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

/// What Claude Code writes beside an agent's transcript.
pub(crate) fn read_sidecar(path: &Path) -> Option<Sidecar> {
    let mut bytes = Vec::new();
    let file = open(path).ok()?;
    file.take(SIDECAR_AT_MOST).read_to_end(&mut bytes).ok()?;
    Sidecar::read(&bytes)
}

/// Opens a regular file up to the size that it has now: a client may go on writing it.
fn open(path: &Path) -> io::Result<Take<File>> {
    let file = regular_file::open(path, OpenOptions::new().read(true), Links::Followed)?;
    let bytes = file.metadata()?.len();
    Ok(file.take(bytes))
}
